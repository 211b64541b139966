r"""What orderings by classifiers share: validation, cross-fitting, the stack, names.

Each component of :math:`\rho(x) = (\rho_1(x), \dots, \rho_r(x))` is the decision value of one
classifier, the *member*. A sample is greater than another if all members give it a greater value.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from numbers import Integral, Real

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils import ClassifierTags, get_tags
from sklearn.utils.validation import check_is_fitted

from .._base._fitting import timed, unchanged_on_error
from .._base._folds import folds_in_use
from .._base._validation import class_costs, validate_samples, validate_training
from .._utils._sklearn_composition import _VisualBlock
from .._utils._sklearn_frames import _safe_indexing
from .._utils._sklearn_parameters import Interval, StrOptions, _fit_context
from .._utils._typing import Array, Indices
from ._members import decision_values, fit_member, member_called, out_of_bag_values
from ._stack import POSITIVE, fitted_stack

SHARE = [Interval(Real, 0, 1, closed="left")]


def validate_two_classes(ordering: BaseEstimator, X, y, sample_weight):
    """What an ordering learns from, as arrays: samples of two classes and their weights."""
    if y is None:
        raise ValueError(
            f"requires y to be passed, but the target y is None: {type(ordering).__name__} is "
            "fitted on samples of two classes"
        )
    X, y, sample_weight, classes = validate_training(ordering, X, y, sample_weight)
    if len(classes) > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass: "
            f"an ordering needs two classes, y has {len(classes)}. RDEPClassifier takes more, as "
            "one-vs-rest problems"
        )
    return X, y, sample_weight


class Ordering(TransformerMixin, BaseEstimator, metaclass=ABCMeta):
    """What all orderings share: validation, cross-fitting, names.

    Subclasses say how to fit the members and how to compute their decision values.
    """

    # Of orderings that have no such parameter.
    shrinkage: float = 0.0

    _parameter_constraints = {
        "cv": ["cv_object"],
        "stack": ["boolean", StrOptions({POSITIVE})],
        "class_weight": [StrOptions({"balanced", "auto"}), dict, None],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    @property
    def _hands_frames_on(self) -> bool:
        """Whether members see a data frame as it is; members of our own choice take numbers."""
        return False

    @abstractmethod
    def _fit_members(self, X, y: NDArray, sample_weight: Array | None) -> None:
        """Set ``estimators_`` and ``_names``; every weight is positive."""

    @abstractmethod
    def _decision_values(self, X) -> Array:
        """Values of all members, shape (n_samples, n_members), of validated samples."""

    @abstractmethod
    def _templates(self) -> list[BaseEstimator]:
        """The members before fitting."""

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Fit every member.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training samples, or their (n_samples, n_samples) kernel matrix if the members take a
            precomputed kernel.
        y : array-like of shape (n_samples,)
            Classes, two of them; the greater is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights; None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        self
            The fitted ordering.
        """
        with unchanged_on_error(self):
            X, y, sample_weight = self._validate_training(X, y, sample_weight)
            self._fit(X, y, sample_weight)
            if self.stack:
                self._fit_stack(self._training_values(X, y, sample_weight), y, sample_weight)
        return self

    @_fit_context(prefer_skip_nested_validation=False)
    def fit_transform(self, X, y, sample_weight=None):
        """Fit every member and return ρ of the training samples.

        With ``cv=None`` the values are those of the fitted members, in-sample (over-optimistic).
        With ``cv`` set they are *cross-fitted*: the values of a sample come from members fitted on
        the other folds. They then differ from ``fit(X, y).transform(X)``, whose members are fitted
        on all samples; those are the members kept. With ``cv`` and ``shrinkage`` they are those of
        the members as they are, for training; ``transform`` adds the share of the stack.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training samples, or their (n_samples, n_samples) kernel matrix if the members take a
            precomputed kernel.
        y : array-like of shape (n_samples,)
            Classes, two of them; the greater is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights; None means 1 for every sample. Samples with zero weight are ignored.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
            ρ of the training samples: one column for each member, and one for the stack.
        """
        with unchanged_on_error(self):
            X, y, sample_weight = self._validate_training(X, y, sample_weight)
            self._fit(X, y, sample_weight)
            values = self._training_values(X, y, sample_weight)
            if not self.stack:
                return values
            self._fit_stack(values, y, sample_weight)
            values = self._with_stack(values)
            if not self.shrinkage:
                return values
            return values @ self.shrinking() if self.cv is None else values / self._deviations()

    def transform(self, X):
        """Compute ρ, the decision values of the fitted members.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples, or their kernel matrix with the training samples if the members take a
            precomputed kernel.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
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
        """Names of the members.

        Parameters
        ----------
        input_features : ignored
            Not used, present for the interface of scikit-learn.

        Returns
        -------
        ndarray of str objects
            Names of the components of ρ.
        """
        check_is_fitted(self)
        return np.array([*self._names, *(["stack"] if self.stack else [])], dtype=object)

    def _validate_training(self, X, y, sample_weight):
        X, y, sample_weight = validate_two_classes(self, X, y, sample_weight)
        if isinstance(self.class_weight, dict):
            class_costs(self.class_weight, np.unique(y))
        return X, y, sample_weight

    def _fit(self, X, y, sample_weight) -> None:
        self._rows_in_use = None
        if sample_weight is not None and not sample_weight.all():
            rows = np.flatnonzero(sample_weight)
            X, y, sample_weight = self._select(X, rows), y[rows], sample_weight[rows]
            if self._pairwise():
                self._rows_in_use = rows
        if sample_weight is not None and (sample_weight == 1).all():
            sample_weight = None  # the out-of-bag values of a forest serve without weights only
        self._fit_members(X, y, sample_weight)
        self.classes_ = np.unique(y)

    def _training_values(self, X, y, sample_weight) -> Array:
        if self.cv is None:
            return self._decision_values(self._columns_in_use(X))
        return self._cross_fitted(X, y, sample_weight)

    def _fit_stack(self, values: Array, y: NDArray, sample_weight: Array | None) -> None:
        self.stack_ = fitted_stack(values, y, sample_weight, positive=self.stack == POSITIVE)
        stacked = self.stack_.decision_function(values)
        mean = np.average(stacked, weights=sample_weight)
        deviation = np.sqrt(np.average((stacked - mean) ** 2, weights=sample_weight))
        self.stack_scale_ = float(deviation) or 1.0  # a stack without signal is zero everywhere

    def _with_stack(self, values: Array) -> Array:
        return np.column_stack([values, self.stack_.decision_function(values)])

    def _deviations(self) -> Array:
        """Standard deviations of the members' and of the stack's values in the fit."""
        return np.append(self.stack_[0].scale_, self.stack_scale_)

    def shrinking(self) -> Array:
        r"""The matrix that adds a share of the stack to all values, its own included.

        In units of standard deviations, :math:`\rho_k` becomes
        :math:`\rho_k + \frac{\lambda}{1 - \lambda} s`. As maxima and minima move with what is added
        to all coordinates, a DEP there is the DEP of the members plus that multiple of the stack:
        :math:`1 - \lambda` of the one and :math:`\lambda` of the other, but for a factor.
        """
        scales = self._deviations()
        matrix = np.eye(len(scales))
        matrix[-1] += self.shrinkage / (1 - self.shrinkage)
        return matrix / scales[:, None]

    def _cross_fitted(self, X, y, sample_weight) -> Array:
        # Samples with zero weight are in no fold: their values come from the members kept.
        values = self._decision_values(self._columns_in_use(X))
        used = np.arange(len(y)) if sample_weight is None else np.flatnonzero(sample_weight)
        values[used] = np.nan
        out_of_bag = self._out_of_bag()
        for k, of_member in out_of_bag.items():
            values[used, k] = of_member
        others = np.setdiff1d(np.arange(values.shape[1]), list(out_of_bag))
        if not len(others):
            return values
        folds = list(folds_in_use(self.cv, y, sample_weight))
        for k, (train, test) in enumerate((used[a], used[b]) for a, b in folds):
            weights = None if sample_weight is None else sample_weight[train]
            if len(np.unique(y[train])) < 2:
                raise ValueError(
                    "a fold of cv has training samples of one class only: choose fewer folds, or "
                    "cv=None"
                )
            fold = self._for_a_fold(others)
            with timed(self.verbose, type(self).__name__, f"fold {k + 1} of {len(folds)}"):
                fold.fit(self._select(X, train), y[train], weights)
                rows = X[np.ix_(test, train)] if self._pairwise() else _safe_indexing(X, test)
                values[np.ix_(test, others)] = fold._decision_values(fold._columns_in_use(rows))
        if np.isnan(values).any():
            raise ValueError(
                "cv must put every sample into exactly one test fold; this one leaves out "
                f"{int(np.isnan(values).any(axis=1).sum())} of {len(values)}"
            )
        return values

    def _for_a_fold(self, members: Indices) -> Ordering:
        """An unfitted copy with these members, to be fitted on the samples of the other folds."""
        return clone(self).set_params(cv=None, stack=False, verbose=max(0, self.verbose - 1))

    def _out_of_bag(self) -> dict[int, Array]:
        """Of members that have such, the values of the samples in use from fits without them."""
        return {}

    def _select(self, X, rows):
        return X[np.ix_(rows, rows)] if self._pairwise() else _safe_indexing(X, rows)

    def _columns_in_use(self, X):
        """Without the kernel columns of samples that had no weight in the fit."""
        return X if self._rows_in_use is None else X[:, self._rows_in_use]

    def _pairwise(self) -> bool:
        return any(get_tags(member).input_tags.pairwise for member in self._templates())

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        members = [get_tags(member).input_tags for member in self._templates()]
        tags.input_tags.sparse = all(member.sparse for member in members)
        tags.input_tags.pairwise = any(member.pairwise for member in members)
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags


class NamedMembers(Ordering):
    """An ordering by different classifiers, each fitted on all samples and known by a name."""

    @abstractmethod
    def _named(self) -> list[tuple[str, BaseEstimator]]:
        """The names and the members before fitting."""

    _chosen: Indices | None = None  # for a fold: the members whose values it is to give

    def _named_for(self, n_samples: int) -> list[tuple[str, BaseEstimator]]:
        """The same, where the number of training samples is known."""
        return self._named()

    def _templates(self):
        return [member for _, member in self._named()]

    def _fit_members(self, X, y, sample_weight):
        named = self._named_for(X.shape[0])
        if self._chosen is not None:
            named = [named[k] for k in self._chosen]
        self._names = [name for name, _ in named]
        self.estimators_ = Parallel(n_jobs=self.n_jobs)(
            delayed(self._fit_named)(name, member, X, y, sample_weight) for name, member in named
        )

    def _fit_named(self, name, member, X, y, sample_weight):
        class_weight = self._class_weight_of(name)
        with timed(self.verbose, type(self).__name__, f"member {name}"):
            return fit_member(member_called(name), member, X, y, sample_weight, class_weight)

    def _class_weight_of(self, name: str):
        """Class weights of a member."""
        return self.class_weight

    def _decision_values(self, X):
        return decision_values(self._names, self.estimators_, X)

    def _for_a_fold(self, members):
        fold = super()._for_a_fold(members)
        fold.shrinkage, fold._chosen = 0.0, members
        return fold

    def _out_of_bag(self):
        return {
            k: values
            for k, member in enumerate(self.estimators_)
            if (values := out_of_bag_values(member)) is not None
        }

    def _sk_visual_block_(self):
        names, members = zip(*self._named(), strict=True)
        return _VisualBlock("parallel", list(members), names=list(names))
