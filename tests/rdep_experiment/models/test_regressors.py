"""Regressors of suites are what their names say, and rivals are treated well."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from rdep import RDEPRegressor
from rdep._registry import REGRESSION, regressors
from rdep_experiment import Protocol
from rdep_experiment.models import known_classifiers, make
from rdep_experiment.models._names import REGRESSION_RIVALS, REGRESSORS
from rdep_experiment.models._regressors import MAKERS
from rdep_experiment.models._sharing import FitCache, Parts

X, Y = load_diabetes(return_X_y=True)
X = StandardScaler().fit_transform(X)[:120]
Y = Y[:120]
PARTS = Parts(0.0, 3, None)


def test_every_name_has_a_maker_and_every_maker_a_name():
    assert sorted(MAKERS) == sorted(REGRESSORS)
    known = known_classifiers(REGRESSION)
    assert set(regressors()) <= set(known)
    assert {"ridge", "svr", "dep_signed"} <= set(known)
    assert "logistic_regression" not in known


@pytest.mark.parametrize("name", [name for name in known_classifiers(REGRESSION) if name != "rdep"])
def test_each_is_better_than_the_mean(name):
    model = Protocol(task=REGRESSION).classifier(name, 0, FitCache()).fit(X[:80], Y[:80])
    error = mean_absolute_error(Y[80:], model.predict(X[80:]))
    # A dilation fitted to the largest error is no better than a constant on noisy targets.
    bound = 1.6 if name.startswith("max_plus") else 1.0
    assert error < bound * np.abs(Y[80:] - Y[:80].mean()).mean(), name


def test_the_unit_of_the_target_does_not_matter_to_an_svr():
    plain, scaled = (make("svr", PARTS, task=REGRESSION).fit(X, c * Y + 7) for c in (1, 1e4))
    np.testing.assert_allclose(scaled.predict(X), 1e4 * (plain.predict(X) - 7) + 7, rtol=1e-6)
    by_hand = SVR().fit(X, (Y - Y.mean()) / Y.std()).predict(X) * Y.std() + Y.mean()
    np.testing.assert_allclose(plain.predict(X) - 7, by_hand, rtol=1e-6)


def test_the_stack_is_that_of_the_rdep():
    members = [("line", LinearRegression())]
    stack = make("positive_stack", PARTS, task=REGRESSION)
    assert (stack.shrinkage, stack.random_state) == (1.0, 3)
    fitted = stack.set_params(ordering=members).fit(X, Y)
    rdep = RDEPRegressor(members, random_state=3).fit(X, Y)
    np.testing.assert_allclose(
        fitted.predict(X), rdep.stack_.predict(rdep.reduced_space(X)), rtol=1e-9
    )


@pytest.mark.parametrize("name", ["linear_quantiles", "boosting_quantiles"])
def test_rivals_predict_the_quantile(name):
    parts = Parts(0.0, 0, None, quantile=0.8)
    found = make(name, parts, task=REGRESSION).fit(X, Y).predict(X)
    assert np.mean(found >= Y - 1e-6) == pytest.approx(0.8, abs=0.05)


def test_rivals_of_the_suite_are_known():
    assert set(REGRESSION_RIVALS) <= set(REGRESSORS)
    with pytest.raises(ValueError, match="unknown regressor 'ridges'; did you mean 'ridge'"):
        make("ridges", PARTS, task=REGRESSION)
