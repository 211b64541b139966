import json

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from rdep import BoxScoreClassifier, DEPClassifier, RDEPClassifier
from rdep.explorer import apply_edits, to_html

from ..cli.command import rdep_here
from .tables import fitted, table


def payload_of(page):
    return json.loads(page.split('id="data">')[1].split("</script>")[0])


@pytest.fixture(scope="module")
def score():
    X, y = load_iris(return_X_y=True)
    model = BoxScoreClassifier(4, max_faces=1).fit(X[50:], y[50:])
    return model, X[50:], payload_of(to_html(model, X[50:]))["checksum"]


def edits_of(checksum, **changes):
    entry = {"part": 0, "name": "intercept", "index": [], **changes}
    return {"format": "rdep-edits-1", "checksum": checksum, "edits": [entry]}


def test_an_edit_changes_one_number(score):
    model, X, checksum = score
    edited = apply_edits(model, edits_of(checksum, old=model.intercept_, new=-100.0))
    assert edited.intercept_ == -100.0
    assert model.intercept_ > -100
    assert (edited.predict(X) == 1).all()
    points = edits_of(checksum, name="points", index=[0], old=model.box_coef_[0], new=0.0)
    assert apply_edits(model, points).box_coef_[0] == 0.0
    assert str(edited.rules()) != str(model.rules())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"checksum": "other"}, "of another model"),
        ({"format": "other"}, "not edits that a page saved"),
        ({"edits": []}, "holds no edits"),
        ({"edits": [{"part": 0}]}, "is damaged"),
        ({"edits": ["text"]}, "is damaged"),
    ],
)
def test_edits_of_something_else_are_refused(score, change, message):
    model, _, checksum = score
    good = edits_of(checksum, old=model.intercept_, new=0.0)
    with pytest.raises(ValueError, match=message):
        apply_edits(model, {**good, **change})


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"old": 0.123, "new": 0.0}, "expects the old value 0.123"),
        ({"new": float("nan")}, "out of range"),
        ({"new": float("inf")}, "out of range"),
        ({"new": "<b>", "old": 0.0}, "is damaged"),
        ({"name": "points", "index": [99], "old": 0.0, "new": 1.0}, "is damaged"),
        ({"name": "points", "index": [-1], "old": 0.0, "new": 1.0}, "is damaged"),
        ({"name": "__class__", "old": 0.0, "new": 1.0}, "is damaged"),
        ({"part": 1, "old": 0.0, "new": 1.0}, "is damaged"),
    ],
)
def test_a_wrong_edit_is_refused(score, entry, message):
    model, _, checksum = score
    wrong = edits_of(checksum, **{"old": model.intercept_, "new": 0.0, **entry})
    with pytest.raises(ValueError, match=message):
        apply_edits(model, wrong)


def test_a_weight_beta_stays_between_0_and_1():
    X, y = load_iris(return_X_y=True)
    model = DEPClassifier().fit(X[50:], y[50:])
    checksum = payload_of(to_html(model, X[50:]))["checksum"]
    edits = edits_of(checksum, name="beta", old=model.beta_, new=1.5)
    with pytest.raises(ValueError, match="out of range"):
        apply_edits(model, edits)


def test_a_box_must_not_become_empty(score):
    model, _, checksum = score
    k, side, j = np.argwhere(np.isfinite(model.boxes_))[0].tolist()
    bounds = model.boxes_[k, :, j]
    assert not np.isfinite(bounds).all()  # a face on one side only
    model = apply_edits(model, edits_of(checksum, name="intercept", old=model.intercept_, new=0.0))
    model.boxes_ = model.boxes_.copy()
    model.boxes_[k, 1 - side, j] = model.boxes_[k, side, j]
    checksum = payload_of(to_html(model, np.zeros((1, 4))))["checksum"]
    beyond = float(model.boxes_[k, side, j]) + (1 if side == 0 else -1)
    old = float(model.boxes_[k, side, j])
    with pytest.raises(ValueError, match="empty"):
        apply_edits(
            model, edits_of(checksum, name="boxes", index=[k, side, j], old=old, new=beyond)
        )


def test_models_without_bounds_cannot_be_edited():
    X, y = load_iris(return_X_y=True)
    model = RDEPClassifier("signed", LogisticRegression()).fit(X[50:], y[50:])
    other = {"format": "rdep-edits-1", "checksum": "x", "edits": []}
    with pytest.raises(ValueError, match="cannot be edited"):
        apply_edits(model, other)


def test_commands(tmp_path):
    frame = table(5)
    frame.to_csv(tmp_path / "table.csv", index=False)
    from rdep.model_files import save_model

    model = fitted(frame, "score", tmp_path)
    save_model(model, tmp_path / "model.rdep")
    done = rdep_here("explore", "model.rdep", "table.csv", "-o", "page.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Page on 240 rows: page.html" in done.stderr
    more = ("--importance", "--front", "1,2", "--title", "A <b>page</b>")
    done = rdep_here("explore", "model.rdep", "table.csv", *more, "-o", "more.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = payload_of((tmp_path / "more.html").read_text("utf-8"))
    assert [name for name, _, _ in shown["importance"]] == list(frame.columns[:4])
    assert max(mean for _, mean, _ in shown["importance"]) > 0.05
    assert [each["conditions"] for each in shown["front"]] == [1, 2]
    assert shown["title"] == "A <b>page</b>"
    wrong = ("--front", "x", "-o", "y.html")
    done = rdep_here("explore", "model.rdep", "table.csv", *wrong, cwd=tmp_path)
    assert done.returncode == 2
    assert "should be whole numbers from 1" in done.stderr
    page = payload_of((tmp_path / "page.html").read_text("utf-8"))
    assert page["y"] is not None
    old = page["model"]["parts"][0]["intercept"]
    edits = edits_of(page["checksum"], old=old, new=old + 0.5, text="points of every row")
    (tmp_path / "edits.json").write_text(json.dumps(edits))
    done = rdep_here("edit", "model.rdep", "edits.json", "-o", "new.rdep", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = rdep_here("predict", "new.rdep", "table.csv", "-o", "predicted.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = rdep_here("inspect", "new.rdep", cwd=tmp_path).stdout
    assert "edited      by hand, 1 numbers" in shown
    assert f"points of every row ({old!r} → {old + 0.5!r})" in shown
    # A second edit is of the new model, not of the old one.
    done = rdep_here("edit", "new.rdep", "edits.json", "-o", "newer.rdep", cwd=tmp_path)
    assert done.returncode == 2
    assert "of another model" in done.stderr
    (tmp_path / "bad.json").write_text("{")
    done = rdep_here("edit", "model.rdep", "bad.json", "-o", "newer.rdep", cwd=tmp_path)
    assert done.returncode == 2
    assert "not valid JSON" in done.stderr
    done = rdep_here("explore", "model.rdep", "table.csv", "-o", "page.csv", cwd=tmp_path)
    assert done.returncode == 2
    assert "use the ending .html" in done.stderr
    frame.drop(columns="bought").to_csv(tmp_path / "rows.csv", index=False)
    done = rdep_here("explore", "model.rdep", "rows.csv", "-o", "page.html", cwd=tmp_path)
    assert "without classes, as the table lacks the target" in done.stderr
    frame.drop(columns="size").to_csv(tmp_path / "other.csv", index=False)
    done = rdep_here("explore", "model.rdep", "other.csv", "-o", "page.html", cwd=tmp_path)
    assert done.returncode == 2
    assert "lacks a column that the model needs: 'size'" in done.stderr
