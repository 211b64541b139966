"""The stack as a component, against scikit-learn's; members drawn towards it; out-of-bag values."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_classification, make_moons
from sklearn.ensemble import RandomForestClassifier, StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import (
    BaggingOrdering,
    DEPClassifier,
    EnsembleOrdering,
    MixedOrdering,
    RDEPClassifier,
)

SKLEARN = tuple(map(int, sklearn.__version__.split(".")[:2]))


@pytest.fixture(scope="module")
def moons():
    return make_moons(150, noise=0.3, random_state=0)


def test_it_is_scikit_learns_stack_of_the_same_members(moons):
    X, y = moons
    ordering = EnsembleOrdering(cv=5, stack=True).fit(X, y)
    theirs = StackingClassifier(
        EnsembleOrdering()._named(),
        make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced")),
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        stack_method="decision_function",
    ).fit(X, y)
    np.testing.assert_allclose(
        ordering.transform(X)[:, -1], theirs.decision_function(X), rtol=1e-6, atol=1e-8
    )


@pytest.mark.parametrize(
    "ordering",
    [
        EnsembleOrdering(),
        BaggingOrdering(random_state=0),
        MixedOrdering(cv=None, stack=False, shrinkage=0.0, max_svc_samples=0, random_state=0),
        MixedOrdering(cv=None, stack=False, shrinkage=0.0, random_state=0),
    ],
    ids=lambda ordering: type(ordering).__name__,
)
@pytest.mark.parametrize("cv", [None, 3])
def test_it_comes_last_and_changes_nothing_else(moons, ordering, cv):
    X, y = moons
    plain = clone(ordering).set_params(cv=cv)
    stacked = clone(plain).set_params(stack=True)
    training, training_with = plain.fit_transform(X, y), stacked.fit_transform(X, y)
    np.testing.assert_array_equal(training_with[:, :-1], training)
    np.testing.assert_array_equal(stacked.transform(X)[:, :-1], plain.transform(X))
    assert list(stacked.get_feature_names_out()) == [*plain.get_feature_names_out(), "stack"]
    # Fitting alone must lead to the same stack as fitting and transforming.
    alone = clone(stacked).fit(X, y)
    np.testing.assert_array_equal(alone.transform(X), stacked.transform(X))


def test_samples_without_weight_take_no_part(moons):
    X, y = moons
    weights = (np.arange(len(y)) % 4 > 0).astype(float)
    kept = weights > 0
    ordering = EnsembleOrdering(cv=3, stack=True)
    weighted = clone(ordering).fit(X, y, weights).transform(X)
    without = clone(ordering).fit(X[kept], y[kept]).transform(X)
    np.testing.assert_allclose(weighted, without, rtol=1e-6, atol=1e-8)


def test_an_rdep_may_decide_by_it(moons):
    X, y = moons
    model = RDEPClassifier(EnsembleOrdering(cv=5, stack=True)).fit(X, y)
    assert "stack" in set(model._member_names())
    assert model.reduced_space(X).shape == (150, 4)


@pytest.fixture
def samples():
    return make_classification(180, 6, flip_y=0.1, random_state=3)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_a_decision_is_by_a_dep_of_the_members_and_a_share_of_their_stack(samples, share):
    X, y = samples
    plain = EnsembleOrdering(cv=5, stack=True)
    training = plain.fit_transform(X, y)
    scaled = plain.transform(X) / training.std(axis=0)
    drawn = clone(plain).set_params(shrinkage=share)
    assert drawn.fit_transform(X, y) == pytest.approx(training / training.std(axis=0))
    assert drawn.transform(X) == pytest.approx(scaled + share / (1 - share) * scaled[:, -1:])

    of_members, of_both = (
        RDEPClassifier(ordering, DEPClassifier(margin=0.25), scale_input=False).fit(X, y)
        for ordering in (plain, drawn)
    )
    assert of_both.dep_.beta_ == pytest.approx(of_members.dep_.beta_)
    expected = (1 - share) * of_members.decision_function(X) + share * scaled[:, -1]
    assert (1 - share) * of_both.decision_function(X) == pytest.approx(expected, abs=1e-9)


def test_it_needs_a_stack(samples):
    with pytest.raises(ValueError, match="set stack='positive' or True"):
        EnsembleOrdering(shrinkage=0.5).fit(*samples)


def test_weights_of_zero_do_not_change_it(samples):
    X, y = samples
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    kept = weights > 0
    ordering = EnsembleOrdering(cv=5, stack=True, shrinkage=0.5)
    all_of_them = clone(ordering).fit(X, y, weights).transform(X)
    without = clone(ordering).fit(X[kept], y[kept], weights[kept]).transform(X)
    assert all_of_them == pytest.approx(without)


def test_a_forest_gives_out_of_bag_values_and_is_fitted_once(samples, monkeypatch):
    X, y = samples
    forest = RandomForestClassifier(30, oob_score=True, random_state=0)
    members = [("svc", SVC()), ("forest", forest), ("logistic", LogisticRegression())]
    fits = []
    fit = RandomForestClassifier.fit
    monkeypatch.setattr(
        RandomForestClassifier, "fit", lambda self, *a, **k: fits.append(1) or fit(self, *a, **k)
    )
    ordering = EnsembleOrdering(members, cv=5)
    values = ordering.fit_transform(X, y)
    assert len(fits) == 1
    oob = ordering.estimators_[1].oob_decision_function_[:, 1] - 0.5
    np.testing.assert_array_equal(values[:, 1], oob)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for k, member in ((0, SVC()), (2, LogisticRegression())):
        expected = cross_val_predict(member, X, y, cv=folds, method="decision_function")
        assert values[:, k] == pytest.approx(expected, abs=1e-9)


def test_a_small_class_is_out_of_as_many_bags_as_a_large_one(samples, recwarn):
    """A forest that drew samples by class weights would have some of them in every bag."""
    X, y = samples
    few = np.flatnonzero(y)[:6]
    X, y = np.vstack([X[y == 0], X[few]]), np.repeat([0, 1], [(y == 0).sum(), len(few)])
    members = [("forest", RandomForestClassifier(60, oob_score=True, random_state=0))]
    ordering = EnsembleOrdering(members, cv=5, class_weight="balanced")
    values = ordering.fit_transform(X, y)
    forest = ordering.estimators_[0]
    np.testing.assert_array_equal(values[:, 0], forest.oob_decision_function_[:, 1] - 0.5)
    assert not [warning for warning in recwarn if "OOB" in str(warning.message)]
    bags = forest.estimators_samples_
    out = np.mean([np.bincount(bag, minlength=len(y))[-len(few) :] == 0 for bag in bags])
    assert out == pytest.approx(np.exp(-1), abs=0.08)


@pytest.mark.skipif(SKLEARN < (1, 9), reason="earlier forests draw all samples alike")
def test_a_forest_of_weighted_samples_is_fitted_on_the_folds(samples):
    X, y = samples
    weights = np.random.default_rng(0).uniform(0.2, 5, len(y))
    forest = RandomForestClassifier(30, oob_score=True, random_state=0)
    values = EnsembleOrdering([("forest", forest)], cv=5).fit_transform(X, y, weights)[:, 0]
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        fold = clone(forest).fit(X[train], y[train], weights[train])
        np.testing.assert_array_equal(values[test], fold.predict_proba(X[test])[:, 1] - 0.5)


def test_out_of_bag_values_of_samples_in_use(samples):
    X, y = samples
    weights = np.ones(len(y))
    weights[::3] = 0
    kept = weights > 0
    members = [("forest", RandomForestClassifier(30, oob_score=True, random_state=0))]
    values = EnsembleOrdering(members, cv=5).fit_transform(X, y, weights)
    alone = EnsembleOrdering(members, cv=5).fit_transform(X[kept], y[kept], weights[kept])
    np.testing.assert_array_equal(values[kept], alone)
    assert np.isfinite(values).all()


def test_samples_that_every_tree_has_seen_are_undecided(samples):
    X, y = samples
    members = [("forest", RandomForestClassifier(2, oob_score=True, random_state=0))]
    ordering = EnsembleOrdering(members, cv=5)
    with pytest.warns(UserWarning, match="OOB"):
        values = ordering.fit_transform(X, y)[:, 0]
    bags = ordering.estimators_[0].estimators_samples_
    seen = np.all([np.bincount(bag, minlength=len(y)) > 0 for bag in bags], axis=0)
    assert seen.any()
    assert (values[seen] == 0).all()
    assert np.isin(values[~seen], (-0.5, -0.25, 0, 0.25, 0.5)).all()


@pytest.mark.parametrize("ordering", [MixedOrdering(cv=None), EnsembleOrdering(stack=True)])
def test_without_folds_training_values_are_those_of_the_transformer(samples, ordering):
    X, y = samples
    ordering = clone(ordering).set_params(shrinkage=0.5)
    if "random_state" in ordering.get_params():
        ordering.set_params(random_state=0)
    values = ordering.fit_transform(X, y)
    np.testing.assert_array_equal(values, ordering.transform(X))


def test_weights_of_one_equal_none(samples):
    X, y = samples
    ordering = MixedOrdering(random_state=0)
    plain = ordering.fit_transform(X, y)
    weighted = ordering.fit_transform(X, y, np.ones(len(y)))
    np.testing.assert_allclose(weighted, plain, rtol=1e-12)


def test_few_samples_with_weights_need_no_warning(recwarn):
    """A forest that draws by weights has some samples in every bag."""
    random = np.random.default_rng(0)
    X, y, weights = random.normal(size=(12, 3)), np.arange(12) % 2, np.repeat([1.0, 50.0], 6)
    MixedOrdering(cv=2, random_state=0).fit(X, y, weights)
    assert not [warning for warning in recwarn if "OOB" in str(warning.message)]


def test_orderings_without_the_parameter_are_as_they_were(samples):
    X, y = samples
    ordering = BaggingOrdering(n_estimators=3, stack=True, random_state=0).fit(X, y)
    assert ordering.shrinkage == 0.0
    assert ordering.transform(X).shape == (len(y), 4)


def test_the_classifier_takes_it(samples):
    X, y = samples
    model = RDEPClassifier(random_state=0).set_params(ordering__shrinkage=0.5).fit(X, y)
    assert model.ordering_.shrinkage == 0.5
    assert model.explain(X[:2])
    assert model.score(X, y) > 0.8
