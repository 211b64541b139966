r"""Joint training of w, m and β for the loss of the decision value τ.

The paper trains w and m separately, then β. Here all three minimise the loss of τ:

.. math::

    J(w, m, \beta) = \sum_{i \in N} a_i [\tau(x_i) + \mu]_+ + \sum_{i \in P} b_i [\mu - \tau(x_i)]_+
        + C \big(\beta \lVert w - r_w \rVert_1 + (1 - \beta) \lVert m - r_m \rVert_1\big) .

At β = 1 it is the dilation's own objective, at β = 0 the erosion's, and between them never above
their combination. With :math:`\beta w` and :math:`(1-\beta) m` as unknowns it is a difference of
convex functions, since τ is a maximum plus a minimum of linear ones.

It is minimised by block descent. For fixed m and β, dividing by β leaves the problem of a dilation
whose samples are shifted by :math:`(1-\beta)/\beta \; \varepsilon_m(x_i)`, which the same exact
solver minimises. The problem in m is its dual, and β is found by sorting. Every step descends; at
the end a step of all three blocks at once might still descend.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .._utils._typing import Array
from ._beta import minimising_beta
from ._ccp import Trace, convex_concave
from ._problem import DilationProblem
from ._results import CONVERGED, ITERATION_LIMIT, JointResult
from ._samples import TrainingSet
from ._settings import Objective, Procedure

# An operator with a smaller share of τ is left as it is: its samples would be shifted out of
# double precision.
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
    """Minimise J by block descent from given weights of both operators and β.

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
        ``max_iter`` limits the rounds, and the steps of the convex-concave procedure in each
        block; training stops after a round that lowers J by at most the fraction ``tol``.

    Returns
    -------
    JointResult
        The weights, β, the objective and its history.
    """
    dilation, erosion = (
        _Operator.start(
            DilationProblem.from_training_set(samples, name, objectives[name]), weights[name]
        )
        for name in ("dilation", "erosion")
    )
    # At 0 and 1 one operator has no part in τ and cannot move: the middle is tried as well. And
    # either may go first: otherwise exchanging the classes would not just exchange w and −m.
    betas = [beta, 0.5] if learn_beta else [beta]
    ends = [_in_turn(dilation, erosion, start, learn_beta, procedure) for start in betas]
    ends += [
        _in_turn(erosion, dilation, 1 - start, learn_beta, procedure).exchanged() for start in betas
    ]
    best = min(ends, key=lambda end: end.history[-1])
    return JointResult(
        dilation_weights=best.first.problem.weights(best.first.u),
        erosion_weights=best.second.problem.weights(best.second.u),
        beta=best.share,
        beta_interval=best.interval,
        objective=best.history[-1],
        history=np.array(best.history),
        status=best.status,
    )


@dataclass(frozen=True)
class _End:
    """The end of a block descent."""

    first: _Operator
    second: _Operator
    share: float  # of the first operator in τ
    interval: tuple[float, float]
    history: tuple[float, ...]
    status: str

    def exchanged(self) -> _End:
        low, high = self.interval
        return replace(
            self,
            first=self.second,
            second=self.first,
            share=1 - self.share,
            interval=(1 - high, 1 - low),
        )


def _in_turn(
    first: _Operator, second: _Operator, share: float, learn_share: bool, procedure: Procedure
) -> _End:
    """Improve both operators and the first one's share in turn until a round does not descend."""
    interval = (share, share)
    history = [_objective(first, second, share)]
    status = ITERATION_LIMIT
    while len(history) <= procedure.max_iter and status != CONVERGED:
        first = first.improved(second, share, procedure)
        second = second.improved(first, 1 - share, procedure)
        if learn_share:
            interval = _best_shares(first, second)
            share = min((share, sum(interval) / 2), key=lambda s: _objective(first, second, s))
        objective = _objective(first, second, share)
        if history[-1] - objective <= procedure.tol * objective:
            status = CONVERGED
        history.append(objective)
    return _End(first, second, float(share), interval, tuple(history), status)


@dataclass(frozen=True, eq=False)
class _Operator:
    """One of the two with its values, margins included, at all samples.

    The erosion is the dilation of the dual: what it adds to a loss is minus its own value.
    """

    problem: DilationProblem
    u: Array
    negatives: Array  # max_j (v_ij + u_j) of the problem's negatives, in the units of the data
    positives: Array

    @classmethod
    def start(cls, problem: DilationProblem, weights: Array) -> _Operator:
        return cls._at(problem, problem.point(weights))

    @classmethod
    def _at(cls, problem: DilationProblem, u: Array) -> _Operator:
        maxima = (
            problem.unit * (values + u[:, None]).max(axis=0)
            for values in (problem.negatives, problem.positives)
        )
        return cls(problem, u, *maxima)

    @property
    def penalty(self) -> float:
        return self.problem.C * self.problem.unit * float(np.abs(self.u).sum())

    def values_of(self, other: _Operator) -> tuple[Array, Array]:
        """The other's values at this one's negatives and positives, in this one's order."""
        in_order = other.problem.by_sample(other.negatives, other.positives)
        # Exactly one of the two problems is dual, so that this order is its own inverse.
        return self.problem.by_sample(*in_order)

    def improved(self, other: _Operator, share: float, procedure: Procedure) -> _Operator:
        """Trained for τ, of which the other operator has the rest."""
        if share < _SMALLEST_SHARE:
            return self
        # The other operator's contribution is a shift of the samples.
        ratio = (1 - share) / share / self.problem.unit
        negatives, positives = self.values_of(other)
        shifted = self.problem.shifted(-ratio * negatives, -ratio * positives)
        trace = convex_concave(shifted, Trace.start(shifted.at(self.u)), procedure)
        return self._at(self.problem, trace.at.u)


def _losses(first: _Operator, second: _Operator) -> tuple[Array, Array, Array]:
    """Intercept and slope of each sample's loss in the first operator's share; its penalty."""
    negatives, positives = first.values_of(second)
    intercept = np.concatenate([-negatives, positives])
    at_one = np.concatenate([first.negatives, -first.positives])
    penalties = np.concatenate([first.problem.negative_penalties, first.problem.positive_penalties])
    return intercept, at_one - intercept, penalties


def _objective(first: _Operator, second: _Operator, share: float) -> float:
    intercept, slope, penalties = _losses(first, second)
    loss = penalties @ np.maximum(intercept + share * slope, 0.0)
    return float(loss + share * first.penalty + (1 - share) * second.penalty)


def _best_shares(first: _Operator, second: _Operator) -> tuple[float, float]:
    return minimising_beta(*_losses(first, second), tilt=first.penalty - second.penalty)
