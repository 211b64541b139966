"""`rdep evaluate --robust`: certified accuracy of held-out rows."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep_experiment import Protocol, Request, Table, evaluate
from rdep_experiment.models import make
from rdep_experiment.models._sharing import Parts
from rdep_experiment.report._certified import RADII, certified, radii_of_correct, shares

NAMES = ("dep", "rdep_signed", "rbf_svc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("robust")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(90, 3)), columns=["a", "b", "c"])
    frame["kind"] = np.where(frame["a"] + frame["b"] > 0.7 * rng.normal(size=90), "yes", "no")
    frame.to_csv(path / "sales.csv", index=False)
    return path


@pytest.fixture(scope="module")
def evaluation(folder):
    request = Request(folder / "out", classifiers=NAMES, protocol=Protocol(n_folds=3, robust=True))
    return evaluate(Table(str(folder / "sales.csv"), "kind"), request)


def test_no_attack_on_held_out_rows_leaves_less(folder, evaluation):
    """Each fold is fitted here once more, and its test rows are attacked."""
    frame = pd.read_csv(folder / "sales.csv")
    X, y = frame[["a", "b", "c"]].to_numpy(), (frame["kind"] == "yes").to_numpy().astype(int)
    assert set(evaluation.certified) == {"dep", "rdep_signed"}  # an SVC has no certificate
    rng = np.random.default_rng(0)
    for name, found in evaluation.certified.items():
        assert found["exact"]
        assert found["n_samples"] == 90
        accuracy, survivors = 0.0, np.zeros(len(RADII))
        folds = StratifiedKFold(3, shuffle=True, random_state=1)
        for train, test in folds.split(X, y):
            scaler = StandardScaler().fit(X[train])
            model = make(name, Parts(1e-6, 0, None)).fit(scaler.transform(X[train]), y[train])
            rows = scaler.transform(X[test])
            accuracy += (model.predict(rows) == y[test]).sum() / 90
            for k, radius in enumerate(RADII):
                right = np.ones(len(rows), dtype=bool)
                for _ in range(100):
                    steps = radius * (1 - 1e-3) * rng.choice([-1.0, 0.0, 1.0], rows.shape)
                    right &= model.predict(rows + steps) == y[test]
                survivors[k] += right.sum() / 90
        assert shares(found, [0.0])[0] == pytest.approx(accuracy)
        assert (np.array(shares(found)) <= survivors + 1e-12).all()
        assert (np.array(shares(found)) >= survivors - 0.05).all()


def test_it_is_printed_and_drawn(folder, evaluation):
    text = evaluation.as_text()
    assert "Correct within changes of all features" in text
    said = evaluation.to_dict()["certified"]
    assert json.loads(json.dumps(said)) == said
    assert f"{said['dep']['0.25']:.3f}" in text
    assert "Robustness</h3>" in (folder / "out" / "report.html").read_text("utf-8")


def test_rows_without_radii_are_another_evaluation(folder, evaluation):
    request = Request(folder / "out", classifiers=NAMES, protocol=Protocol(n_folds=3))
    with pytest.raises(ValueError, match="robust"):
        evaluate(Table(str(folder / "sales.csv"), "kind"), request)


def test_bounds_and_infinite_radii_of_all_folds():
    rows = [
        {"classifier": "a", "certified": {"n_samples": 4, "exact": True, "radii": [0.3, 1e6]}},
        {"classifier": "a", "certified": {"n_samples": 1, "exact": False, "radii": [0.1]}},
        {"classifier": "b", "certified": None},
    ]
    found = certified(rows)
    assert set(found) == {"a"}
    assert not found["a"]["exact"]
    assert shares(found["a"], [0, 0.1, 0.2, 0.5]) == [0.6, 0.6, 0.4, 0.2]


def test_a_model_without_a_certificate_has_no_radii():
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    model = make("rbf_svc", Parts(1e-6, 0, None)).fit(X, y)
    assert radii_of_correct(model, X, y) is None
