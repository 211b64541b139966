"""Cross-fitting: which samples the values of a fold come from."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.svm import SVC

from rdep import BaggingOrdering, EnsembleOrdering

from .comparing import same_values


@pytest.mark.parametrize("ordering", [EnsembleOrdering(), BaggingOrdering(random_state=0)])
def test_cross_fitted_values_come_from_the_other_folds(moons, ordering):
    X, y, X_test = moons
    cv = KFold(4, shuffle=True, random_state=0)
    crossed = clone(ordering).set_params(cv=cv)
    values = crossed.fit_transform(X, y)
    for train, test in cv.split(X):
        fold = clone(ordering).fit(X[train], y[train])
        assert np.array_equal(values[test], fold.transform(X[test]))
    # The members kept are those of all samples.
    assert np.array_equal(crossed.transform(X_test), clone(ordering).fit(X, y).transform(X_test))
    assert not np.array_equal(values, crossed.transform(X))


def test_without_cv_fit_transform_is_fit_and_transform(moons):
    X, y, _ = moons
    for ordering in (EnsembleOrdering(), BaggingOrdering(random_state=0)):
        both = ordering.fit_transform(X, y)
        assert np.array_equal(both, ordering.transform(X))


def test_cross_fitting_agrees_with_scikit_learns(moons):
    X, y, _ = moons
    values = EnsembleOrdering([("rbf", SVC())], cv=5).fit_transform(X, y)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    expected = cross_val_predict(SVC(), X, y, cv=folds, method="decision_function")
    assert same_values(values[:, 0], expected)


def test_cross_fitting_passes_the_weights_on(moons):
    X, y, _ = moons
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    cv = KFold(3)
    values = EnsembleOrdering([("rbf", SVC())], cv=cv).fit_transform(X, y, weight)
    for train, test in cv.split(X):
        # "scale", of samples that are there as often as they weigh.
        mean = np.average(X[train], axis=0, weights=weight[train]).mean()
        deviations = np.average((X[train] - mean) ** 2, axis=0, weights=weight[train])
        gamma = 1 / (X.shape[1] * deviations.mean())
        fold = SVC(gamma=gamma).fit(X[train], y[train], sample_weight=weight[train])
        assert same_values(values[test, 0], fold.decision_function(X[test]))


def test_samples_without_weight_do_not_shape_the_folds(moons):
    X, y, _ = moons
    weight = np.ones(len(y))
    weight[5:40] = 0
    used = weight > 0
    values = EnsembleOrdering([("rbf", SVC())], cv=4).fit_transform(X, y, weight)
    without = EnsembleOrdering([("rbf", SVC())], cv=4).fit_transform(X[used], y[used], weight[used])
    assert same_values(values[used], without)
    assert np.isfinite(values).all()


def test_too_many_folds_are_explained():
    X, y = np.arange(12.0)[:, None], np.array([0] * 11 + [1])
    with pytest.raises(ValueError, match="fewer folds"):
        EnsembleOrdering(cv=KFold(4)).fit_transform(X, y)


def test_samples_that_come_sorted_are_shuffled_into_the_folds():
    """A slow drift: what is learned from other times does not hold at this one."""
    random = np.random.RandomState(0)
    time = np.linspace(0, 6, 300)
    y = (random.uniform(size=300) < 0.5).astype(int)
    X = np.column_stack([time, random.normal(scale=0.3, size=300) + y + 3 * time])
    member = [("tree", RandomForestClassifier(30, random_state=0))]

    def right(cv):
        values = EnsembleOrdering(member, cv=cv).fit_transform(X, y)[:, 0]
        return np.mean((values >= 0) == y)

    assert right(5) > right(StratifiedKFold(5)) + 0.1
