"""Metrics that cannot be computed are refused, and never pass for computed ones."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from rdep.datasets import Dataset
from rdep_experiment._suite import find_suite
from rdep_experiment.run._metrics import check_metrics, score
from rdep_experiment.run._progress import Progress
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._runner import Request, run
from rdep_experiment.run._sources import Source

from .requests import HERE


def made(n_classes):
    y = np.arange(30) % n_classes
    labels = tuple("abc"[:n_classes])
    return Dataset("made", np.zeros((30, 1)), y, ("x",), labels, "made")


@pytest.mark.parametrize("metric", ["balanced_accuracy", "f1_macro", "roc_auc_ovr", "neg_log_loss"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_metrics_for_any_number_of_classes(metric, n_classes):
    check_metrics((metric,), [made(n_classes)], {"logistic": LogisticRegression()})


@pytest.mark.parametrize(
    ("metric", "n_classes", "message"),
    [
        ("neg_log_loss", 2, "for svc: it needs probabilities .*--calibrate sigmoid"),
        ("neg_brier_score", 2, "for svc: it needs probabilities"),
        ("f1", 3, "3 classes of made; .* f1_macro"),
        ("roc_auc", 3, "3 classes of made; .* roc_auc_ovr"),
    ],
)
def test_metrics_that_cannot_be_computed_are_refused(metric, n_classes, message):
    classifiers = {"svc": SVC(), "logistic": LogisticRegression()}
    with pytest.raises(ValueError, match=message):
        check_metrics(("accuracy", metric), [made(n_classes)], classifiers)


def test_a_score_that_is_no_number_is_an_error():
    one_class = np.zeros(5, int)
    guess = DummyClassifier(strategy="uniform").fit(np.zeros((4, 1)), [0, 1, 0, 1])
    with (
        pytest.warns(UserWarning, match="Only one class"),
        pytest.raises(ValueError, match="roc_auc is nan here"),
    ):
        score("roc_auc", guess, np.zeros((5, 1)), one_class)


def test_a_metric_that_fails_is_a_failed_row(tmp_path, table):
    source = Source("small", file=str(table), target="answer")
    protocol = Protocol(
        n_folds=2, metrics=("accuracy", "neg_log_loss"), extra={"broken": f"{HERE}:NoNumbers"}
    )
    outcome = run(Request(tmp_path / "out", (source,), ("broken",), protocol), Progress())
    assert outcome.n_failed == 2
    assert "NaN" in outcome.rows[0]["error"]


def test_only_the_extended_suite_has_gaps():
    extended = find_suite("extended").protocol
    assert extended.gaps
    assert not find_suite("paper").protocol.changed(metrics=("neg_log_loss",)).gaps
    assert not extended.changed(metrics=("neg_log_loss",)).gaps
