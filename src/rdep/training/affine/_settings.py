"""Objective, procedure and result of training a linear DEP."""

from __future__ import annotations

from dataclasses import dataclass

from ..._utils._typing import Array
from .._results import CONVERGED

AFFINE_LOSSES = ("squared_hinge", "hinge")
REGRESSION_LOSSES = ("squared_error", "absolute_error", "quantile", "epsilon_insensitive")


@dataclass(frozen=True, eq=False)
class AffineObjective:
    r"""The training objective of a linear DEP.

    .. math::

        \sum_i c_i \, \ell\big(\text{margin} - s_i \tau(x_i)\big)
        + \frac{C}{2} \Big( \frac{\lVert A \rVert^2}{J} + \frac{\lVert B \rVert^2}{K} \Big),

    where the costs :math:`c_i` of each class add up to 1, times its class weight, and are
    proportional to ν within the class. The penalty is a mean over pieces: equal pieces have the
    penalty of one of them.

    Attributes
    ----------
    C : float
        Factor of the penalty.
    loss : "squared_hinge" or "hinge"
        The loss ℓ.
    margin : float
        Decision value at and beyond which a sample has no loss.
    weighting : "distance" or None
        Penalty weights ν of the samples: by the distance to the mean of their class, or 1 for all.
    penalize_intercept : bool
        Whether the penalty includes the intercepts a and b.

    References
    ----------
    A. L. Oliveira and M. E. Valle, "Linear dilation-erosion perceptron trained using a
    convex-concave procedure", arXiv 2011.06512, 2020.
    """

    __module__ = "rdep.training"

    C: float = 0.01
    loss: str = "squared_hinge"
    margin: float = 1.0
    weighting: str | None = None
    penalize_intercept: bool = False


@dataclass(frozen=True, eq=False)
class AffineRegression:
    r"""The training objective of a linear DEP regressor.

    .. math::

        \sum_i \nu_i \, \ell\big(y_i - \tau(x_i)\big)
        + \frac{C}{2} \Big( \frac{\lVert A \rVert^2}{J} + \frac{\lVert B \rVert^2}{K} \Big),

    where the weights :math:`\nu_i` add up to 1, and targets are in standard deviations from their
    mean.

    Attributes
    ----------
    C : float
        Factor of the penalty.
    loss : "squared_error", "absolute_error", "quantile" or "epsilon_insensitive"
        The loss ℓ: :math:`r^2`, :math:`\lvert r \rvert`, the pinball loss, or
        :math:`[\lvert r \rvert - \epsilon]_+`.
    quantile : float
        Quantile of the pinball loss.
    epsilon : float
        Residuals of this size have no loss, in standard deviations of the target.
    penalize_intercept : bool
        Whether the penalty includes the intercepts a and b.

    References
    ----------
    A. L. Oliveira and M. E. Valle, "Linear dilation-erosion perceptron trained using a
    convex-concave procedure", arXiv 2011.06512, 2020.
    """

    __module__ = "rdep.training"

    C: float = 0.01
    loss: str = "squared_error"
    quantile: float = 0.5
    epsilon: float = 0.0
    penalize_intercept: bool = False

    def costs(self, weights: Array) -> tuple[Array, Array]:
        """Costs of predictions above the targets, and of predictions below."""
        if self.loss == "quantile":
            return (1 - self.quantile) * weights, self.quantile * weights
        return weights, weights

    def levels(self, targets: Array) -> tuple[Array, Array]:
        """Loss of predictions of 0, above the targets and below them, if positive."""
        epsilon = self.epsilon if self.loss == "epsilon_insensitive" else 0.0
        return -targets - epsilon, targets - epsilon


@dataclass(frozen=True, eq=False)
class AffineProcedure:
    """Parameters of the convex-concave procedure of a linear DEP.

    Attributes
    ----------
    max_iter : int
        Maximum number of convex-concave steps for each start.
    tol : float
        Relative decrease of a step below which training stops.
    gap : float
        Relative duality gap to which each convex step is minimised.
    n_init : int
        Number of starts; all but the first are random.
    seed : int
        Seed of the random starts.
    """

    __module__ = "rdep.training"

    max_iter: int = 100
    tol: float = 1e-3
    gap: float = 1e-7
    n_init: int = 1
    seed: int = 0


@dataclass(frozen=True, eq=False)
class AffineResult:
    """The result of training a linear DEP.

    Attributes
    ----------
    dilation_coef, erosion_coef : ndarray of shape (n_pieces, n_features)
        The matrices A and B.
    dilation_intercept, erosion_intercept : ndarray of shape (n_pieces,)
        The vectors a and b.
    objective : float
        The objective that they attain.
    status : "converged", "tolerance" or "iteration limit"
        "converged": up to the duality gap, no convex step lowers the objective, including steps
        that fix other tied pieces; the first eight ties are tried. "tolerance": the last step
        lowered it by less than the share ``tol``.
    history : ndarray
        The objective at the start and after every step; it never rises.
    gaps : ndarray
        Relative duality gap of every convex step.
    start : int
        Index of the best start: 0 is the linear classifier, split by principal directions; the
        others are random. For a quantile, the last start holds the pieces of the squared error.
    """

    __module__ = "rdep.training"

    dilation_coef: Array
    dilation_intercept: Array
    erosion_coef: Array
    erosion_intercept: Array
    objective: float
    status: str
    history: Array
    gaps: Array
    start: int

    @property
    def converged(self) -> bool:
        return self.status == CONVERGED

    @property
    def n_iter(self) -> int:
        return len(self.gaps)

    @property
    def n_pieces(self) -> tuple[int, int]:
        """Number of pieces of the dilation and of the erosion."""
        return len(self.dilation_coef), len(self.erosion_coef)
