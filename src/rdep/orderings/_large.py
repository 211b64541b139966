"""The large ordering: decision values of classifiers trained in near-linear time."""

from __future__ import annotations

from numbers import Integral, Real

from sklearn.linear_model import RidgeClassifier

from .._utils._docstrings import documented
from .._utils._sklearn_estimators import Interval
from ..kernels import LandmarkClassifier
from ._base import (
    CV,
    FITTED,
    N_JOBS,
    REDUCED_ORDERINGS,
    STACK,
    VERBOSE,
    MemberListOrdering,
    Ordering,
)


@documented(
    cv=CV,
    stack=STACK % False,
    n_jobs=N_JOBS,
    verbose=VERBOSE,
    fitted=FITTED,
    sources=REDUCED_ORDERINGS,
)
class LargeOrdering(MemberListOrdering):
    """Decision values of least-squares classifiers with the ensemble's three kernels.

    The time to train an SVC grows with the square of the number of samples, or faster. These
    members take one pass over the samples, in blocks, so that a million of them take minutes:
    :class:`~rdep.kernels.LandmarkClassifier` with an RBF and a cubic polynomial kernel, and
    :class:`sklearn.linear_model.RidgeClassifier`. Their in-sample values are less over-optimistic
    than an SVC's, because there are many samples for each coefficient.

    Parameters
    ----------
    n_landmarks : int, default=2000
        Number of landmarks of each kernel. Training time grows with its square, prediction time in
        proportion.

    alpha : float, default=1.0
        Regularisation parameter of the members; greater values give smoother decision functions.

    %(cv)s

    %(stack)s

    class_weight : "balanced", "auto", dict or None, default=None
        Class weights of every member. ``"auto"`` is ``"balanced"`` here.

    random_state : int, RandomState instance or None, default=None
        Seed for drawing the landmarks; an integer draws the same landmarks for both kernels.

    %(n_jobs)s

    %(verbose)s

    Attributes
    ----------
    %(fitted)s

    References
    ----------
    %(sources)s

    C. K. I. Williams and M. Seeger, "Using the Nyström method to speed up kernel machines",
    Advances in Neural Information Processing Systems 13, 2001.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from rdep import LargeOrdering
    >>> X, y = make_moons(5000, random_state=0)
    >>> LargeOrdering(n_landmarks=100, random_state=0).fit(X, y).transform(X).shape
    (5000, 3)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **Ordering._parameter_constraints,
        "n_landmarks": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_landmarks=2000,
        *,
        alpha=1.0,
        cv=None,
        stack=False,
        class_weight=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.n_landmarks = n_landmarks
        self.alpha = alpha
        self.cv = cv
        self.stack = stack
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _named(self):
        def on_landmarks(kernel):
            return LandmarkClassifier(
                kernel,
                n_landmarks=self.n_landmarks,
                alpha=self.alpha,
                random_state=self.random_state,
            )

        return [
            ("rbf", on_landmarks("rbf")),
            ("linear", RidgeClassifier(alpha=self.alpha)),
            ("poly", on_landmarks("poly")),
        ]
