"""Bagging as a transformer, against scikit-learn's."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from rdep import BaggingOrdering

from .comparing import same_values


def test_the_default_bagging_is_scikit_learns(moons):
    X, y, X_test = moons
    ordering = BaggingOrdering(random_state=0).fit(X, y)
    bagging = BaggingClassifier(SVC(), n_estimators=10, random_state=0).fit(X, y)
    expected = [member.decision_function(X_test) for member in bagging.estimators_]
    assert same_values(ordering.transform(X_test), np.column_stack(expected))
    assert ordering.get_feature_names_out()[0] == "svc0"


def test_feature_subsets_are_respected(moons):
    X, y, X_test = moons
    X, X_test = np.hstack([X, X**2]), np.hstack([X_test, X_test**2])
    ordering = BaggingOrdering(max_features=2, n_estimators=5, random_state=0).fit(X, y)
    assert all(len(features) == 2 for features in ordering.estimators_features_)
    bagging = BaggingClassifier(SVC(), n_estimators=5, max_features=2, random_state=0).fit(X, y)
    expected = [
        member.decision_function(X_test[:, features])
        for member, features in zip(bagging.estimators_, bagging.estimators_features_, strict=True)
    ]
    assert same_values(ordering.transform(X_test), np.column_stack(expected))


@pytest.mark.filterwarnings("ignore:Using the fractional value max_samples:UserWarning")
def test_a_draw_without_one_class_still_gives_a_member():
    X, y = [[0.0], [1.0]], [0, 1]
    ordering = BaggingOrdering(random_state=0).fit(X, y)
    assert ordering.transform(X).shape == (2, 10)
    assert all(len(member.classes_) == 2 for member in ordering.estimators_)


def test_members_that_take_no_weights_are_bagged_by_rows(moons):
    X, y, X_test = moons
    ordering = BaggingOrdering(KNeighborsClassifier(), n_estimators=3, random_state=0).fit(X, y)
    assert isinstance(ordering.estimators_[0], KNeighborsClassifier)
    bagging = BaggingClassifier(KNeighborsClassifier(), n_estimators=3, random_state=0).fit(X, y)
    expected = [member.predict_proba(X_test)[:, 1] - 0.5 for member in bagging.estimators_]
    assert ordering.transform(X_test) == pytest.approx(np.column_stack(expected))


def test_the_scale_of_weights_does_not_change_the_draws(moons):
    X, y, X_test = moons
    weight = np.random.default_rng(0).random(len(y)) + 0.5
    members = [
        BaggingOrdering(GaussianNB(), random_state=0).fit(X, y, scale * weight).transform(X_test)
        for scale in (1.0, 1e-3)
    ]
    assert members[0] == pytest.approx(members[1])


def test_out_of_bag_values_are_those_of_members_that_do_not_know_the_sample():
    X, y = make_moons(80, noise=0.3, random_state=0)
    ordering = BaggingOrdering(n_estimators=6, cv="oob", random_state=2)
    values = ordering.fit_transform(X, y)
    theirs = BaggingClassifier(SVC(), n_estimators=6, random_state=2).fit(X, y)
    plain = np.column_stack([member.decision_function(X) for member in theirs.estimators_])
    np.testing.assert_allclose(ordering.transform(X), plain, rtol=1e-8, atol=1e-10)
    for i in range(len(X)):
        known = np.array([i in rows for rows in theirs.estimators_samples_])
        expected = plain[i].copy()
        if not known.all():
            expected[known] = plain[i][~known].mean()
        np.testing.assert_allclose(values[i], expected, rtol=1e-8, atol=1e-10)


def test_samples_without_weight_are_out_of_every_bag():
    X, y = make_moons(60, noise=0.3, random_state=1)
    weights = (np.arange(60) % 3 > 0).astype(float)
    ordering = BaggingOrdering(n_estimators=4, cv="oob", random_state=0)
    values = ordering.fit_transform(X, y, weights)
    idle = weights == 0
    np.testing.assert_allclose(values[idle], ordering.transform(X)[idle])
