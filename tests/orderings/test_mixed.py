"""The mixed ordering and the two presets of an r-DEP."""

from itertools import islice

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.metrics import balanced_accuracy_score

from rdep import DEPClassifier, EnsembleOrdering, MixedOrdering, RDEPClassifier
from rdep._base._logistic import logistics_by_passes
from rdep._base._members import inner_folds
from rdep._base._passes import ListOfBlocks
from rdep.datasets import load_ripley
from rdep.kernels import LandmarkClassifier
from rdep.orderings import _mixed


@pytest.fixture(scope="module")
def ripley():
    return load_ripley()


def ensemble(mixed, **parameters):
    """The same members, of which those without trees have balanced classes."""
    members = [
        (
            name,
            member
            if name in ("forest", "boosting")
            else member.set_params(class_weight="balanced"),
        )
        for name, member in mixed._named()
    ]
    return EnsembleOrdering(members, cv=3, **parameters)


def test_it_is_an_ensemble_of_four_kinds_drawn_half_way_to_their_stack(ripley):
    X, _, y, _ = ripley
    mixed = MixedOrdering(random_state=3)
    same = ensemble(mixed, stack="positive", shrinkage=0.5)
    np.testing.assert_array_equal(mixed.fit_transform(X, y), same.fit_transform(X, y))
    np.testing.assert_array_equal(mixed.transform(X), same.transform(X))


def test_without_a_stack_there_is_nothing_to_be_drawn_to(ripley, monkeypatch):
    """Fitted once, the forest has out-of-bag values: stack and DEP are trained on them."""
    X, _, y, _ = ripley
    fits = []
    fit = ExtraTreesClassifier.fit
    monkeypatch.setattr(
        ExtraTreesClassifier, "fit", lambda *given, **more: fits.append(1) or fit(*given, **more)
    )
    mixed = MixedOrdering(stack=False, random_state=3)
    values = mixed.fit_transform(X, y)
    assert len(fits) == 1
    same = ensemble(mixed)
    np.testing.assert_array_equal(values, same.fit_transform(X, y))
    np.testing.assert_array_equal(mixed.transform(X), same.transform(X))
    forest = dict(zip(mixed.get_feature_names_out(), mixed.estimators_, strict=True))["forest"]
    np.testing.assert_array_equal(values[:, 1], forest.oob_decision_function_[:, 1] - 0.5)


def test_many_samples_get_members_that_scale(ripley, monkeypatch):
    """Folds too, though they have fewer samples than the maximum."""
    monkeypatch.setattr("rdep.orderings._mixed._MAX_DRAWN", 150)
    X, _, y, _ = ripley
    mixed = MixedOrdering(stack=False, max_svc_samples=len(y) - 1, random_state=3)
    cross_fitted = mixed.fit_transform(X, y)
    assert mixed.get_feature_names_out().tolist() == ["landmarks", "forest", "boosting", "logistic"]
    landmarks, forest, *_ = mixed.estimators_
    assert isinstance(landmarks, LandmarkClassifier)
    assert forest.max_samples == 150
    # One fit has the values of samples left out, and of samples out of bags.
    np.testing.assert_array_equal(cross_fitted[:, 0], landmarks.left_out_values_)
    fitted_again = [2, 3]
    for train, test in islice(inner_folds(3, y).split(X, y), 2):
        fold = MixedOrdering(cv=None, stack=False, max_svc_samples=0, random_state=3)
        values = fold.fit(X[train], y[train]).transform(X[test])
        np.testing.assert_array_equal(
            cross_fitted[np.ix_(test, fitted_again)], values[:, fitted_again]
        )


def test_up_to_the_maximum_nothing_changes(ripley):
    X, _, y, _ = (part[::5] for part in ripley)
    expected = MixedOrdering(max_svc_samples=None, random_state=3).fit_transform(X, y)
    found = MixedOrdering(max_svc_samples=len(y), random_state=3).fit_transform(X, y)
    np.testing.assert_array_equal(found, expected)


def test_the_boosting_grows_with_the_samples_or_is_given(ripley):
    X, _, y, _ = (part[::5] for part in ripley)
    few, many = (
        MixedOrdering(max_svc_samples=most, random_state=0).fit(X, y).estimators_[2].n_iter_
        for most in (None, 0)
    )
    assert (few, many) == (20, 100)
    own = HistGradientBoostingClassifier(max_iter=3)
    fitted = MixedOrdering(boosting=own, random_state=0).fit(X, y).estimators_[2]
    assert fitted.n_iter_ == 3
    assert not hasattr(own, "n_iter_")


def test_by_name_it_gets_the_weights_and_the_seed(ripley):
    X, _, y, _ = ripley
    model = RDEPClassifier("mixed", random_state=5).fit(X[::5], y[::5])
    assert model.ordering_.random_state == 5
    assert model.ordering_.class_weight == "balanced"
    assert model.ordering_.cv == 3


def test_the_paper_has_a_name(ripley):
    """The defaults have changed; this preset must not."""
    paper = RDEPClassifier.paper()
    assert paper.dep.get_params() == {
        "C": 0.01,
        "weighting": "distance",
        "reference": "extreme",
        "margin": 1e-6,
        "ignore_constant": False,
        "monotonic_cst": None,
        "class_weight": None,
        "beta": None,
        "beta_loss": "hinge",
        "beta_holdout": None,
        "joint": False,
        "escape": False,
        "n_init": 1,
        "solver": "descent",
        "max_iter": 500,
        "tol": 0.0,
        "random_state": None,
    }
    assert DEPClassifier.paper().get_params() == paper.dep.get_params()
    own = paper.get_params(deep=False)
    del own["dep"]
    assert own == {
        "ordering": "ensemble",
        "scale_input": True,
        "scale_ordering": True,
        "class_weight": None,
        "monotonic_cst": None,
        "random_state": None,
        "n_jobs": None,
        "verbose": 0,
    }
    assert RDEPClassifier.paper("bagging", dep__margin=0).dep.margin == 0


def test_an_rdep_has_it_by_default(ripley):
    X, X_test, y, y_test = ripley
    model = RDEPClassifier(random_state=0).fit(X, y)
    assert list(model._member_names()) == [*("svc", "forest", "boosting", "logistic", "stack")]
    assert balanced_accuracy_score(y_test, model.predict(X_test)) > 0.88
    again = RDEPClassifier(random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X_test), again.decision_function(X_test))


def test_with_many_samples_the_logistic_regression_is_that_of_passes(monkeypatch):
    monkeypatch.setattr(_mixed, "PRECISE_FROM", 100)
    X, y = make_moons(300, noise=0.3, random_state=0)
    y = (y > 0) & (np.arange(300) % 3 == 0)
    ordering = MixedOrdering(cv=None, stack=False, random_state=0)
    for weight in (None, np.random.default_rng(0).uniform(0.5, 2, 300)):
        logistic = ordering.fit(X, y, weight).estimators_[3]
        weights = np.ones(300) if weight is None else weight
        totals = np.bincount(y, weights)
        passes = ListOfBlocks.of_arrays(
            X, np.where(y, 1.0, -1.0), weights * (weights.sum() / (2 * totals))[y.astype(int)]
        )
        (point,) = logistics_by_passes(passes, 2)
        assert np.allclose(logistic.coef_[0], point[:-1], atol=1e-9)
        assert logistic.intercept_[0] == pytest.approx(point[-1], abs=1e-9)
