"""The bagging ordering: decision values of one kind of classifier on different samples."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.svm import SVC

from .._utils._sklearn_parameters import HasMethods, Interval, StrOptions
from .._utils._typing import Array, Mask
from ._base import Ordering
from ._members import DrawnMember, decision_values, weights_by_code


class BaggingOrdering(Ordering):
    """Decision values of classifiers of one kind, fitted on bootstrap samples.

    Parameters
    ----------
    estimator : classifier or None, default=None
        The member, with ``decision_function`` or ``predict_proba``. None means the paper's: an RBF
        SVC with scikit-learn's defaults.

    n_estimators : int, default=10

    max_samples : int or float, default=1.0
        Number or share of samples to draw, with replacement, for each member.

    max_features : int or float, default=1.0
        Number or share of features to draw, without replacement, for each member.

    cv : int, cross-validation splitter, iterable, "oob" or None, default=None
        With ``fit_transform``: cross-fit the values of the training samples. A number means so
        many stratified folds of shuffled samples. The k-th column then joins the k-th members of
        the folds' baggings. ``"oob"`` fits nothing more: the value of a
        member for a sample it was fitted on becomes the mean of those that were not.

    stack : bool, default=False
        One more component: a logistic regression of the members' values, in which both classes
        weigh the same. Fitted on cross-fitted values where ``cv`` asks for them.

    class_weight : "balanced", dict or None, default=None
        For the members, which need such a parameter; None leaves it as given.

    random_state : int, RandomState instance or None, default=None

    n_jobs : int or None, default=None
        Members to fit at the same time.

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted members. Their classes are 0 and 1.
    estimators_features_ : list of ndarray
        The features each of them sees.
    stack_ : Pipeline
        With ``stack``, what computes the last component from the others.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has feature names that are all strings.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from rdep import BaggingOrdering
    >>> X, y = make_moons(random_state=0)
    >>> BaggingOrdering(n_estimators=2, random_state=0).fit_transform(X, y).shape
    (100, 2)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **Ordering._parameter_constraints,
        "cv": [*Ordering._parameter_constraints["cv"], StrOptions({"oob"})],
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_samples": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
        ],
        "max_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
        ],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        *,
        n_estimators=10,
        max_samples=1.0,
        max_features=1.0,
        cv=None,
        stack=False,
        class_weight=None,
        random_state=None,
        n_jobs=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.cv = cv
        self.stack = stack
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _templates(self):
        return [SVC() if self.estimator is None else self.estimator]

    def _fit_members(self, X, y, sample_weight):
        member = clone(self._templates()[0])
        if self.class_weight is not None:
            if "class_weight" not in member.get_params(deep=False):
                raise ValueError(
                    f"class_weight={self.class_weight!r} is for members that have such a parameter;"
                    f" {type(member).__name__} has none: set its own weights instead"
                )
            member.set_params(class_weight=weights_by_code(self.class_weight, np.unique(y)))
        if self._pairwise() and self.max_features != 1.0:
            raise ValueError(
                "max_features cannot draw from a precomputed kernel, whose columns are samples: "
                "leave it at 1.0"
            )
        # Counted here: scikit-learn takes a share of the sum of weights, whatever their scale.
        n_drawn = self.max_samples
        if not isinstance(n_drawn, Integral):
            n_drawn = max(1, int(n_drawn * X.shape[0]))
        # The weights go to BaggingClassifier itself, which draws by them: nothing to be routed.
        with config_context(enable_metadata_routing=False):
            bagging = BaggingClassifier(
                DrawnMember(member),
                n_estimators=self.n_estimators,
                max_samples=n_drawn,
                max_features=self.max_features,
                random_state=self.random_state,
                n_jobs=self.n_jobs,
            ).fit(X, y, sample_weight=sample_weight)
        self.estimators_ = [
            drawn if self._pairwise() else drawn.estimator_ for drawn in bagging.estimators_
        ]
        self.estimators_features_ = bagging.estimators_features_
        if self.cv == "oob":
            self._drawn = bagging.estimators_samples_
        kind = type(self._templates()[0]).__name__.lower()
        self._names = [f"{kind}{k}" for k in range(self.n_estimators)]

    def _training_values(self, X, y, sample_weight):
        if self.cv != "oob":
            return super()._training_values(X, y, sample_weight)
        used = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight)
        values = self._decision_values(self._columns_in_use(X))
        drawn = np.zeros(values.shape, dtype=bool)
        for k, rows in enumerate(self._drawn):
            drawn[used[rows], k] = True
            for label in self.classes_:
                # A member whose draw has nothing of a class was given all of it.
                if not drawn[y == label, k].any():
                    drawn[y == label, k] = True
        del self._drawn
        return _out_of_bag(values, drawn)

    def _decision_values(self, X):
        if all(len(features) == X.shape[1] for features in self.estimators_features_):
            return decision_values(self._names, self.estimators_, X)
        return np.hstack(
            [
                decision_values([name], [member], X[:, features])
                for name, member, features in zip(
                    self._names, self.estimators_, self.estimators_features_, strict=True
                )
            ]
        )


def _out_of_bag(values: Array, drawn: Mask) -> Array:
    """Values of members for samples they know, replaced by the mean of those that do not.

    A sample that all members know keeps its values.
    """
    n_others = (~drawn).sum(axis=1)
    others = np.where(drawn, 0.0, values).sum(axis=1) / np.maximum(n_others, 1)
    return np.where(drawn & (n_others > 0)[:, None], others[:, None], values)
