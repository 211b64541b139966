r"""Joint training of w, m and β on the loss of the decision value.

The paper trains w and m separately, then β. Here all three minimise the loss of τ:

.. math::

    J(w, m, \beta) = \sum_{i \in N} a_i [\tau(x_i) + \mu]_+ + \sum_{i \in P} b_i [\mu - \tau(x_i)]_+
        + C \big(\beta \lVert w - r_w \rVert_1 + (1 - \beta) \lVert m - r_m \rVert_1\big) .

At β = 1, J is the objective of the dilation, at β = 0 that of the erosion, and in between it never
exceeds the convex combination of both. For fixed β, with :math:`W = \beta w` and
:math:`Q = -(1 - \beta) m` as unknowns, J is a difference of convex functions, since τ is a maximum
over W minus a maximum over Q. The convex-concave procedure fixes the feature k* that attains the
erosion of a negative, and the feature j* that attains the dilation of a positive. The remaining
term of a negative,

.. math::

    a_i \Big[\max_j (W_j + \beta x_{ij}) - (Q_{k^*} - (1 - \beta) x_{ik^*}) + \mu\Big]_+ ,

is the maximum of some variables minus one of them, and so is the term of a positive. Both are
L♮-convex in (W, Q). The set descent of one operator minimises over both operators together, and
certifies the minimum. Only β remains a separate block, minimised exactly by sorting. Every step
descends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._utils._typing import Array, Indices
from ._beta import minimising_beta
from ._ccp import Trace, convex_concave
from ._problem import DilationProblem
from ._results import CONVERGED, ITERATION_LIMIT, TOLERANCE, JointResult
from ._samples import TrainingSet, largest_size, power_of_two
from ._settings import Objective, Procedure
from .majoriser._descent import minimise
from .majoriser._directions import ConvexStep

# An operator with a smaller share of τ stays as it is: its unknowns would be lost in rounding.
_SMALLEST_SHARE = 1e-6


def train_jointly(
    samples: TrainingSet,
    weights: dict[str, Array],
    beta: float,
    *,
    learn_beta: bool,
    objectives: dict[str, Objective],
    procedure: Procedure,
) -> JointResult:
    """Minimise J from initial weights and β: alternate both operators together and β.

    Parameters
    ----------
    samples : TrainingSet
        The training samples.
    weights : dict
        Initial weights by operator: w for "dilation", m for "erosion".
    beta : float
        Initial β.
    learn_beta : bool
        Whether to optimise β; False keeps the initial value.
    objectives : dict
        Training objective of each operator.
    procedure : Procedure
        ``max_iter`` limits the rounds; training stops early after a round that lowers J by less
        than the fraction ``tol``.

    Returns
    -------
    JointResult
        The weights, β, the objective and its history.
    """
    problems = {
        name: DilationProblem.from_training_set(samples, name, objectives[name])
        for name in ("dilation", "erosion")
    }
    unit = max(problem.unit for problem in problems.values())
    dilation, erosion = (
        _Operator.start(_in_units(problem, unit), weights[name] / unit)
        for name, problem in problems.items()
    )
    # At 0 and 1, one operator has no share of τ and cannot move: β = 0.5 is tried as well.
    betas = [beta, 0.5] if learn_beta else [beta]
    ends = [_descend(_Both(dilation, erosion, start), learn_beta, procedure) for start in betas]
    best = ends[0]
    for end in ends[1:]:  # a difference within rounding does not decide
        if best.history[-1] - end.history[-1] > end.both.rounding:
            best = end
    both = best.both
    return JointResult(
        dilation_weights=unit * both.dilation.problem.weights(both.dilation.u),
        erosion_weights=unit * both.erosion.problem.weights(both.erosion.u),
        beta=both.beta,
        beta_interval=best.interval,
        objective=unit * best.history[-1],
        history=unit * np.array(best.history),
        status=best.status,
        certificate=best.certificate,
    )


def _in_units(problem: DilationProblem, unit: float) -> DilationProblem:
    """Problem of the data divided by a power of two: the smallest floats have few bits."""
    return replace(problem, unit=problem.unit / unit, reference=problem.reference / unit)


@dataclass(frozen=True, eq=False)
class _Operator:
    """One operator with its values, margins included, for all samples.

    The erosion is the dilation of the dual problem: its term in a loss is minus its value.
    """

    problem: DilationProblem
    u: Array
    negatives: Array  # max_j (v_ij + u_j) of the training set's negatives, in common units
    positives: Array

    @classmethod
    def start(cls, problem: DilationProblem, weights: Array) -> _Operator:
        return cls.at(problem, problem.point(weights))

    @classmethod
    def at(cls, problem: DilationProblem, u: Array) -> _Operator:
        here = problem.at(u)
        maxima = problem.by_sample(here.negatives, here.positives)
        return cls(problem, u, *(problem.unit * values for values in maxima))

    @property
    def penalty(self) -> float:
        return self.problem.C * self.problem.unit * float(np.abs(self.u).sum())

    def columns(self) -> tuple[Array, Array]:
        """Values of all features for the samples of the training set, in common units."""
        unit = self.problem.unit
        negatives, positives = self.problem.negatives, self.problem.positives
        if self.problem.is_dual:
            negatives, positives = positives[:, ::-1], negatives[:, ::-1]
        return unit * negatives, unit * positives

    def frozen(self) -> Indices:
        """Deciding feature of each sample whose maximum CCP fixes.

        The samples are the positives of the training set for the dilation, and its negatives for
        the erosion.
        """
        deciding = self.problem.at(self.u).deciding_features()
        return deciding[::-1] if self.problem.is_dual else deciding


@dataclass(frozen=True, eq=False)
class _Both:
    """Both operators and β."""

    dilation: _Operator
    erosion: _Operator
    beta: float

    def losses(self) -> tuple[Array, Array, Array]:
        """Intercept and slope, in β, of the loss of each sample, and its penalty."""
        intercept = np.concatenate([-self.erosion.negatives, self.erosion.positives])
        at_one = np.concatenate([self.dilation.negatives, -self.dilation.positives])
        return intercept, at_one - intercept, self.penalties

    @property
    def penalties(self) -> Array:
        problem = self.dilation.problem
        return np.concatenate([problem.negative_penalties, problem.positive_penalties])

    @property
    def objective(self) -> float:
        """J, in the common units of both operators."""
        intercept, slope, penalties = self.losses()
        loss = penalties @ np.maximum(intercept + self.beta * slope, 0.0)
        pull = self.beta * self.dilation.penalty + (1 - self.beta) * self.erosion.penalty
        return float(loss + pull)

    @property
    def rounding(self) -> float:
        """Tolerance: a smaller difference of two values of J is rounding."""
        problems = (self.dilation.problem, self.erosion.problem)
        return max(problem.unit * problem.rounding for problem in problems)

    def centred(self, interval: tuple[float, float]) -> _Both:
        """Set β to the midpoint of its minimisers, if J is the same there."""
        middle = replace(self, beta=sum(interval) / 2)
        return middle if middle.objective - self.objective <= self.rounding else self

    def best_betas(self) -> tuple[float, float]:
        return minimising_beta(*self.losses(), tilt=self.dilation.penalty - self.erosion.penalty)

    def step(self) -> tuple[ConvexStep, Array, float]:
        """Convex step of both operators for this β, its start and its unit."""
        shares = (self.beta, 1 - self.beta)
        operators = (self.dilation, self.erosion)
        columns = [
            [share * part for part in operator.columns()]
            for share, operator in zip(shares, operators, strict=True)
        ]
        largest = max(largest_size(part) for pair in columns for part in pair)
        unit = power_of_two(largest)
        (w_negatives, w_positives), (q_negatives, q_positives) = columns
        k_star, j_star = self.erosion.frozen(), self.dilation.frozen()
        values = np.block(
            [
                [w_negatives, _only(j_star, w_positives)],
                [_only(k_star, q_negatives), q_positives],
            ]
        )
        values /= unit
        n = len(w_negatives)
        penalties = self.penalties
        owners = np.concatenate([n + k_star, j_star])
        C = self.dilation.problem.C
        largest /= unit
        step = ConvexStep(
            values=values,
            penalties=penalties,
            floor=-np.inf,
            owners=np.empty(0, dtype=np.intp),
            hinges=np.empty(0),
            hinge_penalties=np.empty(0),
            linear=-np.bincount(owners, penalties, 2 * n).astype(float),
            C=C,
            tops=values.max(axis=1),
            largest=largest,
            tie=float(64 * np.finfo(float).eps * largest),
            flat=float(1e-13 * (2 * penalties.sum() + C)),
        )
        start = np.concatenate(
            [
                share * operator.problem.unit / unit * operator.u
                for share, operator in zip(shares, operators, strict=True)
            ]
        )
        return step, start, unit

    def moved(self, point: Array, unit: float) -> _Both:
        """Set both operators to a point of the convex step."""
        parts = np.split(point * unit, 2)
        dilation, erosion = (
            _Operator.at(operator.problem, part / (share * operator.problem.unit))
            for part, share, operator in zip(
                parts,
                (self.beta, 1 - self.beta),
                (self.dilation, self.erosion),
                strict=True,
            )
        )
        return replace(self, dilation=dilation, erosion=erosion)


def _only(rows: Indices, values: Array) -> Array:
    """Matrix with one value in each column and −∞ elsewhere."""
    kept = np.full_like(values, -np.inf)
    columns = np.arange(values.shape[1])
    kept[rows, columns] = values[rows, columns]
    return kept


@dataclass(frozen=True, eq=False)
class _End:
    """End of the steps."""

    both: _Both
    interval: tuple[float, float]
    history: tuple[float, ...]
    status: str
    certificate: float


def _descend(both: _Both, learn_beta: bool, procedure: Procedure) -> _End:
    """Alternate steps of both operators and of β until neither descends.

    At the end, β moves to the midpoint of its interval. A step may descend again from there.
    """
    interval = (both.beta, both.beta)
    is_centred = not learn_beta
    history = [both.objective]
    status = ITERATION_LIMIT
    while len(history) <= procedure.max_iter and status == ITERATION_LIMIT:
        before = both
        both, certificate = _improved(both, procedure)
        if learn_beta:
            interval = both.best_betas()
            middle = replace(both, beta=sum(interval) / 2)
            if middle.objective < both.objective:
                both = _extrapolated(before, middle)
        objective = both.objective
        if objective < history[-1]:
            is_centred = not learn_beta
        if objective >= history[-1] and is_centred:
            status = CONVERGED
        elif objective >= history[-1]:
            both, is_centred = both.centred(interval), True
        elif history[-1] - objective < procedure.tol * objective:
            status = TOLERANCE
        history.append(min(objective, history[-1]))
    return _End(both, interval, tuple(history), status, certificate)


def _extrapolated(before: _Both, both: _Both) -> _Both:
    """Move on in the direction of a round, in steps that double, as long as J falls.

    If β and the operators are coupled, they alternate in small steps.
    """
    best, factor = both, 1.0
    while True:
        beta = both.beta + factor * (both.beta - before.beta)
        if not 0 <= beta <= 1:
            return best
        dilation, erosion = (
            _Operator.at(now.problem, now.u + factor * (now.u - then.u))
            for then, now in ((before.dilation, both.dilation), (before.erosion, both.erosion))
        )
        ahead = _Both(dilation, erosion, beta)
        if ahead.objective >= best.objective:
            return best
        best, factor = ahead, 2 * factor


def _improved(both: _Both, procedure: Procedure) -> tuple[_Both, float]:
    """Make one step of the operators that have a share of τ; also return the slope before it."""
    if both.beta < _SMALLEST_SHARE:
        return replace(both, erosion=_alone(both.erosion, procedure)), 0.0
    if 1 - both.beta < _SMALLEST_SHARE:
        return replace(both, dilation=_alone(both.dilation, procedure)), 0.0
    step, start, unit = both.step()
    minimum = minimise(step, start)
    moved = both.moved(minimum.point, unit)
    slope = minimise(step, start, max_steps=0).slope
    return (moved, slope) if moved.objective < both.objective else (both, slope)


def _alone(operator: _Operator, procedure: Procedure) -> _Operator:
    """Train one operator on its own objective, which equals J if the other one has no share."""
    problem = operator.problem
    trace = convex_concave(problem, Trace.start(problem.at(operator.u)), procedure)
    return _Operator.at(problem, trace.at.u)
