r"""Logistic regression by Newton steps: sums over rows, one pass for each step.

With :math:`d_i = \pm 1` the class of a row and :math:`s_i` its weight, the objective is
scikit-learn's:

.. math::

    C \sum_i s_i \log(1 + e^{-d_i (w \cdot x_i + b)}) + \tfrac{1}{2} \lVert w \rVert^2 .

A step minimises its quadratic model, if asked under :math:`w \ge 0`, and is halved if the objective
does not fall.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import nnls
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from .._utils._typing import Array
from ._draws import Drawn, add_drawn, drawn
from ._passes import Block, ListOfBlocks, Passes, after, reduce_each

# Minimum decrease that the quadratic model promises, as a share of the objective.
_PROMISED = 1e-15
_MOST_STEPS = 100
# With more rows, Newton's method begins at the end on a draw of half as many.
MANY = 200_000
# Wider rows have no draw, which would take too much memory.
_MOST_FEATURES = 40
# Rows of a block in memory.
_ROWS = 1 << 14

Point = NDArray[np.float64]  # coefficients, then the intercept


@dataclass(frozen=True, eq=False)
class Loss:
    """The loss of rows at a point, with its derivatives."""

    value: float
    gradient: Array
    hessian: Array

    def __add__(self, other: Loss) -> Loss:
        return Loss(
            self.value + other.value,
            self.gradient + other.gradient,
            self.hessian + other.hessian,
        )

    def objective(self, point: Point, C: float) -> Loss:
        """Loss times C, with the penalty of the coefficients."""
        penalised = np.append(np.ones(len(point) - 1), 0.0)
        pull = penalised * point
        return Loss(
            C * self.value + float(pull @ point) / 2,
            C * self.gradient + pull,
            C * self.hessian + np.diag(penalised),
        )


def logistic_loss(point: Point, block: Block) -> Loss:
    """Loss of a block at a point."""
    X = np.column_stack([block.X, np.ones(len(block.y))])
    margins = block.y * (X @ point)
    wrong = expit(-margins)
    curvature = block.weight * wrong * (1 - wrong)
    return Loss(
        float(block.weight @ np.logaddexp(0, -margins)),
        X.T @ (-block.weight * block.y * wrong),
        (X.T * curvature) @ X,
    )


def _as_it_is(block: Block) -> Block:
    return block


class _Newton:
    """Newton's method, which is given the loss at ``point`` again and again."""

    def __init__(self, start: Point, C: float, nonnegative: bool) -> None:
        self.point, self.C, self.nonnegative = start, C, nonnegative
        self.base, self.step = start, np.zeros_like(start)
        self.value = np.inf
        self.n_steps = 0
        self.done = False

    def take(self, loss: Loss) -> None:
        """Go on to the next point."""
        here = loss.objective(self.point, self.C)
        self.n_steps += 1
        if here.value > self.value * (1 + _PROMISED) and self.n_steps < _MOST_STEPS:
            self.step = self.step / 2
            self.point = self.base + self.step
            return
        self.base, self.value = self.point, here.value
        self.step = self._minimum(here) - self.point
        promised = self.step @ here.hessian @ self.step / 2
        self.point = self.base + self.step
        self.done = bool(promised <= _PROMISED * here.value) or self.n_steps >= _MOST_STEPS

    def _minimum(self, here: Loss) -> Point:
        """Minimum of the quadratic model, from which the intercept is eliminated."""
        H, target = here.hessian, here.hessian @ self.point - here.gradient
        across, bend = H[:-1, -1], H[-1, -1]
        if not bend > 0:
            return self.point  # every row is certain: the loss is flat up to rounding
        reduced = H[:-1, :-1] - np.outer(across, across) / bend
        aim = target[:-1] - across * (target[-1] / bend)
        factor = cho_factor(reduced, lower=True)
        if self.nonnegative:
            lower = np.tril(factor[0])
            coefficients = nnls(lower.T, solve_triangular(lower, aim, lower=True))[0]
        else:
            coefficients = cho_solve(factor, aim)
        return np.append(coefficients, (target[-1] - across @ coefficients) / bend)


def logistics_by_passes(
    passes: Passes,
    n_features: int,
    changes: Sequence[Callable[[Block], Block]] = (_as_it_is,),
    *,
    C: float = 1.0,
    nonnegative: bool = False,
    starts: Sequence[Point] | None = None,
) -> list[Point]:
    """Fit a logistic regression to each of several changes of the rows, all in the same passes.

    The y of the rows are −1 and +1. A change selects rows by weights of zero, or weights them.
    A regression is given by its coefficients, followed by its intercept. It starts from zero or,
    with many rows of few features, from the end on a draw of them, which one pass finds and which
    saves several.
    """
    if starts is None and passes.n_rows > MANY and n_features <= _MOST_FEATURES:
        draws = _draws(passes, changes)
        starts = [
            logistics_by_passes(draw, n_features, C=C, nonnegative=nonnegative)[0] for draw in draws
        ]
    if starts is None:
        starts = [np.zeros(n_features + 1) for _ in changes]
    all_of_them = [_Newton(start, C, nonnegative) for start in starts]
    while any(not newton.done for newton in all_of_them):
        going = [
            (newton, change)
            for newton, change in zip(all_of_them, changes, strict=True)
            if not newton.done
        ]
        pairs = (
            (after(change, partial(logistic_loss, newton.point)), Loss.__add__)
            for newton, change in going
        )
        losses = reduce_each(passes, *pairs)
        for (newton, _), loss in zip(going, losses, strict=True):
            newton.take(loss)
    return [newton.point for newton in all_of_them]


def _draws(passes: Passes, changes: Sequence[Callable[[Block], Block]]) -> list[ListOfBlocks]:
    """Draws of the changed rows, whose weights have the sums of all rows; one pass."""
    found = reduce_each(passes, *((after(change, _drawn), _add_drawn) for change in changes))
    return [ListOfBlocks([_as_of_all(*draw)]) for draw in found]


def _drawn(block: Block) -> tuple[tuple[Drawn, ...], Array]:
    weights = [block.weight @ (block.y < 0), block.weight @ (block.y > 0)]
    return drawn(MANY // 4, 0, block), np.array(weights)


def _add_drawn(a: tuple[Any, Array], b: tuple[Any, Array]) -> tuple[tuple[Drawn, ...], Array]:
    return add_drawn(MANY // 4, a[0], b[0]), a[1] + b[1]


def _as_of_all(classes: tuple[Drawn, ...], totals: Array) -> Block:
    weights = [
        part.weight * (total / part.weight.sum())
        for part, total in zip(classes, totals, strict=True)
        if len(part.weight)
    ]
    signs = np.repeat([-1.0, 1.0], [len(part.weight) for part in classes])
    return Block(np.concatenate([part.X for part in classes]), signs, np.concatenate(weights))


def as_logistic(point: Point, classes: NDArray, **parameters) -> LogisticRegression:
    """Make a fitted logistic regression of scikit-learn."""
    logistic = LogisticRegression(**parameters)
    logistic.classes_, logistic.n_features_in_ = np.asarray(classes), len(point) - 1
    logistic.coef_, logistic.intercept_ = point[None, :-1], point[-1:]
    logistic.n_iter_ = np.array([0], dtype=np.int32)
    return logistic


def polish(
    logistic: LogisticRegression, X: Array, positive: NDArray, weights: Array, nonnegative: bool
) -> None:
    """Take Newton steps from the end of scikit-learn's solver, which is accurate to four digits."""
    signs = np.where(positive, 1.0, -1.0)
    start = np.append(logistic.coef_[0], logistic.intercept_)
    (point,) = logistics_by_passes(
        ListOfBlocks.of_arrays(X, signs, weights, n_rows=_ROWS),
        X.shape[1],
        C=logistic.C,
        nonnegative=nonnegative,
        starts=[start],
    )
    logistic.coef_, logistic.intercept_ = point[None, :-1], point[-1:]
