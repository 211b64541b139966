"""What training reached, and what certifies it."""

from __future__ import annotations

from dataclasses import dataclass

from .._utils._typing import Array

CONVERGED = "converged"
TOLERANCE = "tolerance"
ITERATION_LIMIT = "iteration limit"


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """What training one perceptron reached.

    Attributes
    ----------
    weights : ndarray of shape (n_features,)
    objective : float
        The paper's J at ``weights``, in the units of the data.
    status : "converged", "tolerance" or "iteration limit"
        Converged: no step of the convex-concave procedure lowers the objective. Tolerance: the
        last step lowered it by less than ``tol`` asks for; a further one may lower it more.
    n_iter : int
        Steps of the convex-concave procedure, over all escapes of the best start.
    history : ndarray
        The objective at the start and after every step.
    escapes : tuple of int
        Positions in ``history`` that a coordinate search reached, not a step of the procedure.
    boundary_share : float
        Share of the training weight whose decision value is zero up to rounding.
    certified_by : "set directions" or "linear programme"
        What shows that ``weights`` minimise their own convex majoriser.
    certificate : float
        For set directions the slope along the steepest of them, for a linear programme the
        distance to its optimum. Zero up to rounding where no step descends.
    start : int
        Which start was the best: 0 is the reference, the others are random.
    fallbacks : int
        Steps in which the descent met its own limit and HiGHS finished; none on ordinary data.
    """

    __module__ = "rdep.training"

    weights: Array
    objective: float
    status: str
    n_iter: int
    history: Array
    escapes: tuple[int, ...]
    boundary_share: float
    certified_by: str
    certificate: float
    start: int
    fallbacks: int

    @property
    def converged(self) -> bool:
        return self.status == CONVERGED


@dataclass(frozen=True, eq=False)
class OptimalityCertificate:
    """How far a trained perceptron is from the global optimum of its training problem.

    Attributes
    ----------
    objective : float
        Of the weights in question.
    lower_bound : float
        No weights have an objective below this, up to ``resolution``.
    gap : float
        ``(objective − lower_bound) / objective``, 0 where the weights are optimal.
    resolution : float
        How far the lower bound may be off: rounding for one and two features, the tolerances of
        the mixed-integer solver for more.
    best_objective : float
        The lowest objective known.
    best_weights : ndarray
        Weights that attain it.
    proven : bool
        Whether the lowest objective known is optimal, up to ``resolution``.
    """

    __module__ = "rdep.training"

    objective: float
    lower_bound: float
    gap: float
    resolution: float
    best_objective: float
    best_weights: Array
    proven: bool


@dataclass(frozen=True, eq=False)
class JointResult:
    """What joint training reached.

    Attributes
    ----------
    dilation_weights, erosion_weights : ndarray of shape (n_features,)
    beta : float
    beta_interval : tuple of two floats
        All β that are best for these weights.
    objective : float
        J, in the units of the data.
    history : ndarray
        J at the start and after every round of the three blocks.
    status : "converged" or "iteration limit"
    """

    __module__ = "rdep.training"

    dilation_weights: Array
    erosion_weights: Array
    beta: float
    beta_interval: tuple[float, float]
    objective: float
    history: Array
    status: str

    @property
    def converged(self) -> bool:
        return self.status == CONVERGED

    @property
    def n_iter(self) -> int:
        return len(self.history) - 1
