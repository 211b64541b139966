r"""Training of a DEP regressor: convex-concave steps by set descent, β and slope by search.

With :math:`u = (W, Q)`, :math:`g_i = \max_j (W_j + s \beta x_{ij})` and
:math:`h_i = \max_j (Q_j - s (1 - \beta) x_{ij})`, the prediction is :math:`g_i - h_i`, and the
pinball loss of the quantile τ is

.. math::

    \max\{g_i,\; h_i + y_i\} - \tau g_i - (1 - \tau) (h_i + y_i) .

The first term is the maximum of all variables, shifted. A convex-concave step fixes the feature
that attains each maximum in the other two terms, which makes them linear. The result is a sum of
maxima of shifted variables and a linear function: L♮-convex, so that the set descent of a
classifier's step minimises it exactly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._utils._typing import Array, Indices
from ._results import CONVERGED, ITERATION_LIMIT
from ._samples import largest_size, power_of_two
from ._targets import TargetSet
from .majoriser._descent import minimise
from .majoriser._directions import ConvexStep

# The search of β and the slope uses so many samples at most.
_MANY = 500
# Convex-concave steps use so many samples at most; searches of coordinates go on with all samples.
_MOST = 4000
# Smallest relative decrease of a search of all coordinates with which it is repeated.
_DECREASE = 1e-3
# Slopes in standard deviations of the target per spread of the features: octaves to begin with.
_OCTAVES = tuple(range(-3, 4))
_EXTREME_OCTAVES = (-8.0, 6.0)
# Steps of the search: of β, and of the logarithm of the slope; the last are its resolution.
_STEPS = ((0.25, 1.0), (0.125, 0.5), (0.0625, 0.25), (0.03125, 0.125))
# A coordinate search that lowers the objective by less than this share is rounding.
_WORTHWHILE = 1e-9


@dataclass(frozen=True, eq=False)
class DEPRegressionResult:
    """Weights w and m, β and slope of a trained DEP regressor, with the course of training."""

    dilation_weights: Array
    erosion_weights: Array
    beta: float
    slope: float
    objective: float
    history: Array
    status: str
    certificate: float  # slope along the steepest set direction at the end; zero up to rounding


def train_dep_regression(
    samples: TargetSet,
    *,
    quantile: float = 0.5,
    beta: float | None = None,
    slope: float | None = None,
    max_iter: int = 100,
) -> DEPRegressionResult:
    """Train w, m, β and the slope of a DEP regressor.

    Parameters
    ----------
    samples : TargetSet
        The samples.
    quantile : float, default=0.5
        Quantile τ of the pinball loss; 0.5 is half the absolute error.
    beta : float or None, default=None
        Weight β of the dilation; None searches it.
    slope : float or None, default=None
        Slope s in units of the data; None searches it.
    max_iter : int, default=100
        Maximum number of convex-concave steps on all samples.

    Returns
    -------
    DEPRegressionResult
        The weights in units of the data, with the objective and its history.
    """
    spread = samples.spread or 1.0
    centre = samples.weights @ samples.rows
    columns = np.ascontiguousarray(((samples.rows - centre) / spread).T)
    unit_of_slope = samples.unit / spread
    given = None if slope is None else slope / unit_of_slope
    problems = [
        PinballProblem(columns[:, some], samples.targets[some], _weights(samples, some), quantile)
        for some in (_spaced(len(samples.targets), most) for most in (_MANY, _MOST, None))
    ]
    at, beta, slope = _searched(problems[0], beta, given)
    values = problems[1].scaled(beta, slope)
    # Searches of coordinates are cheaper than steps, which begin from their end.
    at = problems[1].polished(values, at).point
    trace = problems[1].descended(values, at, max_iter)
    if len(samples.targets) > _MOST:
        values = problems[2].scaled(beta, slope)
        trace = problems[2].polished(values, trace.point, trace.status, trace.certificate)
    operators = _in_units(samples, trace.point, beta, slope)
    return DEPRegressionResult(
        *operators,
        beta,
        unit_of_slope * slope,
        trace.history[-1] * samples.unit,
        np.array(trace.history) * samples.unit,
        trace.status,
        trace.certificate,
    )


def _in_units(samples: TargetSet, point: Array, beta: float, slope: float) -> tuple[Array, Array]:
    """Weights w and m in units of the data; both also hold the mean of the targets.

    An operator without a share has the weights 0; its constant belongs to the other one.
    """
    of_dilation, of_erosion = np.split(point, 2)
    of_erosion = -of_erosion
    if beta == 0:
        of_erosion, of_dilation = of_erosion + of_dilation.max(), np.zeros_like(of_dilation)
    if beta == 1:
        of_dilation, of_erosion = of_dilation + of_erosion.min(), np.zeros_like(of_erosion)
    spread = samples.spread or 1.0
    offset = samples.centre / samples.unit / slope * spread - samples.weights @ samples.rows
    w, m = (
        weights * spread / (slope * share) + offset if share > 0 else weights
        for weights, share in ((of_dilation, beta), (of_erosion, 1 - beta))
    )
    return w, m


def _spaced(n_samples: int, most: int | None) -> Indices:
    """Evenly spaced samples, or all if there are no more than ``most``."""
    size = n_samples if most is None else min(n_samples, most)
    return np.arange(size) * n_samples // size


def _weights(samples: TargetSet, some: Indices) -> Array:
    weights = samples.weights[some]
    return weights / weights.sum()


@dataclass(frozen=True, eq=False)
class Trace:
    """End of the steps for one β and slope."""

    point: Array
    history: tuple[float, ...]
    status: str
    certificate: float


@dataclass(frozen=True, eq=False)
class PinballProblem:
    """Samples, features first, with their targets and weights."""

    columns: Array  # (n, m)
    targets: Array
    weights: Array
    quantile: float

    def scaled(self, beta: float, slope: float) -> Array:
        """Values to which W and Q are added, of shape (2n, m); the second half holds targets."""
        lower = self.targets - slope * (1 - beta) * self.columns
        return np.vstack([slope * beta * self.columns, lower])

    def objective(self, values: Array, point: Array) -> float:
        """Mean loss at a point."""
        reached = values + point[:, None]
        n = len(self.columns)
        residuals = reached[n:].max(axis=0) - reached[:n].max(axis=0)
        return float(self.weights @ _pinball(residuals, self.quantile))

    def step(self, values: Array, point: Array) -> ConvexStep:
        """Convex step at a point."""
        n = len(self.columns)
        reached = values + point[:, None]
        owners = reached[:n].argmax(axis=0), reached[n:].argmax(axis=0) + n
        costs = self.quantile * self.weights, (1 - self.quantile) * self.weights
        linear = -np.bincount(np.concatenate(owners), np.concatenate(costs), 2 * n).astype(float)
        largest = largest_size(values)
        return ConvexStep(
            values=values,
            penalties=self.weights,
            floor=-np.inf,
            owners=np.empty(0, dtype=np.intp),
            hinges=np.empty(0),
            hinge_penalties=np.empty(0),
            linear=linear,
            C=0.0,
            tops=values.max(axis=1),
            largest=largest,
            tie=float(64 * np.finfo(float).eps * largest),
            flat=1e-13 * float(self.weights.sum()),
        )

    def descended(self, values: Array, start: Array, max_iter: int) -> Trace:
        """Descend by convex-concave steps, and by searches of coordinates from their end."""
        unit = power_of_two(largest_size(values))
        values = values / unit
        point = (start - start.mean()) / unit  # adding a number to W and Q changes nothing
        history = [self.objective(values, point)]
        status, certificate = ITERATION_LIMIT, 0.0
        while len(history) <= max_iter:
            step = self.step(values, point)
            minimum = minimise(step, point)
            certificate = minimum.slope
            reached = self.objective(values, minimum.point)
            if history[-1] - reached > step.tie:
                point = minimum.point
            else:
                found = self.coordinates_searched(values, point)
                reached = self.objective(values, found)
                if history[-1] - reached <= max(_WORTHWHILE * history[-1], step.tie):
                    status = CONVERGED
                    break
                point = found
            history.append(reached)
        return Trace(unit * point, tuple(unit * x for x in history), status, certificate)

    def polished(
        self, values: Array, point: Array, status: str = CONVERGED, certificate: float = 0.0
    ) -> Trace:
        """Descend by searches of coordinates alone, while they are worthwhile."""
        history = [self.objective(values, point)]
        while True:
            found = self.coordinates_searched(values, point)
            reached = self.objective(values, found)
            descent = history[-1] - reached
            if descent > 0:
                point = found
                history.append(reached)
            if descent <= _DECREASE * reached:
                return Trace(point, tuple(history), status, certificate)

    def coordinates_searched(self, values: Array, point: Array) -> Array:
        """Move each coordinate to the minimum of the objective along it, one after the other."""
        n, point = len(self.columns), point.copy()
        for first, quantile in ((0, self.quantile), (n, 1 - self.quantile)):
            goals = (
                values[n - first : 2 * n - first] + point[n - first : 2 * n - first, None]
            ).max(axis=0)
            after = _maxima_after(values[first : first + n] + point[first : first + n, None])
            before = np.full(values.shape[1], -np.inf)
            for j, later in enumerate(after, first):
                others = np.maximum(before, later)
                point[j] = _best_shift(values[j], others, goals, self.weights, quantile, point[j])
                np.maximum(before, values[j] + point[j], out=before)
        return point


def _maxima_after(reached: Array) -> Array:
    """For each row, the maximum of all rows after it; −∞ for the last."""
    after = np.full(reached.shape, -np.inf)
    np.maximum.accumulate(reached[:0:-1], axis=0, out=after[-2::-1])
    return after


def _pinball(residuals: Array, quantile: float) -> Array:
    return np.maximum(quantile * residuals, (quantile - 1) * residuals)


def _best_shift(
    values: Array, others: Array, goals: Array, weights: Array, quantile: float, now: float
) -> float:
    """The t that minimises the pinball losses of goals − max(others, values + t).

    The slope of a sample changes where t brings its value to the others, and to its goal.
    """
    joins, meets = others - values, goals - values
    below = meets > joins  # when it joins, the sample is below its goal
    kinks = np.concatenate([joins, meets[below]])
    changes = np.concatenate([np.where(below, -quantile, 1 - quantile) * weights, weights[below]])
    finite = np.isfinite(kinks)
    start = changes[~finite].sum()  # of samples without other features
    kinks, changes = kinks[finite], changes[finite]
    if not len(kinks):
        return now
    order = np.argsort(kinks)  # equal kinks have one height, in any order
    kinks, slopes = kinks[order], start + np.cumsum(changes[order])
    heights = np.concatenate([[0.0], np.cumsum(slopes[:-1] * np.diff(kinks))])

    def loss(t: float) -> float:
        return float(weights @ _pinball(goals - np.maximum(others, values + t), quantile))

    best = float(kinks[int(np.argmin(heights))])
    return best if loss(best) < loss(now) else now


def _searched(
    problem: PinballProblem, beta: float | None, slope: float | None
) -> tuple[Array, float, float]:
    """Search β and the slope by steps that become finer; the point, β and the slope."""
    n = len(problem.columns)
    octaves = _OCTAVES if slope is None else (float(np.log2(slope)),)
    found: dict[tuple[float, float], tuple[float, Array]] = {}

    def tried(key: tuple[float, float], start: Array) -> tuple[float, Array]:
        if key not in found:
            trace = problem.polished(problem.scaled(key[0], 2.0 ** key[1]), start)
            found[key] = trace.history[-1], trace.point
        return found[key]

    for octave in octaves:
        for share in (0.0, 0.5, 1.0) if beta is None else (beta,):
            tried((share, octave), np.zeros(2 * n))
    for step_of_beta, step_of_slope in _STEPS:
        while True:
            best = min(found, key=lambda key: found[key][0])
            share, octave = best
            shares = [share] if beta is not None else [share - step_of_beta, share + step_of_beta]
            near = [(min(max(s, 0.0), 1.0), octave) for s in shares]
            if slope is None:
                low, high = _EXTREME_OCTAVES
                near += [(share, max(low, octave - step_of_slope))]
                near += [(share, min(high, octave + step_of_slope))]
            point = found[best][1]
            if min(tried(key, point)[0] for key in near) >= found[best][0]:
                break
    best = min(found, key=lambda key: found[key][0])
    return found[best][1], best[0], 2.0 ** best[1]
