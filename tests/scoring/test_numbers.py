"""Errors of predicted numbers, against scikit-learn and brute force."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import (
    mean_absolute_error,
    mean_pinball_loss,
    r2_score,
    root_mean_squared_error,
)
from sklearn.model_selection import KFold, cross_val_predict

from rdep.scoring import ScoredNumbers, constant_error, held_out, importance, scored

X, Y = load_diabetes(return_X_y=True)


def test_errors_are_those_of_scikit_learn():
    model = Ridge().fit(X[:200], Y[:200])
    found, predicted = scored(model, X[200:], Y[200:]), model.predict(X[200:])
    truth = Y[200:]
    assert found.mean_absolute_error[0] == pytest.approx(mean_absolute_error(truth, predicted))
    assert found.root_mean_squared_error == pytest.approx(root_mean_squared_error(truth, predicted))
    assert found.r2 == pytest.approx(r2_score(truth, predicted))
    for quantile in (0.1, 0.5, 0.8):
        loss = mean_pinball_loss(truth, predicted, alpha=quantile)
        assert found.quantile_loss(quantile)[0] == pytest.approx(loss)


def test_the_standard_error_is_the_spread_over_tables():
    """Over many tables, the means spread as each table says."""
    rng = np.random.default_rng(0)
    tables = [ScoredNumbers(rng.normal(size=200), np.zeros(200)) for _ in range(400)]
    means, errors = np.array([table.mean_absolute_error for table in tables]).T
    assert errors.mean() == pytest.approx(means.std(), rel=0.1)


def test_held_out_rows_are_predicted_by_copies_of_other_folds():
    folds = KFold(4, shuffle=True, random_state=0)
    found = held_out(LinearRegression(), X, Y, cv=4)
    order = np.concatenate([test for _, test in folds.split(X)])
    np.testing.assert_array_equal(found.y, Y[order])
    expected = cross_val_predict(LinearRegression(), X, Y, cv=folds)
    np.testing.assert_allclose(found.predicted, expected[order])


@pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
def test_no_constant_is_better_than_the_best_constant(quantile):
    losses = [mean_pinball_loss(Y, np.full(len(Y), c), alpha=quantile) for c in np.unique(Y)]
    assert constant_error(Y, quantile) == pytest.approx(min(losses))
    if quantile == 0.5:
        assert constant_error(Y) == pytest.approx(2 * min(losses))


def test_importance_is_a_loss_of_absolute_error():
    model = Ridge().fit(X[:200], Y[:200])
    found = importance(model, X[200:], Y[200:], random_state=3)
    assert found.scoring == "neg_mean_absolute_error"
    expected = permutation_importance(
        model, X[200:], Y[200:], scoring=found.scoring, n_repeats=5, random_state=0
    )
    # The shuffles differ; the means of columns that matter do not differ by much.
    largest = expected.importances_mean.argmax()
    assert found.order[0] == largest
    assert found.mean[largest] == pytest.approx(expected.importances_mean[largest], rel=0.3)


def test_a_regressor_has_no_positive_class():
    with pytest.raises(ValueError, match="a regressor has no positive class"):
        scored(Ridge().fit(X, Y), X, Y, positive=1)
