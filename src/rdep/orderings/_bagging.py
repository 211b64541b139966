"""The bagging ordering: decision values of one kind of classifier on bootstrap samples."""

from __future__ import annotations

from copy import deepcopy
from numbers import Integral, Real

import numpy as np
from joblib import Parallel, delayed
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.svm import SVC

from .._base._fitting import timed
from .._base._members import balanced_if_possible
from .._utils._docstrings import documented
from .._utils._sklearn_estimators import HasMethods, Interval, StrOptions
from .._utils._typing import Array, Mask
from ._base import FITTED, N_JOBS, REDUCED_ORDERINGS, STACK, VERBOSE, Ordering
from ._members import BootstrapDraw, DrawnMember, FittedMembers, seen_features, weights_by_code


@documented(
    stack=STACK % False, n_jobs=N_JOBS, verbose=VERBOSE, fitted=FITTED, sources=REDUCED_ORDERINGS
)
class BaggingOrdering(Ordering):
    """Decision values of classifiers of one kind, fitted on bootstrap samples.

    The members are fitted on classes 0 (negative) and 1 (positive).

    Read more in the :doc:`User Guide </guide/orderings>`.

    Parameters
    ----------
    estimator : classifier or None, default=None
        The member, with ``decision_function`` or ``predict_proba``. None means the member of the
        paper: an RBF SVC with scikit-learn's defaults.

    n_estimators : int, default=10
        Number of members.

    max_samples : int or float, default=1.0
        Number, or fraction, of samples drawn with replacement for each member.

    max_features : int or float, default=1.0
        Number, or fraction, of features drawn without replacement for each member.

    cv : int, cross-validation splitter, iterable, "oob" or None, default=None
        Cross-validation used by ``fit_transform`` for the values of the training samples. The
        values of a sample come from members fitted on the other folds; coordinate k comes from
        member k of the fold's bagging. An integer is the number of stratified folds of shuffled
        samples. ``"oob"`` (out of bag) fits no further members: if a sample is in the bootstrap
        sample of a member, the member's value is replaced by the mean of the members without the
        sample. None uses the fitted members themselves, whose in-sample values are too optimistic.

    %(stack)s

    class_weight : "balanced", "auto", dict or None, default=None
        Class weights of the members, which must have this parameter. None leaves the members as
        given. ``"auto"`` means ``"balanced"`` if the members have the parameter and it is None.

    random_state : int, RandomState instance or None, default=None
        Determines the draws of samples and features.

    %(n_jobs)s

    %(verbose)s

    Attributes
    ----------
    %(fitted)s
    estimators_features_ : list of ndarray
        Indices of the features drawn for each member.

    See Also
    --------
    EnsembleOrdering : Different classifiers, each fitted on all samples.
    MixedOrdering : Classifiers of four kinds, the default of RDEPClassifier.
    RDEPClassifier : Reduced DEP, which uses an ordering.

    References
    ----------
    %(sources)s

    L. Breiman, "Bagging predictors", Machine Learning 24(2), 1996.

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
        verbose=0,
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
        self.verbose = verbose

    @property
    def _hands_frames_on(self):
        return self.estimator is not None and not self._pairwise()

    _takes_sparse = True

    def _given_members(self):
        return [] if self.estimator is None else [self.estimator]

    def _template(self):
        return SVC() if self.estimator is None else self.estimator

    def _fit_members(self, X, y, sample_weight, fold_of):
        member = clone(self._template())
        class_weight = self._class_weight_for(member)
        if class_weight is not None:
            if "class_weight" not in member.get_params(deep=False):
                raise ValueError(
                    f"class_weight={class_weight!r} needs members with this parameter, but "
                    f"{type(member).__name__} has none: weight classes by its own parameters"
                )
            member.set_params(class_weight=weights_by_code(class_weight, np.unique(y)))
        if self._pairwise() and self.max_features != 1.0:
            raise ValueError(
                "max_features cannot draw from a precomputed kernel, whose columns are samples: "
                "set max_features=1.0"
            )
        # Counted here: scikit-learn uses a share of the sum of weights, whatever their scale.
        n_drawn = self.max_samples
        if not isinstance(n_drawn, Integral):
            n_drawn = max(1, int(n_drawn * X.shape[0]))
        # A fold does not advance the generator, so that all folds draw alike.
        is_fold = fold_of is not None
        random_state = deepcopy(self.random_state) if is_fold else self.random_state
        # BaggingClassifier draws by the weights itself: there is nothing to route.
        with config_context(enable_metadata_routing=False):
            bagging = BaggingClassifier(
                BootstrapDraw(member),
                n_estimators=self.n_estimators,
                max_samples=n_drawn,
                max_features=self.max_features,
                random_state=random_state,
            ).fit(np.broadcast_to(0.0, X.shape), y, sample_weight=sample_weight)
        features = bagging.estimators_features_
        codes = np.unique(y, return_inverse=True)[1]
        verbose = self.verbose - is_fold
        fitted = Parallel(n_jobs=self.n_jobs)(
            delayed(self._fit_drawn)(k, draw, seen_features(X, seen), codes, verbose)
            for k, (draw, seen) in enumerate(zip(bagging.estimators_, features, strict=True))
        )
        kind = type(member).__name__.lower()
        return FittedMembers(
            names=[f"{kind}{k}" for k in range(self.n_estimators)],
            estimators=[drawn if self._pairwise() else drawn.estimator_ for drawn in fitted],
            features=features,
            drawn=bagging.estimators_samples_,
        )

    def _class_weight_for(self, member):
        if self.class_weight != "auto":
            return self.class_weight
        has_one = "class_weight" in member.get_params(deep=False)
        return balanced_if_possible(member) if has_one else None

    def _fit_drawn(self, k, draw, X, codes, verbose):
        what = f"member {k + 1} of {self.n_estimators}"
        with timed(verbose, type(self).__name__, what):
            return DrawnMember(draw.estimator).fit(X, codes, draw.counts_)

    def _training_values(self, members, X, y, sample_weight, groups):
        if self.cv != "oob":
            return super()._training_values(members, X, y, sample_weight, groups)
        used = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight)
        values = self._decision_values(self._columns_in_use(X))
        drawn = np.zeros(values.shape, dtype=bool)
        for k, rows in enumerate(members.drawn):
            drawn[used[rows], k] = True
            for label in self.classes_:
                # A member whose draw has no sample of a class was fitted on all of its samples.
                if not drawn[y == label, k].any():
                    drawn[y == label, k] = True
        return _out_of_bag(values, drawn)


def _out_of_bag(values: Array, drawn: Mask) -> Array:
    """Replace in-sample values by the mean over the members that are out of bag.

    If all members were fitted on a sample, it keeps its values.
    """
    n_others = (~drawn).sum(axis=1)
    others = np.where(drawn, 0.0, values).sum(axis=1) / np.maximum(n_others, 1)
    return np.where(drawn & (n_others > 0)[:, None], others[:, None], values)
