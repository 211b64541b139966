"""Shared fits give the very numbers of separate ones."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import RDEPClassifier
from rdep.tables import calibrated
from rdep_experiment.models._names import PAPER
from rdep_experiment.models._sharing import FitCache, SharedFit
from rdep_experiment.run._protocol import Protocol

from ...real_data import load


@pytest.fixture(scope="module")
def sonar(data_dir):
    X, y = load(data_dir, "sonar")
    X = StandardScaler().fit_transform(X)
    return X[:150], y[:150], X[150:]


def separate():
    """The paper's classifiers as anybody would write them."""
    svcs = [("rbf", SVC()), ("linear", SVC(kernel="linear")), ("poly", SVC(kernel="poly"))]
    return {
        "linear_svc": SVC(kernel="linear"),
        "rbf_svc": SVC(),
        "poly_svc": SVC(kernel="poly"),
        "svc_ensemble": VotingClassifier(svcs),
        "svc_bagging": BaggingClassifier(SVC(), n_estimators=10, random_state=0),
        "ensemble_rdep": RDEPClassifier.paper(scale_input=False),
        "bagging_rdep": RDEPClassifier.paper("bagging", scale_input=False, random_state=0),
    }


def test_predictions_are_those_of_separate_fits(sonar):
    X, y, X_test = sonar
    cache = FitCache()
    for name, alone in separate().items():
        shared = Protocol().classifier(name, 0, cache).fit(X, y)
        assert np.array_equal(shared.predict(X_test), alone.fit(X, y).predict(X_test)), name


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")  # of the DEP alone
def test_thirteen_svcs_are_fitted_not_twenty_nine(sonar, monkeypatch):
    X, y, _ = sonar
    fits = []
    fit = SVC.fit
    monkeypatch.setattr(SVC, "fit", lambda self, *a, **k: fits.append(1) or fit(self, *a, **k))
    cache = FitCache()
    for name in PAPER:
        Protocol().classifier(name, 0, cache).fit(X, y)
    assert len(fits) == 13
    fits.clear()
    for alone in separate().values():
        alone.fit(X, y)
    assert len(fits) == 29
    assert cache.saved_seconds > 0


def test_other_data_or_parameters_are_other_fits(sonar):
    X, y, X_test = sonar
    cache = FitCache()
    protocol = Protocol()
    first = protocol.classifier("rbf_svc", 0, cache).fit(X, y).decision_function(X_test)
    second = protocol.classifier("rbf_svc", 0, cache).fit(X, 1 - y).decision_function(X_test)
    third = protocol.classifier("rbf_svc", 0, cache).fit(X + 0.1 * X**2, y)
    assert not np.allclose(first, second)
    assert not np.allclose(first, third.decision_function(X_test))


def test_more_than_two_classes():
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    cache = FitCache()
    for estimator in (SVC(), SVC(kernel="linear"), LogisticRegression()):
        shared = SharedFit(estimator, cache).fit(X, y)
        alone = clone(estimator).fit(X, y)
        assert shared.predict(X).tolist() == alone.predict(X).tolist()
        np.testing.assert_array_equal(shared.decision_function(X), alone.decision_function(X))


@pytest.mark.parametrize("name", PAPER)
def test_the_papers_classifiers_take_more_than_two_classes(name):
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    model = Protocol().classifier(name, 0, FitCache()).fit(X[::3], y[::3])
    floor = 0.6 if name in ("dep", "poly_svc") else 0.9
    assert (model.predict(X) == y).mean() > floor


def test_a_forest_of_three_classes_is_calibrated_by_its_probabilities():
    X, y = load_iris(return_X_y=True)
    forest = RandomForestClassifier(20, random_state=0)
    shared = calibrated(SharedFit(forest, FitCache()), "sigmoid", y).fit(X, y)
    alone = calibrated(forest, "sigmoid", y).fit(X, y)
    np.testing.assert_array_equal(shared.predict_proba(X), alone.predict_proba(X))
