"""The classifier inside pipelines, calibrations and searches."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, PolynomialFeatures, StandardScaler

from rdep import DEPClassifier
from rdep.datasets import load_ripley
from rdep.tables._unwrapping import (
    calibrations,
    first_step,
    inner_classifiers,
    inner_input,
    inner_names,
    without_searches,
)

X, X_TEST, Y, _ = load_ripley()
SEARCH = GridSearchCV(DEPClassifier(), {"C": [0.01, 1.0]}, cv=2)
RANDOM = RandomizedSearchCV(DEPClassifier(), {"C": [0.01, 1.0]}, n_iter=1, cv=2, random_state=0)


@pytest.mark.parametrize(
    "model",
    [
        SEARCH,
        RANDOM,
        make_pipeline(StandardScaler(), SEARCH),
        GridSearchCV(make_pipeline(StandardScaler(), SEARCH), {"standardscaler__with_std": [True]}),
        CalibratedClassifierCV(SEARCH, cv=2),
        CalibratedClassifierCV(FrozenEstimator(make_pipeline(SEARCH).fit(X, Y))),
    ],
)
def test_what_a_search_found_predicts_the_same(model):
    model.fit(X, Y)
    before = repr(model)
    found = without_searches(model)
    assert "Search" not in repr(found)
    assert repr(model) == before  # and is a search still
    assert np.array_equal(found.predict(X_TEST), model.predict(X_TEST))
    for classifier in inner_classifiers(found):
        assert type(classifier) is DEPClassifier


def test_a_model_without_a_search_is_itself():
    model = make_pipeline(StandardScaler(), DEPClassifier()).fit(X, Y)
    assert without_searches(model) is model


def test_a_search_without_a_fitted_classifier():
    with pytest.raises(ValueError, match="GridSearchCV with refit=False has no fitted classifier"):
        without_searches(GridSearchCV(DEPClassifier(), {"C": [1.0]}, refit=False).fit(X, Y))
    with pytest.raises(NotFittedError):
        without_searches(clone(SEARCH))


def test_what_reaches_the_classifier():
    inner = make_pipeline(PolynomialFeatures(2, include_bias=False), DEPClassifier())
    model = make_pipeline(StandardScaler(), CalibratedClassifierCV(inner, cv=2, ensemble=False))
    model.fit(X, Y)
    (classifier,) = inner_classifiers(model)
    assert type(first_step(model)) is StandardScaler
    assert calibrations(model) == [model[-1]]
    found = inner_input(model, X_TEST)
    expected = PolynomialFeatures(2, include_bias=False).fit_transform(model[0].transform(X_TEST))
    np.testing.assert_allclose(found, expected)
    assert inner_names(model, ["a", "b"]) == ["a", "b", "a^2", "a b", "b^2"]
    assert len(inner_names(model, ["a", "b"])) == classifier.n_features_in_
    unnamed = make_pipeline(FunctionTransformer(np.sign), DEPClassifier()).fit(X, Y)
    assert inner_names(unnamed, ["a", "b"]) is None
