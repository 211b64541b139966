"""The large ordering: decision values of classifiers trained in near-linear time."""

from __future__ import annotations

from numbers import Integral, Real

from sklearn.linear_model import RidgeClassifier

from .._utils._sklearn_parameters import Interval
from ..kernels._landmarks import LandmarkClassifier
from ._base import NamedMembers, Ordering


class LargeOrdering(NamedMembers):
    """Decision values of least-squares classifiers with the ensemble's three kernels.

    The time to train an SVC grows with the square of the number of samples, or faster. These
    members take one pass over the samples, in blocks, so that a million of
    them are a matter of minutes: :class:`~rdep.kernels.LandmarkClassifier` with an RBF and a
    cubic polynomial kernel, and :class:`sklearn.linear_model.RidgeClassifier`. Values of the
    samples they were fitted on are less over-confident than an SVC's, for there are many samples
    to each coefficient.

    Parameters
    ----------
    n_landmarks : int, default=2000
        Of each kernel. Training time grows with its square, prediction time in proportion.

    alpha : float, default=1.0
        Regularisation of the members: greater is smoother.

    cv : int, cross-validation splitter, iterable or None, default=None
        With ``fit_transform``: cross-fit the values of the training samples. A number means so
        many stratified folds of shuffled samples.

    stack : bool, default=False
        One more component: a logistic regression of the members' values, in which both classes
        weigh the same. Fitted on cross-fitted values where ``cv`` asks for them.

    class_weight : "balanced", dict or None, default=None
        For every member.

    random_state : int, RandomState instance or None, default=None
        Draws the landmarks; with a number they are the same for both kernels.

    n_jobs : int or None, default=None
        Members to fit at the same time.

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted members.
    stack_ : Pipeline
        With ``stack``, what computes the last component from the others.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has feature names that are all strings.

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
    ):
        self.n_landmarks = n_landmarks
        self.alpha = alpha
        self.cv = cv
        self.stack = stack
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

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
