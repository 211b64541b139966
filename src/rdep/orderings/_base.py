r"""Base of orderings by classifiers: validation, cross-fitting, the stack, names.

Each coordinate of :math:`\rho(x) = (\rho_1(x), \dots, \rho_r(x))` is the decision value of one
classifier, the *member*. One sample is greater than another if all members give it larger values.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import ClassifierTags, get_tags
from sklearn.utils.validation import check_is_fitted

from .._base._fitting import timed, unchanged_on_error
from .._base._groups import GroupsMixin, checked_groups
from .._base._members import fit_member, folds_in_use, linear_values, standardised
from .._base._members import inner_folds as inner_folds
from .._base._validation import (
    class_costs,
    drop_weightless,
    validate_samples,
    validate_training,
)
from .._utils._sklearn_estimators import (
    Interval,
    StrOptions,
    _fit_context,
    _safe_indexing,
    _VisualBlock,
)
from .._utils._typing import Array, Indices
from ._members import FittedMembers, member_called, out_of_bag_values
from ._stack import POSITIVE, fitted_stack

SHARE = [Interval(Real, 0, 1, closed="left")]

# Shared descriptions of parameters, attributes and references.
CV = """
cv : int, cross-validation splitter, iterable or None, default=None
    Cross-validation used by ``fit_transform`` for the values of the training samples. The values of
    a sample come from members fitted on the other folds. An integer is the number of stratified
    folds of shuffled samples. None uses the fitted members themselves, whose in-sample values are
    too optimistic. With an integer and equal sample weights, a forest with ``oob_score=True`` is
    not fitted again: its out-of-bag values are used. Classes are balanced within its bags. A
    splitter receives the ``groups`` that are passed to ``fit``.
"""

STACK = """
stack : bool or "positive", default=%s
    Whether to add the stack, one more coordinate of ρ. It is the decision value of a logistic
    regression on the members' values. Its class weights are balanced, or those of ``class_weight``
    if that is a dict. It is fitted on cross-fitted values if ``cv`` is set, otherwise on in-sample
    values, which are too optimistic. With ``"positive"`` all coefficients are at least zero, as in
    Breiman's stacks, so the stack never falls if a member's value rises. If no member separates the
    classes, the stack is zero.
"""

SHRINKAGE = """
shrinkage : float in [0, 1), default=%s
    Weight of the stack in the decision%s; the DEP has the weight 1 - shrinkage. Both are in units
    of standard deviations. 0.5 means the mean of both. The DEP is trained on the members' values;
    ``transform`` adds shrinkage / (1 - shrinkage) times the stack to all coordinates, and thereby
    to the DEP's value. With ``cv=None``, ``fit_transform`` adds it as well, and the DEP is trained
    on the sums.
"""

N_JOBS = """
n_jobs : int or None, default=None
    Number of members to fit in parallel. None means 1.
"""

VERBOSE = """
verbose : int, default=0
    1 prints each member and each fold of ``cv`` with its time, as soon as it is fitted. 2 prints
    the members of each fold as well.
"""

FITTED = """
estimators_ : list of classifiers
    The fitted members.
stack_ : Pipeline
    The logistic regression on the members' values. Defined if ``stack`` is set.
stack_scale_ : float
    Standard deviation of the stack's decision values in ``fit``.
classes_ : ndarray of shape (2,)
    The negative and the positive class.
n_features_in_ : int
    Number of features seen during fit.
feature_names_in_ : ndarray of shape (n_features,)
    Names of features seen during fit, if X has feature names that are all strings.
"""

REDUCED_ORDERINGS = """
J. Goutsias, H. J. A. M. Heijmans and K. Sivakumar, "Morphological operators for image
sequences", Computer Vision and Image Understanding 62(3), 1995.

M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
2020.
"""


def validate_two_classes(ordering: BaseEstimator, X, y, sample_weight):
    """Validate samples of two classes and their weights."""
    if y is None:
        raise ValueError(
            f"requires y to be passed, but the target y is None: {type(ordering).__name__} is "
            "fitted on samples of two classes"
        )
    X, y, sample_weight, classes = validate_training(ordering, X, y, sample_weight)
    if len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass: "
            f"an ordering needs two classes, but y has {len(classes)}. RDEPClassifier handles more "
            "classes, one against the rest"
        )
    return X, y, sample_weight


class FoldOf(NamedTuple):
    """Data that a fold belongs to, and the members that it needs."""

    n_samples: int  # number of samples of all folds together
    members: Indices  # members whose values are needed


class Ordering(GroupsMixin, TransformerMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of orderings by members: validation, cross-fitting, names.

    Subclasses fit the members and compute their decision values.
    """

    shrinkage: float = 0.0  # for orderings without this parameter

    _parameter_constraints = {
        "cv": ["cv_object"],
        "stack": ["boolean", StrOptions({POSITIVE})],
        "class_weight": [StrOptions({"balanced", "auto"}), dict, None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    @property
    def _hands_frames_on(self) -> bool:
        """Whether members receive data frames unchanged; default members need numbers."""
        return False

    # Whether the default members accept sparse samples.
    _takes_sparse = False

    @abstractmethod
    def _fit_members(
        self, X, y: NDArray, sample_weight: Array | None, fold_of: FoldOf | None
    ) -> FittedMembers:
        """Fit the members, or those that a fold needs; all weights are positive."""

    def _given_members(self) -> list[BaseEstimator]:
        """Unfitted members given by the user; an empty list for default members."""
        return []

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None, groups=None):
        """Fit every member.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training samples, or their (n_samples, n_samples) kernel matrix if the members use a
            precomputed kernel.
        y : array-like of shape (n_samples,)
            Two classes; the second in sorted order is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.
        groups : array-like of shape (n_samples,), default=None
            Groups of samples that belong together, for a ``cv`` that splits by them, such as a
            :class:`~sklearn.model_selection.StratifiedGroupKFold`.

        Returns
        -------
        self
            The fitted ordering.
        """
        with unchanged_on_error(self):
            X, y, sample_weight = self._validate_training(X, y, sample_weight)
            groups = checked_groups(self, groups, y)
            members = self._fit(X, y, sample_weight)
            if self.stack:
                values = self._training_values(members, X, y, sample_weight, groups)
                self._fit_stack(values, y, sample_weight)
        return self

    @_fit_context(prefer_skip_nested_validation=False)
    def fit_transform(self, X, y, sample_weight=None, groups=None):
        """Fit every member and return ρ of the training samples.

        With ``cv=None`` the values are those of the fitted members: in-sample and too optimistic.
        If ``cv`` is set, they are *cross-fitted*: the values of a sample come from members fitted
        on the other folds. They then differ from ``fit(X, y).transform(X)``, because ``transform``
        uses the members fitted on all samples. With ``cv`` and ``shrinkage``, only ``transform``
        adds the share of the stack.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training samples, or their (n_samples, n_samples) kernel matrix if the members use a
            precomputed kernel.
        y : array-like of shape (n_samples,)
            Two classes; the second in sorted order is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.
        groups : array-like of shape (n_samples,), default=None
            Groups of samples that belong together, for a ``cv`` that splits by them, such as a
            :class:`~sklearn.model_selection.StratifiedGroupKFold`.

        Returns
        -------
        ndarray of shape (n_samples, n_coordinates)
            ρ of the training samples: one column for each member, and one for the stack.
        """
        with unchanged_on_error(self):
            X, y, sample_weight = self._validate_training(X, y, sample_weight)
            groups = checked_groups(self, groups, y)
            members = self._fit(X, y, sample_weight)
            values = self._training_values(members, X, y, sample_weight, groups)
            if not self.stack:
                return values
            self._fit_stack(values, y, sample_weight)
            values = self._with_stack(values)
            if not self.shrinkage:
                return values
            return values @ self.shrinking() if self.cv is None else values / self._deviations()

    def transform(self, X):
        """Compute ρ: the decision values of the fitted members.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples, or their kernel matrix with the training samples if the members use a
            precomputed kernel.

        Returns
        -------
        ndarray of shape (n_samples, n_coordinates)
            ρ of the samples: one column for each member, and one for the stack.
        """
        check_is_fitted(self)
        X = validate_samples(self, X)
        values = self._decision_values(self._columns_in_use(X))
        if not self.stack:
            return values
        values = self._with_stack(values)
        return values @ self.shrinking() if self.shrinkage else values

    def get_feature_names_out(self, input_features=None):
        """Get the names of the members.

        Parameters
        ----------
        input_features : ignored
            Not used, present for API consistency with scikit-learn.

        Returns
        -------
        ndarray of str objects
            Names of the coordinates of ρ.
        """
        check_is_fitted(self)
        return np.array([*self._names, *(["stack"] if self.stack else [])], dtype=object)

    def _validate_training(self, X, y, sample_weight):
        X, y, sample_weight = validate_two_classes(self, X, y, sample_weight)
        if isinstance(self.class_weight, dict):
            class_costs(self.class_weight, np.unique(y))
        return X, y, sample_weight

    def _fit(self, X, y, sample_weight) -> FittedMembers:
        self._rows_in_use = None
        if sample_weight is not None and not sample_weight.all():
            rows = np.flatnonzero(sample_weight)
            X, y, sample_weight = self._select(X, rows), y[rows], sample_weight[rows]
            if self._pairwise():
                self._rows_in_use = rows
        members = self._fit_members(X, y, _none_if_one(sample_weight), None)
        self.estimators_, self._names = members.estimators, members.names
        if members.features is not None:
            self.estimators_features_ = members.features
        self.classes_ = np.unique(y)
        return members

    def _decision_values(self, X) -> Array:
        """Compute the values of all members for validated samples, one column each."""
        features = getattr(self, "estimators_features_", None)
        return FittedMembers(self._names, self.estimators_, features).values(X)

    def _training_values(self, members: FittedMembers, X, y, sample_weight, groups) -> Array:
        if self.cv is None:
            return self._decision_values(self._columns_in_use(X))
        return self._cross_fitted(X, y, sample_weight, groups)

    def _fit_stack(self, values: Array, y: NDArray, sample_weight: Array | None) -> None:
        values, y, sample_weight = drop_weightless(sample_weight, values, y)
        self.stack_ = fitted_stack(
            values,
            y,
            sample_weight,
            positive=self.stack == POSITIVE,
            class_weight=self.class_weight if isinstance(self.class_weight, dict) else "balanced",
        )
        stacked = self.stack_.decision_function(values)
        mean = np.average(stacked, weights=sample_weight)
        deviation = np.sqrt(np.average((stacked - mean) ** 2, weights=sample_weight))
        self.stack_scale_ = float(deviation) or 1.0  # a stack without signal is zero everywhere

    def _with_stack(self, values: Array) -> Array:
        scaler, logistic = self.stack_
        stacked = linear_values(logistic, standardised(scaler, values))
        return np.column_stack([values, stacked])

    def _deviations(self) -> Array:
        """Standard deviations of the values of the members and of the stack in ``fit``."""
        return np.append(self.stack_[0].scale_, self.stack_scale_)

    def shrinking(self) -> Array:
        r"""Matrix that adds a share of the stack to all coordinates, including its own.

        In units of standard deviations, :math:`\rho_k` becomes
        :math:`\rho_k + \frac{\lambda}{1 - \lambda} s`. A number added to all coordinates is added
        to maxima and minima. So a DEP on the new coordinates is the DEP on the members plus that
        multiple of the stack: up to a factor, :math:`1 - \lambda` of the DEP and :math:`\lambda` of
        the stack.
        """
        scales = self._deviations()
        matrix = np.eye(len(scales))
        matrix[-1] += self.shrinkage / (1 - self.shrinkage)
        return matrix / scales[:, None]

    def _cross_fitted(self, X, y, sample_weight, groups) -> Array:
        used = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight)
        values = np.full((len(y), len(self.estimators_)), np.nan)
        # Samples with zero weight are in no fold: their values come from the final members.
        unused = np.setdiff1d(np.arange(len(y)), used)
        if len(unused):
            rows = _safe_indexing(X, unused)
            values[unused] = self._decision_values(self._columns_in_use(rows))
        # Out-of-bag values replace random folds only, not folds given by a splitter.
        out_of_bag = self._out_of_bag() if isinstance(self.cv, Integral) else {}
        for k, of_member in out_of_bag.items():
            values[used, k] = of_member
        others = np.setdiff1d(np.arange(values.shape[1]), list(out_of_bag))
        if not len(others):
            return values
        fold_of = FoldOf(len(used), others)
        folds = list(folds_in_use(self.cv, y, sample_weight, groups))
        for k, (train, test) in enumerate((used[a], used[b]) for a, b in folds):
            weights = None if sample_weight is None else sample_weight[train]
            if len(np.unique(y[train])) < 2:
                raise ValueError(
                    "a fold of cv has training samples of one class only: use fewer folds, or "
                    "cv=None"
                )
            with timed(self.verbose, type(self).__name__, f"fold {k + 1} of {len(folds)}"):
                members = self._fit_members(
                    self._select(X, train), y[train], _none_if_one(weights), fold_of
                )
                rows = X[np.ix_(test, train)] if self._pairwise() else _safe_indexing(X, test)
                values[np.ix_(test, others)] = members.values(rows)
        if np.isnan(values).any():
            raise ValueError(
                "cv must put every sample into exactly one test fold; "
                f"{int(np.isnan(values).any(axis=1).sum())} of {len(values)} samples are in none"
            )
        return values

    def _out_of_bag(self) -> dict[int, Array]:
        """Out-of-bag values by member index, for the members that have them."""
        return {}

    def _select(self, X, rows):
        return X[np.ix_(rows, rows)] if self._pairwise() else _safe_indexing(X, rows)

    def _columns_in_use(self, X):
        """Drop the kernel columns of samples that had zero weight in ``fit``."""
        return X if self._rows_in_use is None else X[:, self._rows_in_use]

    def _pairwise(self) -> bool:
        return any(get_tags(member).input_tags.pairwise for member in self._given_members())

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        members = [get_tags(member).input_tags for member in self._given_members()]
        tags.input_tags.sparse = (
            all(member.sparse for member in members) if members else self._takes_sparse
        )
        tags.input_tags.pairwise = any(member.pairwise for member in members)
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


class MemberListOrdering(Ordering):
    """Base of orderings by named classifiers, each fitted on all samples."""

    @abstractmethod
    def _named(self) -> list[tuple[str, BaseEstimator]]:
        """Names and unfitted members."""

    def _named_for(
        self, n_samples: int, n_in_all: int | None = None
    ) -> list[tuple[str, BaseEstimator]]:
        """Names and unfitted members for a number of samples, or for a fold of ``n_in_all``."""
        return self._named()

    def _fit_members(self, X, y, sample_weight, fold_of):
        verbose = self.verbose
        if fold_of is None:
            named = self._named_for(X.shape[0])
        else:
            named = self._named_for(X.shape[0], fold_of.n_samples)
            named, verbose = [named[k] for k in fold_of.members], verbose - 1
        fitted = Parallel(n_jobs=self.n_jobs)(
            delayed(self._fit_named)(name, member, X, y, sample_weight, verbose)
            for name, member in named
        )
        return FittedMembers([name for name, _ in named], fitted)

    def _fit_named(self, name, member, X, y, sample_weight, verbose):
        class_weight = self._class_weight_of(name)
        with timed(verbose, type(self).__name__, f"member {name}"):
            return fit_member(member_called(name), member, X, y, sample_weight, class_weight)

    def _class_weight_of(self, name: str):
        """Class weights of a member."""
        return self.class_weight

    def _out_of_bag(self):
        return {
            k: values
            for k, member in enumerate(self.estimators_)
            if (values := out_of_bag_values(member)) is not None
        }

    def _sk_visual_block_(self):
        names, members = zip(*self._named(), strict=True)
        return _VisualBlock("parallel", list(members), names=list(names))


def _none_if_one(sample_weight: Array | None) -> Array | None:
    """Replace weights of one by None: out-of-bag values of a forest need a fit without weights."""
    return None if sample_weight is None or (sample_weight == 1).all() else sample_weight
