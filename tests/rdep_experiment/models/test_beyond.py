"""The classifiers of the extended suite are what their names say."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import EnsembleOrdering, RDEPClassifier
from rdep_experiment._suite import find_suite
from rdep_experiment.models import installed
from rdep_experiment.models._measured import recommended_rdep
from rdep_experiment.models._names import BETTER, OWN_STACK, PAPER, RIVALS, STEPS, VARIANTS
from rdep_experiment.models._sharing import FitCache
from rdep_experiment.run._protocol import Protocol

EXTENDED = installed(find_suite("extended").classifiers)

FOREST = RandomForestClassifier(200, min_samples_leaf=2, random_state=0)
BOOSTING = HistGradientBoostingClassifier(random_state=0)
LOGISTIC = LogisticRegression(max_iter=2000)
MIXED = [("svc", SVC()), ("forest", FOREST), ("boosting", BOOSTING), ("logistic", LOGISTIC)]


@pytest.fixture(scope="module")
def samples():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    return X[:100], y[:100], X[200:]


@pytest.fixture(scope="module")
def cache():
    """Members of all classifiers on the samples, each fitted once."""
    return FitCache()


def test_each_suite_has_its_classifiers():
    assert find_suite("paper").classifiers == find_suite("quick").classifiers == PAPER
    assert set(EXTENDED) >= {*PAPER, *BETTER, *STEPS, *VARIANTS}
    fresh = set(find_suite("fresh").classifiers)
    assert fresh >= {*PAPER, *RIVALS, *BETTER, *OWN_STACK} - {"svc_stack", "svc_rdep"}
    assert fresh.isdisjoint({*STEPS, *VARIANTS})
    assert fresh - set(find_suite("keel").classifiers) == {"mixed_rdep", "mixed_stack"}


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")  # of plain DEPs
def test_all_fit_and_share_members(samples, cache):
    X, y, X_test = samples
    protocol = Protocol()
    for name in (*EXTENDED, *OWN_STACK):
        model = protocol.classifier(name, 0, cache).fit(X, y)
        assert set(model.predict(X_test)) == {0, 1}, name
    assert cache.saved_seconds > 0


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("linear_svc_balanced", SVC(kernel="linear", class_weight="balanced")),
        ("rbf_svc_balanced", SVC(class_weight="balanced")),
        ("logistic_regression", clone(LOGISTIC).set_params(class_weight="balanced")),
        ("random_forest", clone(FOREST).set_params(class_weight="balanced")),
        ("gradient_boosting", clone(BOOSTING).set_params(class_weight="balanced")),
        (
            "with_joint",
            recommended_rdep(EnsembleOrdering(MIXED, cv=5, stack=True), dep__joint=True),
        ),
        (
            "mixed_members",
            recommended_rdep(EnsembleOrdering(MIXED, cv=5)),
        ),
        (
            "balanced_beta",
            RDEPClassifier.paper(
                EnsembleOrdering(cv=5), class_weight="balanced", scale_input=False
            ),
        ),
        (
            "balanced_members",
            RDEPClassifier.paper(EnsembleOrdering(class_weight="balanced"), scale_input=False),
        ),
    ],
)
def test_sharing_changes_nothing(samples, cache, name, plain):
    X, y, X_test = samples
    shared = Protocol().classifier(name, 0, cache).fit(X, y)
    alone = clone(plain).fit(X, y)
    np.testing.assert_array_equal(shared.predict(X_test), alone.predict(X_test))
    if hasattr(plain, "predict_proba"):
        np.testing.assert_allclose(shared.predict_proba(X_test), alone.predict_proba(X_test))


def test_probabilities_only_where_the_classifier_has_them(cache):
    assert hasattr(Protocol().classifier("random_forest", 0, cache), "predict_proba")
    assert not hasattr(Protocol().classifier("rbf_svc", 0, cache), "predict_proba")


def test_the_extended_suite_has_its_own_protocol():
    extended = find_suite("extended").protocol
    assert extended.impute == "fold"
    assert extended.metrics == ("balanced_accuracy", "roc_auc", "neg_log_loss")
    paper = find_suite("paper").protocol.changed(impute=None, metrics=None, n_folds=5)
    assert (paper.impute, paper.metrics, paper.n_folds) == ("dataset", ("balanced_accuracy",), 5)
    asked = extended.changed(impute="dataset", metrics=("f1",))
    assert (asked.impute, asked.metrics) == ("dataset", ("f1",))
