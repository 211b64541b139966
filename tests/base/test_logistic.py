"""Logistic regressions by passes against scikit-learn and SciPy."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from rdep._base import _logistic
from rdep._base._logistic import (
    Loss,
    _as_it_is,
    as_logistic,
    logistic_loss,
    logistics_by_passes,
    polish,
)
from rdep._base._passes import Block, ListOfBlocks


def a_table(m, n, apart, seed=0):
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(m) < 0.2, 1.0, -1.0)
    X = rng.normal(size=(m, n)) + apart * y[:, None] * rng.uniform(-0.5, 1, size=n)
    return X, y, rng.random(m)


def even_rows(parity, block):
    return block.take(block.rows % 2 == parity)


def without_odd_rows(block):
    return block._replace(weight=block.weight * (block.rows % 2 == 0))


@dataclass(frozen=True, eq=False)
class Counted(ListOfBlocks):
    calls: list

    def reduce(self, partial, add):
        self.calls.append(1)
        return super().reduce(partial, add)


@pytest.mark.parametrize(("m", "n", "apart"), [(300, 3, 1.0), (2000, 20, 0.3), (100, 5, 50.0)])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_it_is_scikit_learns_regression(m, n, apart, C):
    X, y, weight = a_table(m, n, apart)
    passes = ListOfBlocks.of_arrays(X, y, weight, n_rows=77)
    peer = LogisticRegression(C=C, solver="newton-cholesky", tol=1e-12, max_iter=1000)
    (point,) = logistics_by_passes(passes, n, C=C)
    peer.fit(X, y, weight)
    assert np.allclose(point, np.append(peer.coef_, peer.intercept_), rtol=1e-8, atol=1e-8)
    assert np.allclose(
        as_logistic(point, [-1, 1]).predict_proba(X), peer.predict_proba(X), atol=1e-9
    )


def test_several_regressions_share_their_passes():
    X, y, weight = a_table(500, 4, 0.5)
    passes = Counted(ListOfBlocks.of_arrays(X, y, weight, n_rows=60).blocks, [])
    changes = [partial(even_rows, parity) for parity in (0, 1)]
    points = logistics_by_passes(passes, 4, changes)
    n_together = len(passes.calls)
    for parity, point in enumerate(points):
        alone = Counted([Block(X[parity::2], y[parity::2], weight[parity::2])], [])
        assert np.allclose(point, logistics_by_passes(alone, 4)[0], atol=1e-10)
        assert len(alone.calls) <= n_together
    assert n_together < 15


def test_with_many_rows_a_draw_saves_passes(monkeypatch):
    X, y, weight = a_table(4000, 4, 0.5)
    weight[weight < 0.2] = 0
    passes = Counted(ListOfBlocks.of_arrays(X, y, weight, n_rows=500).blocks, [])
    changes = [_as_it_is, partial(even_rows, 0)]
    from_zero = logistics_by_passes(passes, 4, changes)
    n_from_zero = len(passes.calls)
    passes.calls.clear()
    monkeypatch.setattr(_logistic, "MANY", 3000)
    # Selected rows have no positions: the weights of others are zero instead.
    changes = [_as_it_is, without_odd_rows]
    from_a_draw = logistics_by_passes(passes, 4, changes)
    assert len(passes.calls) < n_from_zero
    assert np.allclose(from_a_draw, from_zero, atol=1e-10)


@pytest.mark.parametrize("seed", range(6))
def test_no_coefficient_is_negative_if_asked(seed):
    X, y, weight = a_table(400, 5, 0.4, seed)
    X[:, 1] *= -1
    (point,) = logistics_by_passes(
        ListOfBlocks.of_arrays(X, y, weight, n_rows=90), 5, nonnegative=True
    )

    def loss(at):
        found = logistic_loss(at, Block(X, y, weight)).objective(at, 1.0)
        return found.value, found.gradient

    bounds = [(0, None)] * 5 + [(None, None)]
    peer = minimize(
        loss, np.zeros(6), jac=True, method="L-BFGS-B", bounds=bounds,
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 5000},
    )  # fmt: skip
    assert (point[:-1] >= 0).all()
    assert (point[:-1] == 0).any()
    assert loss(point)[0] <= peer.fun * (1 + 1e-12)
    assert np.allclose(point, peer.x, atol=1e-5)
    # First-order conditions, to more digits than the peer has.
    gradient = loss(point)[1]
    free = np.append(point[:-1] > 0, True)
    assert np.abs(gradient[free]).max() < 1e-9
    assert (gradient[~free] >= -1e-9).all()


def test_derivatives_are_those_of_the_loss():
    X, y, weight = a_table(60, 3, 0.5)
    at = np.array([0.3, -0.2, 0.5, 0.1])
    found = logistic_loss(at, Block(X, y, weight))
    assert isinstance(found + found, Loss)
    steps = 1e-5 * np.eye(4)
    up, down = ([logistic_loss(at + s * d, Block(X, y, weight)) for d in steps] for s in (1, -1))
    slopes = [(a.value - b.value) / 2e-5 for a, b in zip(up, down, strict=True)]
    bends = [(a.gradient - b.gradient) / 2e-5 for a, b in zip(up, down, strict=True)]
    assert np.allclose(found.gradient, slopes, rtol=1e-6, atol=1e-7)
    assert np.allclose(found.hessian, bends, rtol=1e-6, atol=1e-7)


def test_a_rough_end_is_polished():
    X, y, weight = a_table(1000, 6, 0.5)
    rough = LogisticRegression(tol=1e-2).fit(X, y, weight)
    polish(rough, X, y > 0, weight, nonnegative=False)
    peer = LogisticRegression(solver="newton-cholesky", tol=1e-12).fit(X, y, weight)
    assert np.allclose(rough.coef_, peer.coef_, atol=1e-9)
    assert np.allclose(rough.intercept_, peer.intercept_, atol=1e-9)
