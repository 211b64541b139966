"""Results of training, with their optimality certificates."""

from __future__ import annotations

from dataclasses import dataclass

from .._utils._typing import Array

CONVERGED = "converged"
TOLERANCE = "tolerance"
ITERATION_LIMIT = "iteration limit"


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """The result of training one operator.

    Attributes
    ----------
    weights : ndarray of shape (n_features,)
        Weights of the operator.
    objective : float
        The paper's J at ``weights``, in the units of the data.
    status : "converged", "tolerance" or "iteration limit"
        Converged: no step of the convex-concave procedure lowers the objective. Tolerance: the
        last step lowered it by less than ``tol`` asks for; a further one may lower it more.
    n_iter : int
        Number of steps of the convex-concave procedure, over all escapes of the best start. On
        many samples a step is a descent to its end in a cube around the point.
    history : ndarray
        The objective at the start and after every step.
    escapes : tuple of int
        Positions in ``history`` that were reached by a coordinate search, not by a step of the
        procedure. None on many samples, where only the descents on a subsample have escapes.
    boundary_share : float
        Fraction of the total sample weight with a decision value of zero up to rounding.
    certified_by : "set directions" or "linear programme"
        Method that certifies that ``weights`` minimise their own convex majoriser.
    certificate : float
        For set directions the slope along the steepest of them, for a linear programme the
        distance to its optimum. Zero up to rounding at a critical point.
    start : int
        Index of the best start: 0 is the reference, the others are random, or with
        ``n_init="auto"`` points that bring all values of one negative to zero.
    start_samples : int
        Number of distinct samples on which the starts descended: all of them, or fewer with
        ``n_init="auto"``, and with escapes on more than 20,000. ``history`` then begins with the
        last descent, which starts where those on fewer samples ended; it and the certificate are of
        all samples in any case.
    fallbacks : int
        Number of steps in which the descent reached its step limit and HiGHS minimised instead.
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
    start_samples: int
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
        Objective of the trained weights.
    lower_bound : float
        No weights have an objective below this, up to ``resolution``.
    gap : float
        ``(objective − lower_bound) / objective``, 0 where the weights are optimal.
    resolution : float
        How far the lower bound may be off: rounding for one and two features, the tolerances of
        the mixed-integer solver for more.
    best_objective : float
        The lowest objective found.
    best_weights : ndarray of shape (n_features,)
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
    """The result of joint training.

    Attributes
    ----------
    dilation_weights, erosion_weights : ndarray of shape (n_features,)
        Weights w of the dilation and m of the erosion.
    beta : float
        Weight of the dilation in τ.
    beta_interval : tuple of two floats
        Interval of all minimising β for these weights.
    objective : float
        J, in the units of the data.
    history : ndarray
        J at the start and after every round: a step of both operators, then β.
    status : "converged", "tolerance" or "iteration limit"
        "converged" if neither a step of both operators nor another β lowers J; "tolerance" if the
        last round lowered it by less than the share ``tol``.
    certificate : float
        Slope of the convex step of both operators along the steepest set direction at the end:
        zero up to rounding where no such step descends.
    """

    __module__ = "rdep.training"

    dilation_weights: Array
    erosion_weights: Array
    beta: float
    beta_interval: tuple[float, float]
    objective: float
    history: Array
    status: str
    certificate: float

    @property
    def converged(self) -> bool:
        return self.status == CONVERGED

    @property
    def n_iter(self) -> int:
        return len(self.history) - 1
