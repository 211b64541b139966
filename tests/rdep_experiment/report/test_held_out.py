"""Figures of held-out rows, against the rows themselves."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep.scoring import scored
from rdep_experiment import Protocol, Request, Table, evaluate
from rdep_experiment.report._held_out import confusions, curves
from rdep_experiment.run._cells import in_groups
from rdep_experiment.run._runner import ROWS
from rdep_experiment.run._store import read_rows

LOGISTIC = {"mine": "sklearn.linear_model:LogisticRegression"}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A table with a category and gaps, evaluated with options of fit and a positive class."""
    folder = tmp_path_factory.mktemp("held")
    X, y = make_classification(150, 3, n_informative=2, n_redundant=0, flip_y=0.2, random_state=0)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["colour"] = np.random.default_rng(0).choice(["red", "blue", ""], 150)
    frame["<left>"] = np.where(y, "stays", "gone")
    frame.to_csv(folder / "<t>.csv", index=False)
    protocol = Protocol(
        n_folds=3,
        metrics=("f1", "balanced_accuracy"),
        extra=LOGISTIC,
        model={"estimator": "dep", "parameters": {"class_weight": {"gone": 2.0}}},
    )
    table = Table(str(folder / "<t>.csv"), "<left>", positive="gone")
    found = evaluate(table, Request(folder / "out", (), ("rbf_svc",), protocol))
    identity, rows = read_rows(folder / "out" / ROWS)
    assert identity["model"]["parameters"] == {"class_weight": {"0": 2.0}}
    return frame, found, rows, folder / "out"


def test_curves_and_metrics_are_of_the_positive_class(made):
    frame, found, rows, _ = made
    X = pd.get_dummies(frame.drop(columns="<left>"), columns=["colour"]).to_numpy(float)
    y = frame["<left>"].to_numpy()
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    f1, areas = [], []
    predicted = np.empty(150, dtype=object)
    for train, test in folds.split(X, y):
        scaler = StandardScaler().fit(X[train])
        model = LogisticRegression().fit(scaler.transform(X[train]), y[train])
        predicted[test] = model.predict(scaler.transform(X[test]))
        f1.append(f1_score(y[test], predicted[test], pos_label="gone"))
        areas += model.predict_proba(scaler.transform(X[test]))[:, 0].tolist()
    tested = np.concatenate([test for _, test in folds.split(X, y)])
    assert found.scores["mine"]["f1"][0] == pytest.approx(np.mean(f1))
    expected = confusion_matrix(y, predicted.astype(str), labels=["gone", "stays"])
    np.testing.assert_array_equal(confusions(rows)["mine"], expected)
    assert curves(rows)["mine"].roc_area == pytest.approx(roc_auc_score(y[tested] == "gone", areas))


def test_the_model_is_that_of_fit_with_its_options(made):
    _, found, rows, _ = made
    assert list(found.scores) == ["model", "rbf_svc", "mine"]
    losses = {len(row["held_out"]["importance"]) for row in rows if row["classifier"] == "model"}
    assert losses == {4}  # columns of the table, the category as one
    others = [row["held_out"] for row in rows if row["classifier"] != "model"]
    assert not any("importance" in details for details in others)


def test_the_report_is_of_one_table(made):
    frame, found, _, out = made
    page = (out / "report.html").read_text()
    for text in ("Evaluation of &lt;t&gt;", "Positive class", "<dd>gone</dd>"):
        assert text in page
    assert f"<dd>colour {(frame['colour'] == '').sum()}</dd>" in page
    assert "<left>" not in page
    assert "median" not in page
    for name in ("roc", "precision_recall", "costs", "importance", "reliability", "folds"):
        assert f'id="{name}-figure_1"' in page
    order = sorted(found.scores, key=lambda name: -found.scores[name]["f1"][0])
    shown = {"model": "Model of rdep fit", "rbf_svc": "RBF SVC", "mine": "mine"}
    places = [page.index(f'<tr><th scope="row">{shown[name]}</th>') for name in order]
    assert places == sorted(places)
    assert "Always stays: balanced accuracy 0.500" in found.as_text()


def test_many_scores_are_grouped():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 1))
    y = (X[:, 0] + rng.normal(size=1000) > 0).astype(int)
    found = scored(LogisticRegression().fit(X, y), X, y)
    groups = np.array(in_groups(found))
    assert len(groups) == 200
    assert groups[:, 1:].sum(axis=0).tolist() == [(y == 0).sum(), (y == 1).sum()]
    row = {"classifier": "a", "held_out": {"scores": groups.tolist()}}
    assert curves([row])["a"].roc_area == pytest.approx(roc_auc_score(y, X[:, 0]), abs=1e-3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.3}, "a threshold is a probability, and rbf_svc have none"),
        ({"cost": {"fn": 1}}, "the costs must be fn"),
        ({"model": {"estimator": "deb", "parameters": {}}}, "unknown estimator 'deb'"),
        (
            {"model": {"estimator": "dep", "parameters": {"class_weight": {"x": 1.0}}}},
            "unknown class 'x'",
        ),
    ],
)
def test_wrong_options_are_refused(made, tmp_path, options, message):
    frame, *_ = made
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(ValueError, match=message):
        evaluate(
            Table(str(tmp_path / "t.csv"), "<left>"),
            Request(tmp_path / "out", (), ("rbf_svc",), Protocol(n_folds=2, **options)),
        )
    assert not (tmp_path / "out" / ROWS).exists()


def test_the_readable_front_has_no_options_of_fit(made, tmp_path):
    frame, *_ = made
    frame.to_csv(tmp_path / "t.csv", index=False)
    table = Table(str(tmp_path / "t.csv"), "<left>", positive="gone")
    with pytest.raises(ValueError, match="the readable front compares its own models"):
        evaluate(table, Request(tmp_path / "out"), readable=True)
