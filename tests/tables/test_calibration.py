"""Calibration: which folds, and that the classifier inside is the one without it."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss

from rdep import DEPClassifier
from rdep.datasets import load_ripley
from rdep.tables._calibration import CALIBRATIONS, calibrated

X, X_TEST, Y, Y_TEST = load_ripley()


@pytest.mark.parametrize("method", CALIBRATIONS)
def test_the_classifier_inside_is_the_one_without_calibration(method):
    model = calibrated(DEPClassifier(), method, Y).fit(X, Y)
    (pair,) = model.calibrated_classifiers_
    plain = DEPClassifier().fit(X, Y).decision_function(X_TEST)
    assert np.array_equal(pair.estimator.decision_function(X_TEST), plain)
    # Better than the share of each class, whatever the sample.
    base = log_loss(Y_TEST, np.full(len(Y_TEST), Y.mean()))
    assert log_loss(Y_TEST, model.predict_proba(X_TEST)[:, 1].clip(0.01, 0.99)) < 0.6 * base


@pytest.mark.parametrize(("n_smallest", "n_folds"), [(2, 2), (4, 4), (30, 5)])
def test_no_more_folds_than_the_smallest_class_has_samples(n_smallest, n_folds):
    iris, y = load_iris(return_X_y=True)
    kept = np.r_[:100, 100 : 100 + n_smallest]
    model = calibrated(DEPClassifier(monotonic_cst="auto"), "sigmoid", y[kept])
    assert model.cv.get_n_splits() == n_folds
    for _, held_out in model.cv.split(iris[kept], y[kept]):
        assert set(y[kept][held_out]) == {0, 1, 2}
    assert np.isfinite(model.fit(iris[kept], y[kept]).predict_proba(iris)).all()


def test_a_class_of_one_sample_and_unknown_methods_are_refused():
    with pytest.raises(ValueError, match="needs two samples of each class, .* one of class rare"):
        calibrated(DEPClassifier(), "sigmoid", ["often", "often", "rare"])
    with pytest.raises(ValueError, match="unknown calibration 'platt'; known: sigmoid, isotonic"):
        calibrated(DEPClassifier(), "platt", Y)
