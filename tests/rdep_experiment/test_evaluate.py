"""Tables of one's own: never a result of something else, and every metric in every output."""

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep_experiment import Protocol, Request, Table, evaluate
from rdep_experiment.run._runner import ROWS
from rdep_experiment.run._store import StoreError

NAIVE_BAYES = {"bayes": "sklearn.naive_bayes:GaussianNB"}


def made_table(n_rows=90, n_classes=3):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(n_rows, 2)), columns=["a", "b"])
    frame["code"] = rng.integers(0, 3, n_rows)
    frame["who"] = rng.integers(0, 15, n_rows)
    frame["flag"] = rng.choice(["no", "yes"], n_rows)
    kind = np.digitize(frame["a"] + rng.normal(size=n_rows), np.linspace(-1, 1, n_classes - 1))
    frame["kind"] = np.array(["x", "y", "z"])[kind]
    return frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table of three classes, and its evaluation by three metrics."""
    folder = tmp_path_factory.mktemp("evaluated")
    made_table().to_csv(folder / "sales.2023.csv", index=False)
    return folder


METRICS = ("balanced_accuracy", "neg_log_loss", "f1_macro")


def evaluated(folder, file="sales.2023.csv", target="kind", **changes):
    settings = {
        "drop": ("who",),
        "extra": NAIVE_BAYES,
        "calibrate": "sigmoid",
        "metrics": METRICS,
        "n_folds": 3,
        **changes,
    }
    of_table = {"drop", "categorical", "groups", "time_order"} & set(settings)
    table = Table(str(folder / file), target, **{name: settings.pop(name) for name in of_table})
    repeats = settings.pop("repeats", 1)
    protocol = Protocol(**settings)
    return evaluate(table, Request(folder / "out", (), ("linear_svc",), protocol, repeats))


@pytest.fixture(scope="module")
def evaluation(folder):
    return evaluated(folder)


def test_scores_are_those_of_scikit_learn(evaluation):
    table = made_table().drop(columns="who")
    X = pd.get_dummies(table.drop(columns="kind"), columns=["flag"]).to_numpy(float)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = make_pipeline(
        StandardScaler(),
        CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=folds, ensemble=False),
    )
    outer = StratifiedKFold(3, shuffle=True, random_state=1)
    expected = cross_validate(model, X, table["kind"], cv=outer, scoring=METRICS)
    assert list(evaluation.scores) == ["linear_svc", "bayes"]
    for metric in METRICS:
        mean, std = evaluation.scores["bayes"][metric]
        assert mean == pytest.approx(expected[f"test_{metric}"].mean(), abs=1e-9)
        assert std == pytest.approx(expected[f"test_{metric}"].std(), abs=1e-9)


def test_every_metric_is_in_every_output(folder, evaluation):
    out = folder / "out"
    texts = {name: (out / name).read_text("utf-8") for name in ("metrics.csv", "table.md")}
    texts["table.tex"] = (out / "table.tex").read_text("utf-8")
    texts["text"] = evaluation.as_text()
    for metric in METRICS:
        mean = evaluation.scores["bayes"][metric][0]
        for name, text in texts.items():
            assert metric in text, name
            assert (f"{mean:.6f}" if name == "metrics.csv" else f"{mean:.3f}") in text, name
        assert evaluation.to_dict()["scores"]["bayes"][metric]["mean"] == mean
        page = (out / "report.html").read_text("utf-8")
        assert f'<td data-value="{mean:.9f}"' in page
        assert " ".join(f"<span>{word}</span>" for word in metric.split("_")) in page
    assert 'id="reliability-figure_1"' in page


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"drop": ("who", "b")}, r"drop is \['who'\] there and \['b', 'who'\] here"),
        ({"target": "flag"}, "target is 'kind' there and 'flag' here"),
        ({"categorical": ("code",)}, r"categorical is not given there and \['code'\] here"),
        ({"drop": (), "groups": "who"}, "groups is not given there and 'who' here"),
        ({"drop": (), "time_order": "who"}, "time_order is not given there and 'who' here"),
        ({"file": "sales.2024.csv"}, "table is 'sales.2023' there and 'sales.2024' here"),
        ({"calibrate": "isotonic"}, "calibrate is 'sigmoid' there and 'isotonic' here"),
        ({"metrics": ("accuracy",)}, "metrics is"),
        ({"n_folds": 2}, "n_folds is 3 there and 2 here"),
        ({"extra": {"bayes": "sklearn.dummy:DummyClassifier"}}, "bayes has changed since"),
    ],
)
def test_a_folder_of_another_comparison_is_refused(folder, evaluation, changes, message):
    """Also when every cell that is asked for has a row already."""
    (folder / "sales.2024.csv").write_bytes((folder / "sales.2023.csv").read_bytes())
    before = {path: path.read_bytes() for path in (folder / "out").rglob("*.*")}
    with pytest.raises(StoreError, match=message) as refused:
        evaluated(folder, **changes)
    assert "--output" in str(refused.value)
    assert "--fresh" in str(refused.value)
    assert {path: path.read_bytes() for path in (folder / "out").rglob("*.*")} == before


def test_other_data_in_the_same_file_are_refused(folder, evaluation):
    file = folder / "sales.2023.csv"
    whole = file.read_text()
    file.write_text("".join(whole.splitlines(keepends=True)[:80]))
    try:
        with pytest.raises(StoreError, match=r"data_sha256 is \w{12}… there and \w{12}… here"):
            evaluated(folder)
    finally:
        file.write_text(whole)


def test_the_same_again_computes_nothing(folder, evaluation):
    rows = (folder / "out" / ROWS).read_bytes()
    assert evaluated(folder, drop=("who",)) == evaluation
    assert (folder / "out" / ROWS).read_bytes() == rows


def test_a_rare_class_gets_fewer_folds_not_better_scores(tmp_path):
    """Five of 300: a classifier that never predicts them has a balanced accuracy of one half."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"])
    frame["y"] = np.where(np.arange(300) < 5, "rare", "usual")
    frame.to_csv(tmp_path / "rare.csv", index=False)
    with pytest.warns(UserWarning, match="5 folds instead of 10.*class 'rare' has 5 rows") as told:
        evaluation = evaluate(
            Table(str(tmp_path / "rare.csv"), "y"),
            Request(tmp_path / "out", classifiers=("rbf_svc",)),
        )
    assert len(told) == 1
    assert evaluation.n_folds == 5
    assert evaluation.scores["rbf_svc"]["balanced_accuracy"] == (0.5, 0.0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"calibrate": None, "metrics": ("neg_log_loss",)}, "linear_svc: it needs probabilities"),
        ({"metrics": ("f1",)}, "3 classes of sales.2023; .*f1_macro"),
        ({"groups": "who", "time_order": "a"}, "exclude each other"),
        ({"time_order": "a", "repeats": 2}, "time has one order"),
        ({"groups": "whom"}, "did you mean 'who'"),
        ({"groups": "kind"}, "'kind' is the target"),
        ({"groups": "code", "target": "code"}, "'code' is the target"),
        ({"time_order": "flag"}, "'flag' has no order in time: row 1"),
        ({"drop": (), "groups": "kind2"}, "cannot be cut into folds.* is in 1 of 3 groups"),
        ({"extra": {"mine": "nowhere:Mine"}}, "'nowhere:Mine' could not be imported"),
    ],
)
def test_mistakes_are_refused_before_a_folder_is_made(folder, tmp_path, changes, message):
    frame = made_table()
    if changes.get("groups") == "kind2":
        frame["kind2"] = frame["kind"]
    frame.to_csv(tmp_path / "sales.2023.csv", index=False)
    with pytest.raises(ValueError, match=message):
        evaluated(tmp_path, **changes)
    assert not (tmp_path / "out").exists()


def test_the_readable_front_of_a_table(tmp_path):
    """With categories and missing values, by a rule that a box can say."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"age": rng.integers(18, 80, 90).astype(float), "town": rng.choice(["a", "b"], 90)}
    )
    frame["left"] = np.where((frame["age"] > 45) & (frame["town"] == "a"), "yes", "no")
    frame.loc[::9, "age"] = np.nan
    frame.to_csv(tmp_path / "churn.csv", index=False)
    asked = Request(
        tmp_path / "front", classifiers=("score_4", "tree_4"), protocol=Protocol(n_folds=3)
    )
    evaluation = evaluate(Table(str(tmp_path / "churn.csv"), "left"), asked, readable=True)
    assert evaluation.scores["score_4"]["balanced_accuracy"][0] > 0.8
    text = (tmp_path / "front" / "front.md").read_text("utf-8")
    assert "| **Box score** | 0." in text
    assert "tree: Tree" in text
    assert "<svg" in (tmp_path / "front" / "report.html").read_text("utf-8")


def test_the_readable_front_is_for_two_classes(folder, tmp_path):
    with pytest.raises(ValueError, match="different values: the readable front is for two"):
        evaluate(
            Table(str(folder / "sales.2023.csv"), "kind"),
            Request(tmp_path / "front"),
            readable=True,
        )
    assert not (tmp_path / "front").exists()
