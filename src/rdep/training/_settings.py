"""Objective and procedure of training: the two records that every training function takes."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from .._utils._typing import Array

OPERATORS = ("dilation", "erosion")
# Value of ``n_init``: the start is searched on a subsample.
AUTO = "auto"
SOLVERS = ("descent", "highs", "global")
REFERENCES = ("extreme", "mean", "opposite", "zero")


@dataclass(frozen=True, eq=False)
class Objective:
    """The training objective of one operator.

    Attributes
    ----------
    C : float
        Factor of the penalty ‖w − r‖₁.
    weighting : "distance" or None
        Penalty weights ν of the samples: by the distance to the mean of their class, or 1 for all.
    reference : str or array-like of shape (n_features,)
        Reference r towards which the penalty draws the weights, by name or as a vector.
    margin : float
        Margin, in units of feature spread.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """

    __module__ = "rdep.training"

    C: float = 0.01
    weighting: str | None = "distance"
    reference: str | ArrayLike = "extreme"
    margin: float = 1e-6


@dataclass(frozen=True, eq=False)
class Procedure:
    """Parameters of the convex-concave procedure, which minimises the objective.

    Attributes
    ----------
    solver : "descent", "highs" or "global"
        Solver of the convex majorisers. With at most ten features, "global" searches for the global
        minimum instead of running the procedure.
    max_iter : int
        Maximum number of steps of the convex-concave procedure for each start, or of the global
        search.
    tol : float
        Relative decrease of a step below which training stops early. With 0, it stops only if no
        step descends. For a global search, the relative gap to the optimum.
    escape : bool
        Whether to leave critical points by global searches along each coordinate. If there are
        more than 20,000 distinct samples, this is done on a subsample.
    start : ndarray of shape (n_features,) or None
        Weights to start from; None starts from the reference.
    n_init : int or "auto"
        Number of starts; all but the first are random. With "auto", training starts from the best
        end of five descents with escapes on a subsample, or from ``start`` if it is given.
    seed : int
        Seed of the random starts.

    References
    ----------
    A. L. Yuille and A. Rangarajan, "The concave-convex procedure", Neural Computation 15(4), 2003.

    X. Shen, S. Diamond, Y. Gu and S. Boyd, "Disciplined convex-concave programming", IEEE
    Conference on Decision and Control, 2016.
    """

    __module__ = "rdep.training"

    solver: str = "descent"
    max_iter: int = 500
    tol: float = 0.0
    escape: bool = False
    start: Array | None = None
    n_init: int | str = 1
    seed: int = 0
