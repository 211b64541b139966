"""How members are fitted and asked: weights, values, frames."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import BaggingOrdering, EnsembleOrdering

from .comparing import same_values


def test_sample_weights_reach_the_members(moons):
    X, y, X_test = moons
    weight = np.random.default_rng(0).integers(0, 3, size=len(y)).astype(float)
    used = weight > 0
    ordering = EnsembleOrdering([("rbf", SVC())]).fit(X, y, sample_weight=weight)
    expected = SVC().fit(X[used], y[used], sample_weight=weight[used])
    assert same_values(ordering.transform(X_test)[:, 0], expected.decision_function(X_test))


def test_class_weights_reach_the_members(moons):
    X, y, X_test = moons
    labels = np.where(y == 1, "yes", "no")
    weights = {"yes": 5.0, "no": 1.0}
    expected = SVC(class_weight=weights).fit(X, labels).decision_function(X_test)
    ordering = EnsembleOrdering([("rbf", SVC())], class_weight=weights).fit(X, labels)
    assert same_values(ordering.transform(X_test)[:, 0], expected)
    # A member without the parameter receives sample weights instead.
    ordering = EnsembleOrdering([("bayes", GaussianNB())], class_weight=weights).fit(X, labels)
    bayes = GaussianNB().fit(X, labels, sample_weight=np.where(y == 1, 5.0, 1.0))
    assert ordering.transform(X_test)[:, 0] == pytest.approx(
        bayes.predict_proba(X_test)[:, 1] - 0.5
    )
    bagging = BaggingOrdering(class_weight=weights, random_state=0).fit(X, labels)
    assert bagging.estimators_[0].class_weight == {0: 1.0, 1: 5.0}


def test_members_without_values_are_named(moons):
    X, y, _ = moons

    class Bare(Perceptron):
        decision_function = property(doc="none")  # hasattr is False

    with pytest.raises(ValueError, match="neither decision_function nor predict_proba"):
        EnsembleOrdering([("bare", Bare())]).fit_transform(X, y)


def test_weights_reach_the_last_step_of_a_pipeline(moons):
    X, y, X_test = moons
    weights = np.random.default_rng(0).uniform(0.1, 3.0, len(y))
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    ordering = EnsembleOrdering([("scaled", pipeline)], class_weight="balanced")
    values = ordering.fit(X, y, sample_weight=weights).transform(X_test)
    balanced = weights * (len(y) / (2 * np.bincount(y)))[y]
    expected = clone(pipeline).fit(X, y, logisticregression__sample_weight=balanced)
    np.testing.assert_allclose(values[:, 0], expected.decision_function(X_test))
