"""How members are fitted and asked: weights, values, frames."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC

from rdep import BaggingOrdering, EnsembleOrdering
from rdep._base._members import fit_member, linear_values, standardised
from rdep.datasets import load_ripley
from rdep.orderings import decision_values
from rdep.orderings._members import forest_shares

from .comparing import same_values


def test_sample_weights_reach_the_members(moons):
    X, y, X_test = moons
    weight = np.random.default_rng(0).integers(0, 3, size=len(y)).astype(float)
    used = weight > 0
    ordering = EnsembleOrdering([("rbf", SVC())]).fit(X, y, sample_weight=weight)
    # γ of the samples repeated as often as their weights say.
    gamma = 1 / (X.shape[1] * np.repeat(X, weight.astype(int), axis=0).var())
    expected = SVC(gamma=gamma).fit(X[used], y[used], sample_weight=weight[used])
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
    # Classes of the same total weight: a sample of weight two is two samples.
    balanced = weights * (weights.sum() / (2 * np.bincount(y, weights)))[y]
    expected = clone(pipeline).fit(X, y, logisticregression__sample_weight=balanced)
    np.testing.assert_allclose(values[:, 0], expected.decision_function(X_test))


@pytest.mark.parametrize("kernel", ["rbf", "poly", "sigmoid", "linear"])
@pytest.mark.parametrize("kind", [SVC, NuSVC])
def test_a_sample_of_weight_two_is_two_samples_to_an_svc(kind, kernel):
    """Up to the tolerance of libsvm, which is tight here."""
    X, _, y, _ = load_ripley()
    X, y = X[::3], y[::3]
    weights = 1 + np.arange(len(y)) % 3
    member = kind(kernel=kernel, tol=1e-9)
    weighted = fit_member("it", member, X, y, weights.astype(float), None)
    rows = np.repeat(np.arange(len(y)), weights)
    repeated = fit_member("it", member, X[rows], y[rows], None, None)
    if kind is SVC:  # ν is a share of the weights in one and of the samples in the other
        assert np.allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-5)
    if kernel != "linear":
        assert weighted._gamma == pytest.approx(repeated._gamma, rel=1e-12)


def test_equal_weights_leave_gamma_to_the_svc():
    X, _, y, _ = load_ripley()
    assert fit_member("it", SVC(), X, y, np.full(len(y), 2.0), None).gamma == "scale"
    assert fit_member("it", SVC(), X, y, None, "balanced").gamma == "scale"
    given = fit_member("it", SVC(gamma=0.3), X, y, np.arange(len(y)) + 1.0, None)
    assert given.gamma == 0.3


@pytest.mark.parametrize("forest", [RandomForestClassifier(10), ExtraTreesClassifier(7)], ids=type)
def test_shares_of_a_forest_are_scikit_learns_to_the_bit(moons, forest):
    X, y, X_test = moons
    forest = clone(forest).set_params(random_state=0, min_samples_leaf=3).fit(X, y)
    for samples in (X_test, X_test[:1]):
        assert np.array_equal(forest_shares(forest, samples), forest.predict_proba(samples))
    (values,) = decision_values(["forest"], [forest], X_test).T
    assert np.array_equal(values, forest.predict_proba(X_test)[:, 1] - 0.5)


def test_a_forest_in_an_ordering_starts_no_tasks(moons, monkeypatch):
    X, y, X_test = moons
    members = [("forest", RandomForestClassifier(5, random_state=0))]
    ordering = EnsembleOrdering(members).fit(X, y)
    expected = ordering.transform(X_test)
    monkeypatch.setattr(RandomForestClassifier, "predict_proba", None)
    assert np.array_equal(ordering.transform(X_test), expected)


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_what_a_forest_cannot_hold_it_refuses_in_its_own_words(moons):
    X, y, _ = moons
    ordering = EnsembleOrdering([("forest", RandomForestClassifier(5))]).fit(X, y)
    with pytest.raises(ValueError, match="too large for dtype"):
        ordering.transform([[1e300, 0.0]])


def test_values_without_validation_are_scikit_learns_to_the_bit(moons):
    X, y, X_test = moons
    scaler, logistic = StandardScaler().fit(X), LogisticRegression().fit(X, y)
    assert np.array_equal(standardised(scaler, X_test), scaler.transform(X_test))
    assert np.array_equal(linear_values(logistic, X_test), logistic.decision_function(X_test))
    for call in (
        lambda: standardised(scaler, [[np.inf, 0]]),
        lambda: linear_values(logistic, X * np.nan),
    ):
        with pytest.raises(ValueError, match="Input X contains"):
            call()
