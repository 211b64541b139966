"""Common alternatives are what their names say, and their thresholds are where they should be."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep_experiment import models
from rdep_experiment._suite import find_suite
from rdep_experiment.models import _rivals, installed
from rdep_experiment.models._names import DEFAULTS, INSTALLABLE, MORPHO, PAPER, RIVALS, SLOWEST
from rdep_experiment.models._rivals import PriorThreshold
from rdep_experiment.models._sharing import FitCache
from rdep_experiment.run._protocol import Protocol

EXTENDED = installed(find_suite("extended").classifiers)

FOREST = RandomForestClassifier(200, min_samples_leaf=2, random_state=0)
EXTRA_TREES = ExtraTreesClassifier(200, min_samples_leaf=2, random_state=0)
BOOSTING = HistGradientBoostingClassifier(random_state=0)
LOGISTIC = LogisticRegression(max_iter=2000)


def weighted(model, class_weight="balanced", **size):
    return clone(model).set_params(class_weight=class_weight, **size)


@pytest.fixture(scope="module")
def samples():
    """One in five of the training samples is positive."""
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    rows = np.r_[np.flatnonzero(y == 0)[:120], np.flatnonzero(y == 1)[:30]]
    return X[rows], y[rows], X[300:]


@pytest.fixture(scope="module")
def cache():
    """Members of all classifiers on the samples, each fitted once."""
    return FitCache()


def test_each_suite_has_its_classifiers():
    assert find_suite("paper").classifiers == find_suite("quick").classifiers == PAPER
    everything = {*DEFAULTS, *PAPER, *RIVALS, *INSTALLABLE}
    for name in ("fresh", "keel", "new"):
        assert set(find_suite(name).classifiers) == everything
    extended = set(find_suite("extended").classifiers)
    assert extended == (everything | set(MORPHO)) - {SLOWEST}
    assert set(find_suite("costs").classifiers) < everything


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")  # of plain DEPs
def test_all_fit_and_share_members(samples, cache):
    X, y, X_test = samples
    protocol = Protocol()
    for name in EXTENDED:
        model = protocol.classifier(name, 0, cache).fit(X, y)
        assert set(model.predict(X_test)) == {0, 1}, name
    assert cache.saved_seconds > 0


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("linear_svc_balanced", SVC(kernel="linear", class_weight="balanced")),
        ("rbf_svc_balanced", SVC(class_weight="balanced")),
        ("logistic_regression", weighted(LOGISTIC)),
        ("random_forest", weighted(FOREST)),
        ("random_forest_plain_bags", weighted(FOREST, "balanced_subsample")),
        ("extra_trees", weighted(EXTRA_TREES)),
        ("gradient_boosting", weighted(BOOSTING)),
        (
            "gradient_boosting_small",
            weighted(BOOSTING, max_iter=50, max_leaf_nodes=8, learning_rate=0.1),
        ),
    ],
)
def test_sharing_changes_nothing(samples, cache, name, plain):
    X, y, X_test = samples
    alone = clone(plain).fit(X, y)
    # Without a cache, as where costs are measured, it is the classifier itself.
    for given in (cache, None):
        made = Protocol().classifier(name, 0, given)
        assert (type(made) is type(plain)) == (given is None)
        fitted = made.fit(X, y)
        np.testing.assert_array_equal(fitted.predict(X_test), alone.predict(X_test))
        if hasattr(plain, "predict_proba"):
            np.testing.assert_allclose(fitted.predict_proba(X_test), alone.predict_proba(X_test))


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("random_forest_prior", FOREST),
        ("extra_trees_prior", EXTRA_TREES),
        ("logistic_prior", LOGISTIC),
    ],
)
def test_the_threshold_is_the_training_share_of_the_positive_class(samples, name, plain):
    X, y, X_test = samples
    labels = np.where(y == 1, "yes", "no")
    fitted = Protocol().classifier(name, 0, FitCache()).fit(X, labels)
    probabilities = clone(plain).fit(X, y).predict_proba(X_test)[:, 1]
    by_hand = ["yes" if probability >= 30 / 150 else "no" for probability in probabilities]
    assert fitted.predict(X_test).tolist() == by_hand
    # Between the share and one half it differs from the classifier itself.
    assert ((probabilities >= 0.2) & (probabilities < 0.5)).any()
    np.testing.assert_allclose(fitted.predict_proba(X_test)[:, 1], probabilities)


def test_a_probability_equal_to_the_share_is_positive():
    class Constant(LogisticRegression):
        def predict_proba(self, X):
            return np.column_stack([1 - X[:, 0], X[:, 0]])

    X = np.array([[0.2], [0.25], [0.3], [0.9]])
    fitted = PriorThreshold(Constant()).fit(X, np.array([0, 0, 0, 1]))
    assert fitted.share_ == 0.25
    assert fitted.predict(X).tolist() == [0, 1, 1, 1]


def test_a_threshold_leaves_the_order_of_samples_as_it_is(samples):
    X, y, _ = samples
    fitted = PriorThreshold(clone(FOREST)).fit(X, y)
    plain = clone(FOREST).fit(X, y)
    scores = [model.predict_proba(X)[:, 1] for model in (fitted, plain)]
    assert roc_auc_score(y, scores[0]) == roc_auc_score(y, scores[1])


@pytest.mark.skipif(not models.is_installed("lightgbm"), reason="needs rdep[rivals]")
def test_sizes_and_thresholds_of_lightgbm(samples):
    X, y, X_test = samples
    from lightgbm import LGBMClassifier

    fixed = {"n_jobs": 1, "random_state": 0, "verbose": -1, "deterministic": True}
    small = Protocol().classifier("lightgbm_small", 0, FitCache()).fit(X, y)
    trees = small.estimator_.booster_.trees_to_dataframe()
    assert trees["tree_index"].nunique() <= 50
    assert trees.groupby("tree_index")["left_child"].apply(lambda c: c.isna().sum()).max() <= 8
    by_weight = LGBMClassifier(n_estimators=50, num_leaves=8, class_weight="balanced", **fixed).fit(
        X, y
    )
    np.testing.assert_allclose(
        small.predict_proba(X_test), by_weight.predict_proba(X_test), atol=1e-9
    )
    prior = Protocol().classifier("lightgbm_prior", 0, FitCache()).fit(X, y)
    plain = LGBMClassifier(**fixed).fit(X, y).predict_proba(X_test)[:, 1]
    assert prior.predict(X_test).tolist() == (plain >= 0.2).astype(int).tolist()


def test_settings_of_small_boosters_are_for_those_that_there_are():
    assert set(_rivals.SMALL) == set(_rivals._PACKAGES)
    assert {settings["learning_rate"] for settings in _rivals.SMALL.values()} == {0.1}


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
