"""Models of this package in suites are what a user types."""

import numpy as np
import pytest
from scipy.special import logit
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

from rdep import BoxScoreClassifier, DEPClassifier, LinearDEPClassifier, RDEPClassifier
from rdep_experiment._suite import find_suite
from rdep_experiment.models._names import DEFAULTS
from rdep_experiment.models._sharing import FitCache

AS_TYPED = {
    "rdep": RDEPClassifier(random_state=0),
    "rdep_ensemble": RDEPClassifier("ensemble", random_state=0),
    "rdep_bagging": RDEPClassifier("bagging", random_state=0),
    "rdep_signed": RDEPClassifier("signed", random_state=0),
    "rdep_boxes": RDEPClassifier("boxes", random_state=0),
    "dep_default": DEPClassifier(random_state=0),
    "linear_dep": LinearDEPClassifier(random_state=0),
    "box_score": BoxScoreClassifier(),
}
PROTOCOL = find_suite("extended").protocol


@pytest.fixture(scope="module")
def samples():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    return X[:150, :8], y[:150], X[300:, :8]


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")  # of the plain DEP
@pytest.mark.parametrize("name", AS_TYPED)
def test_each_is_what_a_user_types(samples, name):
    X, y, X_test = samples
    shared = PROTOCOL.classifier(name, 0, FitCache()).fit(X, y)
    typed = AS_TYPED[name].fit(X, y)
    np.testing.assert_array_equal(shared.decision_function(X_test), typed.decision_function(X_test))
    np.testing.assert_array_equal(shared.predict(X_test), typed.predict(X_test))


def test_all_names_are_compared():
    assert set(AS_TYPED) | {"positive_stack"} == set(DEFAULTS)


def test_the_stack_alone_decides_by_the_stack_of_the_r_dep(samples):
    X, y, X_test = samples
    cache = FitCache()
    rdep = PROTOCOL.classifier("rdep", 0, cache).fit(X, y)
    stack = PROTOCOL.classifier("positive_stack", 0, cache).fit(X, y)
    assert cache.saved_seconds > 0
    assert stack.rdep_ is rdep.estimator_
    # By hand: the logistic regression on the values of the members.
    ordering = rdep.estimator_.ordering_
    values = ordering._decision_values(rdep.estimator_.input_scaler_.transform(X_test))
    positive = ordering.stack_.predict_proba(values)[:, 1]
    assert stack.predict(X_test).tolist() == (positive >= 0.5).astype(int).tolist()
    decision = stack.decision_function(X_test)
    factor = decision / logit(positive)
    assert factor.min() > 0
    np.testing.assert_allclose(factor, factor[0], rtol=1e-6)
    # Both decide alike for most samples, and are not the same.
    assert not np.array_equal(decision, rdep.decision_function(X_test))
    alone = PROTOCOL.classifier("positive_stack", 0, None).fit(X, y)
    np.testing.assert_array_equal(alone.decision_function(X_test), decision)
