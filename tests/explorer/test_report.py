"""The report of a fit, and radii in the page."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import cross_val_predict

from rdep import RDEPClassifier
from rdep._base._members import inner_folds
from rdep.explorer import to_html
from rdep.guarantees import robustness
from rdep.tables import TableModel

from ..cli.command import rdep_here
from .browser import driven
from .tables import fitted, table

SEEN = """
  const cards = [...document.querySelectorAll("#importance .card")];
  return { held: document.getElementById("held-out").textContent,
    importance: document.getElementById("importance").textContent,
    cells: [...document.querySelectorAll("#held-out tbody td")].map((cell) =>
      Number(cell.textContent)),
    figures: cards.map((card) => card.querySelector("h3").textContent),
    drawn: cards.map((card) => card.querySelectorAll("path.line, rect").length),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth };
"""


@pytest.mark.parametrize("classes", [("no", "yes"), ("a", "b", "c")])
def test_report_of_a_fit(tmp_path, classes):
    frame = table(6, classes=classes)
    frame.to_csv(tmp_path / "table.csv", index=False)
    options = ("-t", "bought", "--report", "page.html", "--estimator", "box_score")
    sets = ("--set", "max_conditions=8", "-o", "model.rdep")
    done = rdep_here("fit", "table.csv", *options, *sets, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Report: page.html" in done.stderr
    page = (tmp_path / "page.html").read_text("utf-8")
    (seen,) = driven({"report": page}, SEEN, tmp_path, width=400).values()
    model = fitted(frame, "score", tmp_path)
    pipeline = model.estimator
    X = model.rows(frame)
    y = frame.bought.to_numpy(dtype=str)
    folds = list(inner_folds(5, y).split(y, y))
    predicted = cross_val_predict(pipeline, X, y, cv=folds)
    expected = pd.crosstab(y, predicted).to_numpy().ravel().tolist()
    assert seen["cells"] == expected
    assert f"{balanced_accuracy_score(y, predicted):.3f} ±" in seen["held"]
    assert f"gives {1 / len(classes):.3f}" in seen["held"]
    if len(classes) == 2:
        scores = cross_val_predict(pipeline, X, y, cv=folds, method="predict_proba")[:, 1]
        assert f"ROC curve is {roc_auc_score(y == 'yes', scores):.3f}" in seen["held"]
    assert sorted(seen["figures"]) == sorted(frame.columns[:4])
    assert min(seen["drawn"]) >= (1 if len(classes) == 2 else 3)
    assert seen["wide"] <= 0


def test_a_report_without_folds_has_no_held_out_rows(tmp_path):
    table(7, n_rows=60).to_csv(tmp_path / "table.csv", index=False)
    options = ("--estimator", "dep", "--folds", "0", "-o", "model.rdep", "--report")
    done = rdep_here("fit", "table.csv", "-t", "bought", *options, "page.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text("utf-8")
    payload = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert payload["heldOut"] is payload["importance"] is payload["dependence"] is None
    done = rdep_here("fit", "table.csv", "-t", "bought", *options, "page.csv", cwd=tmp_path)
    assert done.returncode == 2
    assert "use the ending .html" in done.stderr


RADII = """
  const { page, choose, setNumber } = explorer;
  const text = () => document.querySelector(".radius")?.textContent ?? null;
  const found = page.payload.radii.rows.map((i) => { choose(i); return [i, text()]; });
  page.edits.set("any", {});
  choose(found[0][0]);
  return { found, edited: text() };
"""


def test_radii_of_the_rows_nearest_to_the_boundary(tmp_path):
    frame = table(8)
    X = frame.drop(columns="bought")
    for kind in ("dep", "score"):
        model = fitted(frame, kind, tmp_path)
        page = to_html(model, X, frame.bought, robust=5)
        (seen,) = driven({"radii": page}, RADII, tmp_path).values()
        rows, texts = zip(*seen["found"], strict=True)
        values = np.abs(model.decision_function(X))
        assert sorted(values[list(rows)]) == sorted(values)[:5]
        expected = robustness(model, X.iloc[list(rows)])
        for text, radius, change in zip(
            texts, expected.radius, expected.counterfactual, strict=True
        ):
            number = float(re.search(r"less than (\S+) %", text)[1])
            assert number == pytest.approx(100 * radius, rel=6e-3)
            assert change in text
        assert seen["edited"] is None


def test_radii_of_models_without_certificates_are_refused():
    X = np.random.RandomState(0).normal(size=(60, 3))
    y = X[:, 0] > 0
    model = RDEPClassifier("signed", LogisticRegression()).fit(X, y)
    with pytest.raises(ValueError, match="robust=2: "):
        to_html(TableModel.of(model), X, y, robust=2)
