"""The reduced dilation-erosion perceptron: a classifier on a learned ordering."""

from __future__ import annotations

import warnings
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import has_fit_parameter

from .. import orderings
from .._base._extremes import drawn_in, extreme_rows, reach_of, usual_size
from .._base._fitting import timed
from .._base._groups import GroupedClassifier, splits_by_groups
from .._base._members import fit_member, standardised, value_of
from .._base._missing import in_place_of_missing, ranges
from .._base._one_vs_rest import SignClassifier
from .._base._orientation import given_signs, signs_by_name
from .._base._probabilities import logistic_map, probabilities
from .._base._record import in_words, negated
from .._base._validation import drop_weightless, feature_names, validate_samples
from .._utils._doors import room
from .._utils._partitions import is_partitioned, lazy_on_dask
from .._utils._sklearn_estimators import StrOptions
from .._utils._typing import Array
from ..exceptions import (
    DegenerateFitWarning,
    DirectionWarning,
    ExtremeValueWarning,
    LongFitWarning,
    warn_caller,
)
from ..inspection import (
    ExplainedClassifier,
    OperatorClassifier,
    explanation_of,
    ordered_coordinates,
)
from ..orderings import (
    ORDERINGS,
    BaggingOrdering,
    EnsembleOrdering,
    FeatureOrdering,
    MixedOrdering,
    Ordering,
    expected_seconds,
)
from ._dep import PAPER, DEPClassifier

# Relative to the values of ρ: far above the rounding of kernel sums, far below any margin.
_RELATIVE_ROUNDING = 1e-10

_PAPER = {
    "scale_input": True,
    "scale_ordering": True,
    "class_weight": None,
    "monotonic_cst": None,
}
_AUTO = "auto"
# The margin of the DEP on ρ(x), if no DEP is given.
_MARGIN = 0.25
_LONG_SECONDS = 60
_PARTS = ("ordering", "dep")


def _has_probabilities(rdep: RDEPClassifier) -> bool:
    """Whether the values of ρ in ``fit`` are cross-fitted, so that they may be calibrated."""
    ordering = _default_part("ordering", rdep.ordering) or rdep.ordering
    return isinstance(ordering, Ordering) and getattr(ordering, "cv", None) is not None


class RDEPClassifier(GroupedClassifier, ExplainedClassifier):
    r"""Reduced dilation-erosion perceptron.

    A mapping :math:`\rho`, learned from the classes, takes each sample to a point whose coordinates
    grow with the positive class. A :class:`DEPClassifier`, or another classifier, is trained on
    these points:

    .. math::

        \tau^r(x) = \beta \, \delta_w(\rho(x)) + (1 - \beta) \, \varepsilon_m(\rho(x)) .

    The defaults were chosen for accuracy on the paper's data sets. They use cross-fitted members of
    four kinds and give both classes the same weight. The decision is the mean of a DEP and a stack
    of the members. The DEP has the defaults of :class:`DEPClassifier`, but a margin of 0.25 instead
    of 0.5: on ρ(x) this gains 0.006, while on plain features the larger margin resists
    uninformative features better. :meth:`paper` creates the r-DEP of the paper.

    With the orderings ``"signed"`` and ``"boxes"``, values may be missing (NaN), as in a
    :class:`DEPClassifier`. Other orderings need an imputer before them.

    Read more in the :doc:`User Guide </guide/orderings>`.

    Parameters
    ----------
    ordering : str or transformer, default="mixed"
        The mapping ρ. ``"mixed"`` is a :class:`MixedOrdering`, whose members are of four kinds;
        ``"ensemble"`` and ``"bagging"`` are an :class:`EnsembleOrdering` and a
        :class:`BaggingOrdering` with the paper's members; ``"signed"`` and ``"boxes"`` are a
        :class:`SignedOrdering` and a :class:`BoxesOrdering` of the features themselves, for
        ``rules``. A name stands for the ordering with its defaults. Any transformer that is fitted
        on X and y can be given as well.

    dep : classifier or None, default=None
        The classifier that is trained on ρ(x). None means ``DEPClassifier(margin=0.25)``. Its
        parameters can be set as ``dep__C``, ``dep__margin`` and so on. If it is a
        :class:`DEPClassifierCV`, give the ordering a ``cv``: otherwise C is tuned on in-sample
        values of ρ, which are too optimistic.

    scale_input, scale_ordering : bool, default=True
        Whether to standardise the features before ρ, and the values of ρ after it. A precomputed
        kernel is not scaled. The paper's experiment does both; its worked examples scale the
        values of ρ only. With ``scale_input=False``, your own members receive data frames
        unchanged, with column names and text.

    class_weight : "auto", "balanced", dict or None, default="auto"
        Weights of the classes, for the members of the ordering and for ``dep``. ``"auto"`` applies
        ``"balanced"`` to the members and to a ``dep`` that accept sample weights and have no class
        weights of their own; the others stay unweighted. ``"balanced"`` or a dict applies to
        all of them, and raises an error if one accepts no weights. None changes nothing.

    monotonic_cst : array-like of +1, −1 and 0, dict or None, default=None
        Signs of the features: the decision value is increasing in features with +1 and decreasing
        in features with −1. No member of the ordering sees them: they enter ``dep`` as they are,
        times their sign. Features with 0 are free. A dict maps feature names to signs; the others
        are free. None means that all are free. ``dep`` must be increasing, as a
        :class:`DEPClassifier` is.

    random_state : int, RandomState instance or None, default=None
        Passed to the ordering and to ``dep`` if their own ``random_state`` is None.

    n_jobs : int or None, default=None
        Number of members, or of classes against the rest, to fit in parallel.

    verbose : int, default=0
        1 prints each member, each fold of the ordering's ``cv`` and ``dep`` with its time, as soon
        as it is fitted. 2 prints the members of each fold as well.

    Attributes
    ----------
    ordering_ : transformer
        The fitted ρ.
    dep_ : classifier
        The fitted classifier on ρ(x). A :class:`DEPClassifier` holds w, m and β.
    input_scaler_, ordering_scaler_ : StandardScaler or None
        The fitted scalers before and after ρ.
    constrained_, constrained_signs_ : ndarray of shape (n_constrained,)
        Features that enter ``dep`` beside the members of the ordering, and their signs. Empty for
        ``"signed"`` and ``"boxes"``, whose ``signs_`` hold the signs.
    n_boosting_samples_ : int
        Number of samples on which forest and boosting were fitted. Defined by :meth:`fit_blocks`
        and by a fit on Dask.
    rounding_ : float
        Decision values this close to zero count as zero, because rounding in the sums behind ρ
        differs between machines.
    calibration_ : ndarray of shape (2,)
        Slope and intercept of the logistic function that gives probabilities, if the ordering has
        ``cv``.
    reach_ : float
        Decision values beyond ``reach_`` are compressed, see :meth:`decision_function`. It is five
        times the 90 % quantile of the absolute decision values of the training samples; infinite
        for ``"signed"`` and ``"boxes"``, whose values are those of their rules.
    bound_values_ : ndarray of shape (2, n_features, 2, 2)
        Training values nearest to each bound, used to round bounds in :meth:`rules`. Defined if
        the ordering has rules.
    printing_ : ndarray of shape (3,)
        Rounding errors that change no prediction of a training sample, used by :meth:`rules`.
        Defined if the ordering has rules.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_iter_ : int
        Number of iterations of ``dep_``, if it has this attribute.
    n_conditions_ : int
        Number of bounds in :meth:`rules`, for all classes together. Defined if the ordering has
        rules.
    estimators_ : list of RDEPClassifier
        One classifier for each class against the rest. Defined for more than two classes, in
        place of the attributes above.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    Warns
    -----
    LongFitWarning
        Before a fit that will take more than a minute, by a rough estimate from the size of the
        data. ``warnings.simplefilter("ignore", rdep.exceptions.LongFitWarning)`` silences it.

    See Also
    --------
    DEPClassifier : DEP on the features themselves.
    MixedOrdering : The default ordering.
    BoxScoreClassifier : A few conditions with points, to read as a whole.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep import RDEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> rdep = RDEPClassifier(random_state=0).fit(X_train, y_train)
    >>> round(rdep.score(X_test, y_test), 2)
    0.9

    Any classifier can decide on ρ(x), and its parameters are set through ``dep__``:

    >>> rdep = RDEPClassifier("ensemble", random_state=0).set_params(dep__C=0.1)
    >>> rdep.fit(X_train, y_train).dep_
    DEPClassifier(C=0.1, class_weight='balanced', margin=0.25, random_state=0)
    """

    __module__ = "rdep"

    # _check_parts checks ordering and dep.
    _parameter_constraints = {
        "ordering": "no_validation",
        "dep": "no_validation",
        "scale_input": ["boolean"],
        "scale_ordering": ["boolean"],
        "class_weight": [StrOptions({"balanced", _AUTO}), dict, None],
        "monotonic_cst": ["array-like", dict, None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    _instead_of_dense = (
        ", or set scale_input=False (centring would make X dense) with members that take sparse X"
    )

    def __init__(
        self,
        ordering="mixed",
        dep=None,
        *,
        scale_input=True,
        scale_ordering=True,
        class_weight=_AUTO,
        monotonic_cst=None,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.ordering = ordering
        self.dep = dep
        self.scale_input = scale_input
        self.scale_ordering = scale_ordering
        self.class_weight = class_weight
        self.monotonic_cst = monotonic_cst
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    @classmethod
    def paper(cls, ordering="ensemble", **parameters):
        """Create the r-DEP of the paper's experiment, independent of the defaults.

        Parameters
        ----------
        ordering : "ensemble" or "bagging", default="ensemble"
            The mapping ρ.
        **parameters
            Parameters that replace those of the paper. ``dep__margin=0`` is exactly the paper's
            problem.

        Returns
        -------
        RDEPClassifier
        """
        return cls(ordering, DEPClassifier(**PAPER), **_PAPER).set_params(**parameters)

    def get_params(self, deep=True):
        """Get the parameters, with ``deep`` also those of the ordering and of ``dep``.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the parameters of the nested estimators, as ``dep__C``. They are
            included even if the ordering is a name and ``dep`` is None.

        Returns
        -------
        dict
        """
        parameters = super().get_params(deep=deep)
        if deep:
            for part in _PARTS:
                default = _default_part(part, parameters[part])
                if default is not None:
                    nested = default.get_params().items()
                    parameters |= {f"{part}__{name}": value for name, value in nested}
        return parameters

    def set_params(self, **params):
        """Set parameters, including those of the ordering and of ``dep``.

        Parameters
        ----------
        **params
            Parameters by name. Those of the nested estimators are named ``dep__C`` and so on.

        Returns
        -------
        self
        """
        for part in _PARTS:
            if any(name.startswith(f"{part}__") for name in params):
                default = _default_part(part, params.get(part, getattr(self, part)))
                if default is not None:
                    params[part] = default
        return super().set_params(**params)

    @property
    def _hands_frames_on(self):
        """Whether the ordering receives data frames unchanged; a user's own ordering may."""
        if self.monotonic_cst is not None:
            return False
        if isinstance(self.ordering, str) or self.scale_input or get_tags(self).input_tags.pairwise:
            return False
        takes_numbers = isinstance(self.ordering, FeatureOrdering)
        return getattr(self.ordering, "_hands_frames_on", not takes_numbers)

    def _check_parts(self) -> None:
        known = ", ".join(map(repr, ORDERINGS))
        for name, what in (("ordering", "a transformer"), ("dep", "a classifier")):
            given = getattr(self, name)
            if isinstance(given, type):
                raise TypeError(
                    f"{name} must be {what}, got the class {given.__name__} instead of an "
                    f"instance: pass {name}={given.__name__}()"
                )
        if isinstance(self.ordering, str):
            if self.ordering not in ORDERINGS:
                raise ValueError(f"unknown ordering {self.ordering!r}; known: {known}")
        elif not (hasattr(self.ordering, "fit_transform") and hasattr(self.ordering, "transform")):
            raise TypeError(
                f"ordering must be one of {known} or a transformer with fit_transform and "
                f"transform, got {self.ordering!r}"
            )
        if self.dep is not None and not (
            hasattr(self.dep, "fit") and hasattr(self.dep, "get_params") and is_classifier(self.dep)
        ):
            raise TypeError(
                f"dep must be a classifier, such as DEPClassifier(), or None; got {self.dep!r}"
            )

    def _part(self, name: str) -> BaseEstimator:
        """Copy the ordering or ``dep``, and pass on the seed and ``n_jobs`` if it has none."""
        part = _default_part(name, getattr(self, name)) or clone(getattr(self, name))
        own = part.get_params(deep=False)
        for shared in ("random_state", "n_jobs"):
            if shared in own and own[shared] is None:
                part.set_params(**{shared: getattr(self, shared)})
        if isinstance(part, Ordering) and not part.verbose:
            part.set_params(verbose=self.verbose)
        return part

    def _inner_cvs(self):
        parts = {
            name: _default_part(name, getattr(self, name)) or getattr(self, name) for name in _PARTS
        }
        return {
            f"{name}__{own}": cv
            for name, part in parts.items()
            if not isinstance(part, type)
            for own, cv in getattr(part, "_inner_cvs", dict)().items()
        }

    def _fit(self, X, y, sample_weight, **options):
        self._check_parts()
        n_samples, n_features = X.shape
        warning = long_fit(self, n_samples, n_features, len(self.classes_))
        if warning is not None:
            warn_caller(warning)
        super()._fit(X, y, sample_weight, **options)

    def _fit_binary(self, X, y, sample_weight, groups=None):
        self.input_scaler_ = None
        # The features of a precomputed kernel are samples: nothing to standardise.
        if self.scale_input and not get_tags(self).input_tags.pairwise:
            self.input_scaler_ = _fitted_scaler(X, sample_weight, "feature", feature_names(self))
        self.ordering_ = self._make_ordering()
        self._constrain(X)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        if weights and not has_fit_parameter(self.ordering_, "sample_weight"):
            raise ValueError(
                f"the ordering {type(self.ordering_).__name__} does not accept sample weights: "
                "omit sample_weight, or use another ordering"
            )
        if groups is not None and splits_by_groups(self.ordering_):
            weights["groups"] = groups
        with timed(self.verbose, type(self).__name__, "ordering"):
            # fit_transform, not fit and transform: with cv the two differ.
            scaled = self._scaled(X)
            values = np.asarray(self.ordering_.fit_transform(self._free(scaled), y, **weights))
        values = self._joined(values, scaled, shared=getattr(self.ordering_, "cv", None) is None)
        self.ordering_scaler_ = None
        if self.scale_ordering:
            names = self._member_names()
            self.ordering_scaler_ = _fitted_scaler(values, sample_weight, "value of ρ", names)
        reduced = self._scaled_values(values)
        dep = self._make_dep()
        caught: list[warnings.WarningMessage] = []
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                with timed(self.verbose, type(self).__name__, "dep"):
                    self.dep_ = fit_member(
                        "dep", dep, reduced, y, sample_weight, self.class_weight, groups
                    )
        finally:
            self._warn_again(caught)
        self._check_increasing()
        # The best β often puts a training sample at exactly zero. Rounding in the sums behind ρ
        # differs with the number of rows and the machine; the predicted class must not.
        sizes = np.abs(in_place_of_missing(reduced, 0.0))
        self.rounding_ = _RELATIVE_ROUNDING * float(sizes.max())
        self.reach_ = np.inf
        if not isinstance(self.ordering_, FeatureOrdering):
            decided = self._decided_in_fit(values)
            self.reach_ = reach_of(usual_size(decided, sample_weight))
        if _has_probabilities(self):
            self.calibration_ = logistic_map(
                drawn_in(decided, self.reach_), y == self.classes_[1], sample_weight
            )
        if hasattr(self.dep_, "n_iter_"):
            self.n_iter_ = self.dep_.n_iter_

    def _constrain(self, X) -> None:
        """Choose the features that enter ``dep`` as they are, and those that the ordering sees."""
        signs = np.zeros(X.shape[1])
        if self.monotonic_cst is not None:
            if get_tags(self).input_tags.pairwise:
                raise ValueError(
                    "monotonic_cst needs features, but the members use a precomputed kernel"
                )
            names = getattr(self, "feature_names_in_", None)
            signs = given_signs(self.monotonic_cst, X.shape[1], names, others=0)
            if isinstance(self.ordering_, FeatureOrdering):
                self.ordering_.set_params(monotonic_cst=signs)
                signs = np.zeros(X.shape[1])
            elif signs.all():
                raise ValueError(
                    "monotonic_cst constrains every feature, so none is left for the ordering: use "
                    "DEPClassifier(monotonic_cst=...), or ordering='signed'"
                )
        self.constrained_ = np.flatnonzero(signs)
        self.constrained_signs_ = signs[self.constrained_]

    def _check_increasing(self) -> None:
        is_operator = isinstance(self.dep_, OperatorClassifier)
        if self.monotonic_cst is not None and not (
            is_operator and (self.dep_._fitted_operators().orientation > 0).all()
        ):
            raise ValueError(
                "monotonic_cst needs a dep that is increasing in every coordinate, such as "
                f"DEPClassifier() without a monotonic_cst of its own; got {self.dep_!r}"
            )

    def _free(self, X):
        """Features that the ordering sees."""
        return np.delete(X, self.constrained_, axis=1) if len(self.constrained_) else X

    def _joined(self, values, scaled, *, shared: bool):
        """Append the constrained features to ρ, with the share of the stack that ρ has.

        The share is added to all coordinates, and thereby to the value of the DEP. It depends on
        free features only.
        """
        if not len(self.constrained_):
            return values
        own = scaled[:, self.constrained_] * self.constrained_signs_
        shrinkage = getattr(self.ordering_, "shrinkage", 0.0)
        if shared and shrinkage:
            own += shrinkage * values[:, -1:]
        return np.hstack([values, own])

    def _warn_again(self, caught: list[warnings.WarningMessage]) -> None:
        """Issue the warnings of the fit of ``dep``, with the parameter names of the r-DEP."""
        for warning in caught:
            if isinstance(warning.message, DirectionWarning):
                continue  # coordinates of ρ are trained to grow with the positive class
            if isinstance(warning.message, DegenerateFitWarning):
                warn_caller(warning.message.inside("dep", self._better_ordering()))
            else:
                warnings.warn_explicit(
                    warning.message, warning.category, warning.filename, warning.lineno
                )

    def _make_ordering(self) -> BaseEstimator:
        ordering = self._part("ordering")
        class_weight = self.class_weight
        if class_weight == _AUTO and not isinstance(ordering, Ordering):
            class_weight = None
        if class_weight is None or isinstance(ordering, FeatureOrdering):
            return ordering
        own = ordering.get_params(deep=False)
        if "class_weight" not in own:
            raise ValueError(
                f"the ordering {type(ordering).__name__} has no class_weight parameter: set "
                "class_weight=None, and weight its members instead"
            )
        if class_weight != _AUTO or own["class_weight"] is None:
            ordering.set_params(class_weight=class_weight)
        return ordering

    def _better_ordering(self) -> dict[str, str]:
        """Parameter to try if the coordinates of a simple ordering are not informative enough."""
        is_simple = isinstance(self.ordering_, FeatureOrdering | EnsembleOrdering | BaggingOrdering)
        is_pairwise = get_tags(self).input_tags.pairwise
        return {"ordering": "mixed"} if is_simple and not is_pairwise else {}

    def _make_dep(self) -> BaseEstimator:
        dep = self._part("dep")
        if isinstance(getattr(dep, "monotonic_cst", None), dict):
            dep.set_params(monotonic_cst=signs_by_name(dep.monotonic_cst, self._member_names()))
        return dep

    def _scaled(self, X):
        return X if self.input_scaler_ is None else standardised(self.input_scaler_, X)

    def _reduce(self, X):
        scaled = self._scaled(X)
        values = np.asarray(self.ordering_.transform(self._free(scaled)))
        return self._scaled_values(self._joined(values, scaled, shared=True))

    def _scaled_values(self, values):
        scaler = self.ordering_scaler_
        return values if scaler is None else standardised(scaler, values)

    def _decided_in_fit(self, values) -> Array:
        """Decision values of the training samples, from cross-fitted values if there are any."""
        shrinkage = getattr(self.ordering_, "shrinkage", 0.0)
        if shrinkage and getattr(self.ordering_, "cv", None) is not None:
            # transform adds the stack (the last member); fit_transform does not.
            stack = values.shape[1] - len(self.constrained_) - 1
            values = values + shrinkage / (1 - shrinkage) * values[:, [stack]]
        return self._decide_reduced(self._scaled_values(values))

    def _decide(self, X):
        return self._decide_reduced(self._reduce(X))

    def _decide_reduced(self, reduced):
        if isinstance(self.dep_, OperatorClassifier):
            return self.dep_._decide(reduced)
        return value_of("dep", self.dep_, reduced)

    def fit(self, X, y, sample_weight=None, groups=None):
        """Train on samples and their classes.

        A data frame or an array of Dask is trained on where its partitions are, as
        :meth:`fit_blocks` does with a table; see the :doc:`user guide </guide/scale>`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a collection of Dask
            Training samples.
        y : array-like of shape (n_samples,), or a collection of Dask
            Two or more classes; the second of two in sorted order is the positive class. With
            partitions, it has those of X.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.
            Not for collections of Dask.
        groups : array-like of shape (n_samples,), default=None
            Groups of samples that belong together, for a ``cv`` that splits by them, such as a
            :class:`~sklearn.model_selection.StratifiedGroupKFold`. Not for collections of Dask.

        Returns
        -------
        self
        """
        if not is_partitioned(X):
            return super().fit(X, y, sample_weight, groups)
        if sample_weight is not None or groups is not None:
            raise ValueError("a fit on Dask takes neither sample_weight nor groups: omit them")
        return room("blocks").fit_dask(self, X, y)

    def fit_blocks(self, source, target, *, memory="2GB", progress=None):
        """Train on a table of numbers that may be larger than memory.

        The rows are read in blocks, encoded once and kept in a temporary file. All members but two
        are sums over all rows. Forest and boosting see all rows if they fit into ``memory``,
        otherwise rows that are drawn uniformly, ``n_boosting_samples_`` of them. The members are
        cross-fitted in two folds. The DEP is trained on all rows; see the :doc:`user guide
        </guide/scale>`. The ordering must be ``"mixed"``.

        Parameters
        ----------
        source : path, pyarrow.dataset.Dataset or function
            A file or a folder of files, such as Parquet, Feather or CSV; a data set; or a function
            that returns a fresh iterator of data frames or Arrow tables.
        target : str
            The column of the classes. All others are features.
        memory : int or str, default="2GB"
            Memory of the process, in bytes or as a text.
        progress : callable, default=None
            Called with a :class:`rdep.blocks.State` after each block.

        Returns
        -------
        self
        """
        return room("blocks").fit_blocks(self, source, target, memory=memory, progress=progress)

    @lazy_on_dask(lambda classes: (len(classes),) if len(classes) > 2 else ())
    def decision_function(self, X):
        """Compute the decision value of each sample.

        For two classes, ``classes_[1]`` is predicted if the value is positive. If it is predicted
        at a value of zero, the smallest positive number is returned, so that the threshold
        "greater than 0", which parts of scikit-learn use, agrees with ``predict``.

        A sample far outside the training samples may have a value that is millions of times larger
        than all others, which would dominate a calibration. Values beyond ``reach_`` are therefore
        compressed: v becomes ``reach_ * (2 - reach_ / |v|)`` with the sign of v. This changes
        neither the order of samples nor predictions. ``explain`` shows the values before
        compression.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes

        Warns
        -----
        ExtremeValueWarning
            If a value is more than fifty times ``reach_``.
        """
        return super().decision_function(X)

    @lazy_on_dask(lambda classes: ())
    def predict(self, X):
        """Predict the class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), or a collection of Dask
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,), or a dask.array.Array that is computed when it is needed
        """
        return super().predict(X)

    @available_if(_has_probabilities)
    @lazy_on_dask(lambda classes: (len(classes),))
    def predict_proba(self, X):
        """Compute the probability of each class, at the class frequencies of the training samples.

        The probability of the second of two classes is a logistic function of the decision value.
        Its slope and intercept are found by the decision values of the training samples whose ρ is
        cross-fitted, without further fits. So the ordering must have ``cv``, as the default has.
        ``predict`` balances the classes, so that the predicted class need not be the most probable
        one: see the :doc:`user guide </guide/estimators>`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return probabilities(self, X)

    def _decision_values(self, X):
        values, reach = super()._decision_values(X), self._reach()
        extreme = np.flatnonzero(extreme_rows(values, reach))
        if len(extreme):
            size = np.abs(values[extreme[0]]).max()
            warn_caller(
                ExtremeValueWarning(
                    f"{_sample_called(extreme)} a decision value of size {size:.3g}; usual values "
                    f"are at most {reach:.3g}{self._farthest_feature(X, extreme[0])}. Check the "
                    "sample; its decision value is compressed"
                )
            )
        return drawn_in(values, reach)

    def _reach(self) -> float:
        """The largest reach of all classes: one for all keeps the order of their values."""
        if len(self.classes_) == 2:
            return self.reach_
        return max(part.reach_ for part in self.estimators_)

    def _farthest_feature(self, X, row: int) -> str:
        """Name the feature in which a sample is farthest from the training mean, if known."""
        scaler = (self if len(self.classes_) == 2 else self.estimators_[0]).input_scaler_
        if scaler is None:
            return ""
        distances = np.abs(scaler.transform(X[[row]])[0])
        column = int(distances.argmax())
        return (
            f" (its feature {feature_names(self)[column]!r} is {X[row, column]:g}, "
            f"{distances[column]:,.0f} standard deviations from the mean)"
        )

    def _rounding(self):
        return self.rounding_

    def _zero_is_positive(self):
        return not isinstance(self.dep_, SignClassifier) or self.dep_._zero_is_positive()

    def reduced_space(self, X):
        """Compute the points ρ(x) on which ``dep_`` decides, scaled as in ``fit``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_members)
        """
        self._check_binary("reduced_space")
        return self._reduce(validate_samples(self, X))

    def _explain(self, X):
        self._check_dep("explain", ExplainedClassifier)
        return explanation_of(self._fitted_operators(), self._reduce(X))

    def _has_rules(self):
        parts = getattr(self, "estimators_", [self])
        return all(
            isinstance(part.ordering_, FeatureOrdering)
            and isinstance(part.dep_, ExplainedClassifier)
            for part in parts
        )

    def _coordinates_of(self, X):
        return self._reduce(X)

    def _rule_coordinates(self, scalers=()):
        if not isinstance(self.ordering_, FeatureOrdering):
            raise ValueError(
                f"rules need an ordering of the features themselves, not "
                f"{type(self.ordering_).__name__}: use ordering='boxes' or 'signed', or a "
                "DEPClassifier. For this model use explain and summary"
            )
        self._check_dep("rules", ExplainedClassifier)
        if self.input_scaler_ is not None:
            scalers = (*scalers, self.input_scaler_)
        return ordered_coordinates(
            self._fitted_operators(), self.ordering_.as_features(), scalers, self.ordering_scaler_
        )

    def _fitted_operators(self):
        self._check_dep("summary", OperatorClassifier)
        fitted = self.dep_._fitted_operators()
        names = self._member_names()
        return replace(
            fitted,
            title=self._title(f"{len(fitted.names)} members of {type(self.ordering_).__name__}"),
            names=fitted.names if names is None else names,
            coordinate="member",
            rounding=self.rounding_,
        )

    def _check_dep(self, what: str, kind: type) -> None:
        if not isinstance(self.dep_, kind):
            raise ValueError(
                f"{what} needs a dep that combines a dilation and an erosion, not "
                f"{type(self.dep_).__name__}: inspect `dep_` itself; its features are the "
                "columns of `reduced_space`"
            )

    def _member_names(self):
        """Names of the coordinates of ρ, or None if the ordering has none."""
        if not hasattr(self.ordering_, "get_feature_names_out"):
            return None
        if not len(self.constrained_):
            names = getattr(self, "feature_names_in_", None)
            return np.asarray(self.ordering_.get_feature_names_out(names), dtype=object)
        names = feature_names(self)
        constrained = [
            negated(names[j]) if sign < 0 else in_words(names[j])
            for j, sign in zip(self.constrained_, self.constrained_signs_, strict=True)
        ]
        members = self.ordering_.get_feature_names_out(np.delete(names, self.constrained_))
        return np.array([*members, *constrained], dtype=object)

    def _against_the_rest(self, label, y, sample_weight):
        for name in ("ordering", "dep"):
            if isinstance(getattr(getattr(self, name), "class_weight", None), dict):
                raise ValueError(
                    "with more than two classes, pass class weights to the RDEPClassifier instead "
                    f"of its {name}, which is trained on one class against the rest"
                )
        if self.verbose:
            print(f"[{type(self).__name__}] class {label} against the rest", flush=True)
        return super()._against_the_rest(label, y, sample_weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if isinstance(self.ordering, str) and self.ordering in ORDERINGS:
            takes_sparse = _ordering_class(self.ordering)._takes_sparse
            tags.input_tags.sparse = takes_sparse and not self.scale_input
        elif hasattr(self.ordering, "__sklearn_tags__") and not isinstance(self.ordering, type):
            members = get_tags(self.ordering).input_tags
            tags.input_tags.pairwise = members.pairwise
            tags.input_tags.sparse = members.sparse and not self.scale_input
        if self.monotonic_cst is not None:
            tags.input_tags.sparse = False
        ordering = _default_part("ordering", self.ordering) or self.ordering
        tags.input_tags.allow_nan = isinstance(ordering, FeatureOrdering) and (
            self.dep is None
            or (
                hasattr(self.dep, "__sklearn_tags__")
                and not isinstance(self.dep, type)
                and get_tags(self.dep).input_tags.allow_nan
            )
        )
        return tags


def _sample_called(rows) -> str:
    """Name the first sample and the number of others, as the subject of a sentence."""
    others = f" and {len(rows) - 1} more samples have" if len(rows) > 1 else " has"
    return f"sample {rows[0]}{others}"


def _ordering_class(name: str) -> type[Any]:
    return getattr(orderings, ORDERINGS[name])


def _default_part(part: str, given: Any) -> BaseEstimator | None:
    """Default estimator for the name of an ordering or for ``dep=None``; otherwise None."""
    if part == "ordering":
        known = isinstance(given, str) and given in ORDERINGS
        return _ordering_class(given)() if known else None
    return DEPClassifier(margin=_MARGIN) if given is None else None


def long_fit(
    classifier: BaseEstimator,
    n_samples: int,
    n_features: int,
    n_classes: int,
    at_least: float = _LONG_SECONDS,
) -> LongFitWarning | None:
    """Return a warning if an r-DEP is expected to take at least this many seconds to fit."""
    if not isinstance(classifier, RDEPClassifier):
        return None
    n_fits = n_classes if n_classes > 2 else 1
    seconds, faster = (
        n_fits * expected_seconds(ordering, n_samples, n_features)
        for ordering in (classifier._part("ordering"), MixedOrdering())
    )
    if seconds < at_least:
        return None
    return LongFitWarning(n_samples, seconds, faster if faster < seconds / 2 else None)


def _fitted_scaler(X, sample_weight, what: str, names) -> StandardScaler:
    """Fit a scaler that returns arrays, whatever the output of ``sklearn.set_config``."""
    X, sample_weight = drop_weightless(sample_weight, X)
    scaler = StandardScaler().set_output(transform="default")
    with np.errstate(over="ignore", invalid="ignore"):
        scaler.fit(X, sample_weight=sample_weight)
    empty = np.isnan(scaler.mean_)  # features without any value, which take no part
    scaler.mean_[empty], scaler.var_[empty], scaler.scale_[empty] = 0.0, 0.0, 1.0
    seen = X if sample_weight is None else X[sample_weight > 0]
    least, greatest = ranges(seen)
    varies = least < greatest
    for wrong, size, happens, remedy in (
        (~np.isfinite(scaler.var_), "large", "overflows", "divide"),
        (varies & (scaler.var_ < np.finfo(float).tiny), "small", "underflows", "multiply"),
    ):
        if wrong.any():
            column = int(wrong.argmax())
            name = column if names is None else names[column]
            raise ValueError(
                f"{what} {name!r} is too {size} to be standardised: its largest absolute value is "
                f"{np.nanmax(np.abs(X[:, column])):.3g}, and its variance {happens}; {remedy} the "
                "feature by a power of ten first"
            )
    return scaler
