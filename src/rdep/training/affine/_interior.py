r"""Primal-dual interior point method for one convex step, with a duality gap.

With slacks :math:`\xi_i` above all violations of a sample, the step is a quadratic programme, or a
linear one for the hinge without penalty. Each row belongs to a sample and a free piece:

.. math::

    \min \; \sum_i c_i \, \xi_i^{(2)} + \tfrac12 \theta^\top \Lambda \theta
    \quad\text{s.t.}\quad u_{ip} = \xi_i - \mu_i - (D\theta)_{ip} \ge 0
    \;\; (\text{and } \xi_i \ge 0 \text{ for the plain hinge}).

Slacks are eliminated sample by sample, so that each iteration solves one system of the size of θ.
Its matrix is a sum of weighted Gram matrices of the samples. The steps are those of Mehrotra.

Multipliers :math:`\alpha \ge 0` give the lower bound

.. math::

    \sum_{i, p} \mu_i \alpha_{ip} - \sum_i \ell^*\Big(\sum_p \alpha_{ip}\Big)
    - \tfrac12 \lVert D^\top \alpha \rVert^2_{\Lambda^{-1}},

provided that :math:`D^\top \alpha = 0` at coefficients without penalty. Factors
:math:`[1 + (D y)_{ip}]_+` make the multipliers of the iterates satisfy this condition.

References
----------
S. Mehrotra, "On the implementation of a primal-dual interior point method", SIAM Journal on
Optimization 2(4), 1992.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from ..._utils._typing import Array, Indices
from ._problem import AffineProblem, ConvexStep, Side

_MAX_ITERATIONS = 100
# Share of the distance to the nearest bound that a step may take.
_DAMPING = 0.995
# Distance of the start from all bounds, relative to the margin or the mean violation.
_INSIDE = 0.3
# Number of weights of the corrector to try.
_WEIGHTS = 3
# Ridges, relative to the diagonal: systems may be singular along directions without effect.
_RIDGES = (1e-14, 1e-12, 1e-10, 1e-8)
# Numbers below this share of the sum of all multipliers are zero up to rounding.
_BALANCED = 1e-12


@dataclass(frozen=True, eq=False)
class StepMinimum:
    """Best point found of a convex step, its value, and a lower bound of the minimum."""

    theta: Array
    value: float
    lower_bound: float
    n_iter: int

    @property
    def gap(self) -> float:
        return self.value - self.lower_bound


@dataclass
class _Part:
    """Slacks, distances to the bounds and multipliers of one class."""

    side: Side
    curvature: Array  # of the loss in ξ
    xi: Array
    u: Array  # a last column for ξ ≥ 0, with the plain hinge
    multipliers: Array


@dataclass(frozen=True, eq=False)
class _Direction:
    """Changes of θ, and of the slacks, distances and multipliers of both classes."""

    theta: Array
    parts: list[tuple[Array, Array, Array]]

    def plus(self, other: _Direction, weight: float) -> _Direction:
        pairs = zip(self.parts, other.parts, strict=True)
        return _Direction(
            self.theta + weight * other.theta,
            [(a + weight * d, b + weight * e, c + weight * f) for (a, b, c), (d, e, f) in pairs],
        )


def minimise_step(step: ConvexStep, start: Array, tol: float) -> StepMinimum:
    """Minimise a convex step to a relative duality gap of ``tol``."""
    value = step.value(start)
    enough = _enough(step.problem, value, tol)
    bound = lower_bound(step, _residuals(step, start)) if step.problem.is_squared else 0.0
    if value - bound <= enough:  # the start is the minimum, and its own residuals prove it
        return StepMinimum(start, value, bound, 0)
    return _InteriorPoint(step, start).run(value, bound, tol)


def approach_minimum(step: ConvexStep, start: Array, tol: float) -> Array:
    """Find a point near the minimum, judged by the expected duality gap, without proof.

    Lower bounds would take a fifth of the time of a step minimised to a tenth of its value.
    """
    return _InteriorPoint(step, start).approach(step.value(start), tol)


class _InteriorPoint:
    def __init__(self, step: ConvexStep, start: Array) -> None:
        self.step, self.problem = step, step.problem
        self.theta = start.copy()
        self.parts = [_start(self.problem, side, start) for side in step.sides]
        self.n_rows = sum(part.u.size for part in self.parts)

    def run(self, value: float, bound: float, tol: float) -> StepMinimum:
        best, n_iter = self.theta, 0
        while n_iter < _MAX_ITERATIONS:
            enough = _enough(self.problem, value, tol)
            # The products show when to compute a bound, and when no better point is near.
            products = self._complementarity() * self.n_rows
            if products <= enough:
                bound = max(bound, self._lower_bound())
                if value - bound <= enough or products <= 1e-6 * enough:
                    break
            n_iter += 1
            if not self._advance():
                bound = max(bound, self._lower_bound())
                break
            now = self._value()
            if now < value:
                best, value = self.theta.copy(), now
        else:
            bound = max(bound, self._lower_bound())
        return StepMinimum(best, value, bound, n_iter)

    def approach(self, value: float, tol: float) -> Array:
        best = self.theta
        for _ in range(_MAX_ITERATIONS):
            products = self._complementarity() * self.n_rows
            if products <= _enough(self.problem, value, tol) or not self._advance():
                break
            now = self._value()
            if now < value:
                best, value = self.theta, now
        return best

    def _value(self) -> float:
        """Value of the step at θ; the violations follow from u."""
        problem = self.problem
        return problem.penalised(self.theta) + sum(
            problem.loss(
                (part.xi[:, None] - part.u[:, : part.side.n_free]).max(axis=1), part.side.costs
            )
            for part in self.parts
        )

    def _advance(self) -> bool:
        """Make one predictor-corrector step; False if rounding allows no further step."""
        gradient = self.problem.penalties * self.theta
        for part in self.parts:
            part.side.gather(part.multipliers[:, : part.side.n_free], gradient)
        solve = self._factorised()
        if solve is None:
            return False
        mu = self._complementarity()
        predictor = self._direction(
            -gradient, solve, [-part.u * part.multipliers for part in self.parts], True
        )
        ahead = self._step_length(predictor, 1.0)
        target = mu * min((self._complementarity(predictor, ahead) / mu) ** 3, 1.0)
        corrector = self._direction(
            np.zeros_like(gradient),
            solve,
            [target - d_u * d_multipliers for _, d_u, d_multipliers in predictor.parts],
            False,
        )
        direction, length = self._weighted(predictor, corrector, ahead)
        if not np.isfinite(direction.theta).all() or length < 1e-10:
            return False
        self.theta = self.theta + length * direction.theta
        for part, (d_xi, d_u, d_multipliers) in zip(self.parts, direction.parts, strict=True):
            part.xi = part.xi + length * d_xi
            part.u = part.u + length * d_u
            part.multipliers = part.multipliers + length * d_multipliers
        return True

    def _weighted(
        self, predictor: _Direction, corrector: _Direction, ahead: float
    ) -> tuple[_Direction, float]:
        """Direction with the weight of the corrector that allows the longest step.

        If the predictor step is short, the full corrector would lead in a wrong direction.
        """
        least = ahead * ahead
        weights = [1.0] if least > 0.5 else np.linspace(least, 1.0, _WEIGHTS)
        directions = [predictor.plus(corrector, float(weight)) for weight in weights]
        lengths = [self._step_length(direction, _DAMPING) for direction in directions]
        longest = int(np.argmax(lengths))
        return directions[longest], lengths[longest]

    def _factorised(self):
        n_pieces, n_features = self.theta.shape
        matrix: Array = np.zeros((n_pieces, n_features, n_pieces, n_features))
        for part in self.parts:
            weights = part.multipliers / part.u
            ratio = 1.0 / (part.curvature + weights.sum(axis=1))
            part.side.add_curvature(weights[:, : part.side.n_free], ratio, matrix)
        self.problem.fixed_drift(matrix)
        matrix = matrix.reshape(self.theta.size, self.theta.size)
        diagonal = np.arange(len(matrix))
        matrix[diagonal, diagonal] += self.problem.penalties.ravel()
        # Entries differ by many orders of magnitude: scale the matrix to a diagonal of one.
        size = np.sqrt(np.maximum(matrix[diagonal, diagonal], np.finfo(float).tiny))
        matrix /= size
        matrix /= size[:, None]
        for ridge in _RIDGES:
            matrix[diagonal, diagonal] = 1.0 + ridge
            try:
                factor = cho_factor(matrix, check_finite=False)
            except LinAlgError:
                continue
            return lambda right: (
                cho_solve(factor, right.ravel() / size, check_finite=False) / size
            ).reshape(self.theta.shape)
        return None

    def _direction(
        self, right: Array, solve, targets: list[Array], is_predictor: bool
    ) -> _Direction:
        """Newton direction that changes the products u α by the targets."""
        prepared = []
        for part, target in zip(self.parts, targets, strict=True):
            pull = target / part.u
            weights = part.multipliers / part.u
            total = part.curvature + weights.sum(axis=1)
            lead = pull.sum(axis=1)
            if is_predictor:
                lead = lead - _loss_slope(self.problem, part) + part.multipliers.sum(axis=1)
            lead = lead / total
            n_free = part.side.n_free
            part.side.gather((weights * lead[:, None] - pull)[:, :n_free], right)
            prepared.append((part, pull, weights, total, lead))
        change = solve(right)
        found = []
        for part, pull, weights, total, lead in prepared:
            n_free = part.side.n_free
            moved = part.side.apply(change)
            d_xi = lead + (weights[:, :n_free] * moved).sum(axis=1) / total
            d_u = np.repeat(d_xi[:, None], part.u.shape[1], axis=1)
            d_u[:, :n_free] -= moved
            found.append((d_xi, d_u, pull - weights * d_u))
        return _Direction(change, found)

    def _step_length(self, direction: _Direction, damping: float) -> float:
        length = 1.0
        for part, (_, d_u, d_multipliers) in zip(self.parts, direction.parts, strict=True):
            for value, change in ((part.u, d_u), (part.multipliers, d_multipliers)):
                most = (-change / value).max()
                if most * length > damping:
                    length = damping / most
        return float(length)

    def _complementarity(self, direction: _Direction | None = None, length: float = 0.0) -> float:
        """Mean product of distances and multipliers, here or at a distance along a direction."""
        total = 0.0
        for k, part in enumerate(self.parts):
            u, multipliers = part.u, part.multipliers
            if direction is not None:
                _, d_u, d_multipliers = direction.parts[k]
                u, multipliers = u + length * d_u, multipliers + length * d_multipliers
            total += float(np.vdot(u, multipliers))
        return total / self.n_rows

    def _lower_bound(self) -> float:
        return lower_bound(
            self.step, [part.multipliers[:, : part.side.n_free] for part in self.parts]
        )


def lower_bound(step: ConvexStep, multipliers: list[Array] | None) -> float:
    """Lower bound of the step from any multipliers α ≥ 0."""
    problem = step.problem
    columns = problem.unpenalised
    if len(columns) and multipliers is not None:
        multipliers = _balanced(step, multipliers, columns)
    if multipliers is None:
        return 0.0  # no loss is negative
    bound, factor = 0.0, 1.0
    totals = [values.sum(axis=1) for values in multipliers]
    if not problem.is_squared:  # no sample's multipliers may exceed its cost
        factor = min(
            1.0,
            *(
                float((side.costs / np.maximum(total, 1e-300)).min())
                for side, total in zip(step.sides, totals, strict=True)
            ),
        )
    pulled = np.zeros_like(problem.penalties)
    for side, values, total in zip(step.sides, multipliers, totals, strict=True):
        side.gather(values, pulled)
        bound += factor * float(side.levels[:, 0] @ total)
        if problem.is_squared:
            bound -= float((total * total / (4.0 * side.costs)).sum())
    has_penalty = problem.penalties > 0
    pulled = factor * pulled[has_penalty]
    return max(bound - 0.5 * float((pulled**2 / problem.penalties[has_penalty]).sum()), 0.0)


def _balanced(step: ConvexStep, multipliers: list[Array], columns: Indices) -> list[Array] | None:
    """Multiply by factors that make Dᵀα zero at coefficients without penalty, if any are found."""
    sides = [side.restricted(columns) for side in step.sides]
    shape = (sum(step.problem.n_pieces), len(columns))
    for _ in range(4):  # the second corrects rounding, the third clipping
        off = np.zeros(shape)
        for side, values in zip(sides, multipliers, strict=True):
            side.gather(values, off)
        if np.abs(off).max() <= _BALANCED * sum(values.sum() for values in multipliers):
            return multipliers
        matrix = np.zeros((*shape, *shape))
        for side, values in zip(sides, multipliers, strict=True):
            side.add_curvature(values, np.zeros(len(values)), matrix)
        system = matrix.reshape(off.size, off.size)
        solution = np.linalg.lstsq(system, -off.ravel(), rcond=1e-13)[0]
        factors = np.asarray(solution, dtype=np.float64).reshape(shape)
        multipliers = [
            values * np.maximum(1.0 + side.apply(factors), 0.0)
            for side, values in zip(sides, multipliers, strict=True)
        ]
    return None


def _residuals(step: ConvexStep, theta: Array) -> list[Array]:
    """Slopes of the loss: the optimal multipliers if θ is optimal and no two pieces tie."""
    found = []
    for side in step.sides:
        violations = side.violations(theta)
        multipliers = np.zeros_like(violations)
        rows, greatest = np.arange(len(violations)), violations.argmax(axis=1)
        slopes = 2.0 * side.costs * np.maximum(violations[rows, greatest], 0.0)
        multipliers[rows, greatest] = slopes
        found.append(multipliers)
    return found


def _enough(problem: AffineProblem, value: float, tol: float) -> float:
    """Target of the duality gap; positive even if the classes can be separated."""
    return tol * max(value, 1e-6 * problem.scale, np.finfo(float).tiny)


def _loss_slope(problem: AffineProblem, part: _Part) -> Array:
    costs = part.side.costs
    return 2.0 * costs * part.xi if problem.is_squared else costs


def _start(problem: AffineProblem, side: Side, theta: Array) -> _Part:
    """Start inside all bounds, with multipliers that balance the slope of the loss.

    The multipliers of a sample are inversely proportional to its distances: equal products are
    central.
    """
    violations = side.violations(theta)
    above = _INSIDE * max(problem.margin, float(np.abs(violations).mean()), 1e-12)
    xi = np.maximum(violations.max(axis=1), 0.0) + above
    u = xi[:, None] - violations
    curvature = 2.0 * side.costs if problem.is_squared else np.zeros_like(xi)
    if not problem.is_squared:
        u = np.column_stack([u, xi])
    slope = 2.0 * side.costs * xi if problem.is_squared else side.costs
    inverse = 1.0 / u
    return _Part(side, curvature, xi, u, inverse * (slope / inverse.sum(axis=1))[:, None])
