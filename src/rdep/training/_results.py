"""Results of training, with their optimality certificates."""

from __future__ import annotations

from dataclasses import dataclass

from .._utils._typing import Array

CONVERGED = "converged"
TOLERANCE = "tolerance"
ITERATION_LIMIT = "iteration limit"
INTERRUPTED = "interrupted"
# Status of a search for the global minimum.
OPTIMAL = "optimal"
GAP = "gap"
TIME_LIMIT = "time limit"
STEP_LIMIT = "step limit"
BOX_LIMIT = "box limit"
TOO_MANY = "too many features"


@dataclass(frozen=True, eq=False)
class TrainingResult:
    """The result of training one operator.

    Attributes
    ----------
    weights : ndarray of shape (n_features,)
        Weights of the operator.
    objective : float
        The paper's J at ``weights``, in the units of the data.
    status : "converged", "tolerance", "iteration limit" or "interrupted"
        "converged": no step of the convex-concave procedure lowers the objective. "tolerance": the
        last step lowered it by less than the share ``tol``; another step may lower it more. For a
        global search, "converged" means that the objective is optimal, and "tolerance" that it is
        within the share ``tol`` of the optimum. The search may end before, at the limit of steps or
        by Ctrl-C.
    n_iter : int
        Number of steps of the convex-concave procedure, over all escapes of the best start, or of
        the global search. With many samples, a step is a complete descent in a cube around the
        point.
    history : ndarray
        The objective at the start and after every step.
    escapes : tuple of int
        Positions in ``history`` that were reached by a coordinate search instead of a step of the
        procedure. Empty with many samples, because only the descents on a subsample have escapes.
    boundary_share : float
        Fraction of the total sample weight with a decision value of zero up to rounding.
    certified_by : "set directions", "linear programme" or "global search"
        Method that certifies that ``weights`` minimise their own convex majoriser; or the
        objective itself.
    certificate : float
        Slope along the steepest set direction, or distance to the optimum of the linear programme.
        Zero up to rounding at a critical point. For a global search, the objective minus its lower
        bound.
    start : int
        Index of the best start. 0 is the reference; the others are random or, with
        ``n_init="auto"``, points that bring all values of one negative to zero.
    start_samples : int
        Number of distinct samples on which the starts descended: all samples, or a subsample with
        ``n_init="auto"``, or with escapes and more than 20,000 samples. If it is a subsample,
        ``history`` begins with the last descent, which starts at the best end on the subsample.
        ``history`` and ``certificate`` always refer to all samples.
    fallbacks : int
        Number of steps that HiGHS minimised because the descent reached its step limit.
    kept : tuple of int
        If training passed over blocks of rows: the number of rows that each pass kept in memory;
        the others are in sums. ``n_iter`` is the number of passes then. Empty otherwise.
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
    kept: tuple[int, ...] = ()

    @property
    def converged(self) -> bool:
        return self.status == CONVERGED


@dataclass(frozen=True, eq=False)
class OptimalityCertificate:
    """Distance of a trained perceptron from the global optimum of its training problem.

    Attributes
    ----------
    objective : float
        Objective of the trained weights.
    lower_bound : float
        Lower bound of the objective of all weights, up to ``resolution``.
    gap : float
        ``(objective − lower_bound) / objective``; 0 if the weights are optimal.
    resolution : float
        Rounding error of the lower bound.
    best_objective : float
        The lowest objective found.
    best_weights : ndarray of shape (n_features,)
        Weights that attain it.
    status : "optimal", "gap", "time limit", "box limit", "interrupted" or "too many features"
        Why the search ended. "optimal": no weights have an objective below ``best_objective``, up
        to ``resolution``. "gap": the best objective is as near to the lower bound as requested. In
        the other cases ``lower_bound`` is what was proven before the time limit, before a million
        boxes were left, before Ctrl-C or, with more than ten features, within a few steps.
    n_boxes : int
        Number of boxes that branch and bound has examined; 0 for one and two features.
    seconds : float
        Time of the search.
    """

    __module__ = "rdep.training"

    objective: float
    lower_bound: float
    gap: float
    resolution: float
    best_objective: float
    best_weights: Array
    status: str
    n_boxes: int
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether ``best_objective`` is optimal, up to ``resolution``."""
        return self.status == OPTIMAL


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
        Slope of the convex step of both operators along the steepest set direction at the end;
        zero up to rounding if no step descends.
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
