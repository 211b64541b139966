"""The stack as a component of an ordering, against scikit-learn's own stacking."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import BaggingOrdering, EnsembleOrdering, LargeOrdering, MixedOrdering, RDEPClassifier


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
        LargeOrdering(50, random_state=0),
        MixedOrdering(cv=None, stack=False, random_state=0),
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
