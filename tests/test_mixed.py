"""The mixed ordering and the two presets of an r-DEP."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from rdep import EnsembleOrdering, MixedOrdering, RDEPClassifier
from rdep.datasets import load_ripley


@pytest.fixture(scope="module")
def ripley():
    return load_ripley()


def test_it_is_an_ensemble_of_four_kinds(ripley):
    X, _, y, _ = ripley
    mixed = MixedOrdering(random_state=3)
    ensemble = EnsembleOrdering(mixed._named(), cv=5, stack=True, class_weight="balanced")
    np.testing.assert_array_equal(mixed.fit_transform(X, y), ensemble.fit_transform(X, y))
    np.testing.assert_array_equal(mixed.transform(X), ensemble.transform(X))


def test_by_name_it_gets_the_weights_and_the_seed(ripley):
    X, _, y, _ = ripley
    model = RDEPClassifier("mixed", random_state=5).fit(X, y)
    assert model.ordering_.random_state == 5
    assert model.ordering_.class_weight is None
    assert model.ordering_.cv == 5


def test_the_paper_has_a_name(ripley):
    """The defaults are the paper's; should they change one day, this preset must not."""
    assert RDEPClassifier.paper().get_params() == {
        **RDEPClassifier("ensemble").get_params(),
        "C": 0.01,
        "margin": 1e-6,
        "weighting": "distance",
        "reference": "extreme",
        "class_weight": None,
        "scale_input": True,
        "scale_ordering": True,
        "beta_loss": "hinge",
        "joint": False,
    }
    assert RDEPClassifier.paper("bagging", margin=0).get_params()["margin"] == 0


def test_the_recommended_one_can_be_changed_like_any_other(ripley):
    X, X_test, y, y_test = ripley
    model = RDEPClassifier.recommended(random_state=0)
    assert (model.ordering, model.weighting, model.margin) == ("mixed", None, 0.25)
    assert RDEPClassifier.recommended(margin=0.5).margin == 0.5
    model.fit(X, y)
    assert list(model._member_names()) == ["svc", "forest", "boosting", "logistic", "stack"]
    assert balanced_accuracy_score(y_test, model.predict(X_test)) > 0.88
    again = RDEPClassifier.recommended(random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X_test), again.decision_function(X_test))
