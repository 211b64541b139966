"""Fits inside a fit: folds without samples of zero weight, and γ of weighted samples."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import make_moons
from sklearn.model_selection import KFold
from sklearn.svm import SVC

from rdep import BoxScoreClassifier, DEPClassifierCV, LinearDEPClassifier
from rdep._base._members import folds_in_use, scale_gamma


@pytest.mark.parametrize("cv", [3, KFold(3)], ids=["number", "splitter"])
def test_a_number_or_a_splitter_sees_samples_with_weight_only(cv):
    y, weights = np.tile([0, 1], 12), np.tile([1.0, 1.0, 0.0], 8)
    found = list(folds_in_use(cv, y, weights))
    without = list(folds_in_use(cv, y[weights > 0], None))
    for fold, expected in zip(found, without, strict=True):
        assert all(map(np.array_equal, fold, expected))


def test_an_iterable_counts_all_samples():
    y, weights = np.array([0, 1, 0, 1]), np.array([1.0, 0.0, 1.0, 2.0])
    ((train, test),) = folds_in_use([([0, 1], [2, 3])], y, weights)
    assert (train.tolist(), test.tolist()) == ([0], [1, 2])


@pytest.mark.parametrize(
    "model", [DEPClassifierCV(), LinearDEPClassifier(), BoxScoreClassifier(4)], ids=type
)
def test_explicit_folds_with_absent_rows_are_those_with_zero_weights(model):
    X, y = make_moons(60, noise=0.3, random_state=0)
    weights = np.where(np.arange(len(y)) % 4 == 1, 0.0, 1.0)
    used = np.flatnonzero(weights)
    folds = list(KFold(3, shuffle=True, random_state=0).split(X))
    kept = [tuple(np.flatnonzero(np.isin(used, rows)) for rows in fold) for fold in folds]
    model.set_params(cv=folds).fit(X, y, sample_weight=weights)
    values = model.decision_function(X)
    model.set_params(cv=kept).fit(X[used], y[used], sample_weight=weights[used])
    assert np.array_equal(values, model.decision_function(X))


@pytest.mark.parametrize("made", [np.asarray, csr_array])
def test_the_gamma_of_weighted_samples_is_that_of_repeated_ones(made):
    random = np.random.RandomState(0)
    X = random.normal(size=(30, 3)) * (random.uniform(size=(30, 3)) > 0.5)
    weights = random.randint(1, 4, 30)
    repeated = np.repeat(X, weights, axis=0)
    svc = SVC().fit(repeated, np.arange(len(repeated)) % 2)
    assert scale_gamma(made(X), weights.astype(float)) == pytest.approx(svc._gamma, rel=1e-12)


@pytest.mark.parametrize("made", [np.asarray, csr_array])
def test_equal_values_have_a_gamma_of_one(made):
    assert scale_gamma(made(np.zeros((4, 2))), np.ones(4)) == 1.0
