"""Probabilities of the box score and the r-DEP, against Platt's loss and further fits."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_iris, make_classification
from sklearn.metrics import log_loss
from sklearn.model_selection import FixedThresholdClassifier, StratifiedKFold

from rdep import BoxScoreClassifier, DEPClassifier, RDEPClassifier
from rdep._base._probabilities import logistic_map
from rdep.orderings import EnsembleOrdering
from rdep.tables import HeldOutCalibration

MODELS = {
    "box score": BoxScoreClassifier(8),
    "r-DEP": RDEPClassifier(EnsembleOrdering(cv=3)),
}


@pytest.fixture(scope="module")
def unbalanced():
    """One positive sample in ten, and noise: few samples are more probably positive than not."""
    X, y = make_classification(
        1200, 5, n_informative=3, n_redundant=0, weights=[0.9], flip_y=0.1, class_sep=0.7,
        random_state=1,
    )  # fmt: skip
    return X[:600], X[600:], y[:600], y[600:]


def test_the_map_minimises_the_loss_of_platt():
    rng = np.random.default_rng(0)
    values = rng.normal(size=300)
    positive = rng.random(300) < 1 / (1 + np.exp(1 - 2 * values))
    weights = rng.integers(0, 3, 300).astype(float)
    totals = weights[positive].sum(), weights[~positive].sum()
    # Platt's targets: one more sample of each class.
    targets = np.where(positive, (totals[0] + 1) / (totals[0] + 2), 1 / (totals[1] + 2))

    def loss(point):
        z = point[0] * values + point[1]
        return weights @ (np.logaddexp(0, z) - targets * z)

    found = logistic_map(values, positive, weights)
    np.testing.assert_allclose(found, minimize(loss, [1, 0]).x, atol=1e-3)
    used = weights > 0
    np.testing.assert_array_equal(found, logistic_map(values[used], positive[used], weights[used]))


def test_values_without_signal_give_the_frequencies():
    values, positive = np.arange(8.0), np.arange(8) < 2  # decreasing: the wrong way
    slope, intercept = logistic_map(values, positive)
    assert slope == 0
    assert intercept == pytest.approx(np.log(3 / 7))
    assert logistic_map(values, positive & False)[0] == 0


@pytest.mark.parametrize("name", MODELS)
def test_predict_balances_and_is_not_the_most_probable_class(name, unbalanced):
    """The exception to scikit-learn's convention, and the threshold that restores it."""
    X, X_test, y, _ = unbalanced
    model = MODELS[name].fit(X, y)
    probabilities, predicted = model.predict_proba(X_test), model.predict(X_test)
    np.testing.assert_array_equal(predicted, model.decision_function(X_test) > 0)
    assert predicted.mean() > 2 * (probabilities[:, 1] >= 0.5).mean()
    usual = FixedThresholdClassifier(model, threshold=0.5, response_method="predict_proba")
    expected = probabilities[:, 1] >= 0.5
    np.testing.assert_array_equal(usual.fit(X, y).predict(X_test), expected)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert probabilities[:, 1].mean() == pytest.approx(y.mean(), abs=0.05)
    order = np.argsort(model.decision_function(X_test), kind="stable")
    assert (np.diff(probabilities[order, 1]) >= 0).all()


@pytest.mark.parametrize("name", MODELS)
def test_probabilities_are_as_good_as_after_five_more_fits(name, unbalanced):
    X, X_test, y, y_test = unbalanced
    own = log_loss(y_test, MODELS[name].fit(X, y).predict_proba(X_test))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    more = HeldOutCalibration(MODELS[name], cv=folds).fit(X, y)
    assert own < 1.03 * log_loss(y_test, more.predict_proba(X_test))
    assert own < 0.95 * log_loss(y_test, np.full(len(y_test), y.mean()))


@pytest.mark.parametrize("name", MODELS)
def test_several_classes_share_the_probability(name):
    X, y = load_iris(return_X_y=True)
    model = MODELS[name].fit(X, y)
    probabilities = model.predict_proba(X)
    assert probabilities.shape == (150, 3)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert log_loss(y, probabilities) < 0.4


def test_a_box_score_without_folds_undoes_its_class_weights(unbalanced):
    X, X_test, y, y_test = unbalanced
    plain, balanced = (
        BoxScoreClassifier(2, max_faces=0, cv=None, class_weight=weight).fit(X, y)
        for weight in (None, "balanced")
    )
    np.testing.assert_array_equal(plain.calibration_, [1, 0])
    odds = y.mean() / (1 - y.mean())
    np.testing.assert_allclose(balanced.calibration_, [1, np.log(odds)])
    assert balanced.predict_proba(X_test)[:, 1].mean() == pytest.approx(y_test.mean(), abs=0.05)


@pytest.mark.parametrize(
    "model",
    [
        RDEPClassifier("signed"),
        RDEPClassifier(EnsembleOrdering(cv=None)),
        RDEPClassifier("nothing"),
        DEPClassifier(),
    ],
    ids=str,
)
def test_without_held_out_values_there_are_no_probabilities(model):
    assert not hasattr(model, "predict_proba")
    assert hasattr(RDEPClassifier(), "predict_proba")
