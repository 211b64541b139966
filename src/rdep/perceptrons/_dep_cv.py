"""The dilation-erosion perceptron with C and margin chosen by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from numbers import Integral

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.metrics import get_scorer, get_scorer_names

from .._base._groups import GroupedClassifier
from .._base._members import folds_in_use
from .._base._one_vs_rest import weights_against_the_rest
from .._base._orientation import signs_by_name
from .._base._validation import class_costs, class_factors, drop_weightless, feature_names
from .._utils._sklearn_estimators import StrOptions
from .._utils._typing import Array
from ..exceptions import DegenerateFitWarning, warn_caller
from ..inspection import ExplainedClassifier
from ._dep import DEPClassifier
from ._trained import degenerate_fit


class DEPClassifierCV(GroupedClassifier, ExplainedClassifier):
    """Dilation-erosion perceptron with C and margin chosen by cross-validation.

    For each margin, the values of C are tried from the largest to the smallest. Each training
    starts at the weights of the previous one, and therefore takes a few steps only.

    Read more in the :doc:`User Guide </guide/parameters>`.

    Parameters
    ----------
    dep : DEPClassifier or None, default=None
        The perceptron whose ``C`` and ``margin`` are chosen. Its other parameters are kept. None
        means ``DEPClassifier()``.

    Cs : array-like of floats, default=(1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
        Candidates for C.

    margins : array-like of floats, default=(1e-6, 0.25, 0.5)
        Candidates for the margin.

    cv : int, cross-validation splitter or iterable, default=5
        Folds on which candidates are compared. An integer is the number of stratified folds of
        shuffled samples. A splitter receives the ``groups`` that are passed to ``fit``.

    scoring : str, default="balanced_accuracy"
        Name of the scikit-learn score by which candidates are compared. Ties go to the largest C,
        then to the largest margin.

    class_weight : dict, "balanced" or None, default=None
        ``"balanced"`` gives both classes the same weight, in training and in the scores. A dict is
        passed to the perceptron; the scores are not weighted by it. If ``dep`` has class weights
        as well, an error is raised.

    n_jobs : int or None, default=None
        Number of folds to evaluate in parallel.

    Attributes
    ----------
    C_, margin_ : float
        The chosen C and margin.
    scores_ : ndarray of shape (n_folds, n_margins, n_Cs)
        Scores in the order of ``margins`` and ``Cs``.
    dep_ : DEPClassifier
        The perceptron trained on all samples, for all values of C down to ``C_``. It holds w, m
        and β.
    bound_values_ : ndarray of shape (2, n_features, 2, 2)
        Training values nearest to each bound, used to round bounds in :meth:`rules`.
    printing_ : ndarray of shape (3,)
        Rounding errors that change no prediction of a training sample, used by :meth:`rules`.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_iter_ : int
        Steps of the convex-concave procedure in the last training.
    n_conditions_ : int
        Number of bounds in :meth:`rules`, for all classes together.
    estimators_ : list of DEPClassifierCV
        One classifier for each class against the rest. Defined for more than two classes, in
        place of ``dep_``.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    DEPClassifier : DEP with given C and margin.
    RDEPClassifier : Reduced DEP, which can use this classifier as its ``dep``.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep import DEPClassifierCV
    >>> from rdep.datasets import load_ripley
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifierCV().fit(X_train, y_train)
    >>> dep.C_, dep.margin_
    (1.0, 0.25)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "dep": [DEPClassifier, None],
        "Cs": ["array-like"],
        "margins": ["array-like"],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(get_scorer_names()))],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        dep=None,
        *,
        Cs=(1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001),
        margins=(1e-6, 0.25, 0.5),
        cv=5,
        scoring="balanced_accuracy",
        class_weight=None,
        n_jobs=None,
    ):
        self.dep = dep
        self.Cs = Cs
        self.margins = margins
        self.cv = cv
        self.scoring = scoring
        self.class_weight = class_weight
        self.n_jobs = n_jobs

    def get_params(self, deep=True):
        """Get the parameters, with ``deep`` also those of ``dep``, even if it is None.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the parameters of ``dep``, as ``dep__C``.

        Returns
        -------
        dict
        """
        parameters = super().get_params(deep=deep)
        if deep and self.dep is None:
            nested = DEPClassifier().get_params().items()
            parameters |= {f"dep__{name}": value for name, value in nested}
        return parameters

    def set_params(self, **params):
        """Set parameters, including those of ``dep``.

        Parameters
        ----------
        **params
            Parameters by name. Those of ``dep`` are named ``dep__C`` and so on.

        Returns
        -------
        self
        """
        if params.get("dep", self.dep) is None and any(name.startswith("dep__") for name in params):
            params["dep"] = DEPClassifier()
        return super().set_params(**params)

    def _fit_binary(self, X, y, sample_weight, groups=None):
        Cs, margins = _candidates(self.Cs, "Cs"), _candidates(self.margins, "margins")
        dep = self._template()
        if isinstance(dep.class_weight, dict):
            class_costs(dep.class_weight, self.classes_)
        if self.class_weight == "balanced":
            sample_weight = self._balanced(y, sample_weight)
        folds = list(folds_in_use(self.cv, y, sample_weight, groups))
        X, y, sample_weight = drop_weightless(sample_weight, X, y)
        scores = Parallel(n_jobs=self.n_jobs)(
            delayed(_scores_on_fold)(
                dep, X, y, sample_weight, train, test, Cs, margins, self.scoring
            )
            for train, test in folds
        )
        self.scores_ = np.array(scores)
        mean = self.scores_.mean(axis=0)
        best = np.argwhere(mean >= mean.max() - 1e-12)
        place = max(map(tuple, best), key=lambda place: (Cs[place[1]], margins[place[0]]))
        self.margin_, self.C_ = float(margins[place[0]]), float(Cs[place[1]])
        dep.set_params(margin=self.margin_)
        # The same path as in the folds: another start may lead to another critical point.
        *_, (_, self.dep_) = dep_path(dep, X, y, sample_weight, Cs[Cs >= self.C_])
        self.n_iter_ = self.dep_.n_iter_
        samples = self.dep_._samples(self.dep_._oriented(X), self.dep_._signs(y), sample_weight)
        warning = degenerate_fit(self.dep_, samples, *self.dep_._decided(samples))
        if warning is not None:
            warn_caller(warning.inside("dep", chosen=("margin",)))

    def _balanced(self, y: NDArray, sample_weight: Array | None) -> Array:
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        codes = (y == self.classes_[1]).astype(int)
        totals = np.bincount(codes, weights)
        return weights * class_factors("balanced", self.classes_, totals, totals.sum())[codes]

    def _template(self) -> DEPClassifier:
        """Copy ``dep``, with class weights set and signs by column instead of by name."""
        dep = DEPClassifier() if self.dep is None else clone(self.dep)
        if self.class_weight is not None:
            if dep.class_weight is not None:
                raise ValueError(
                    f"class_weight={self.class_weight!r} and dep__class_weight="
                    f"{dep.class_weight!r} are both given: remove one of them"
                )
            if isinstance(self.class_weight, dict):
                dep.set_params(class_weight=self.class_weight)
        if isinstance(dep.monotonic_cst, Mapping):
            known = getattr(self, "feature_names_in_", None)
            dep.set_params(monotonic_cst=signs_by_name(dep.monotonic_cst, known))
        return dep

    def _against_the_rest(self, label, y, sample_weight):
        part = super()._against_the_rest(label, y, sample_weight)
        if self.dep is not None and isinstance(self.dep.class_weight, dict):
            weights = weights_against_the_rest(self.dep.class_weight, label, y, sample_weight)
            part.set_params(dep__class_weight=weights)
        return part

    def _decide(self, X):
        return self.dep_._decide(X)

    def _fitted_operators(self):
        return replace(
            self.dep_._fitted_operators(),
            title=self._title(f"{self.n_features_in_} features"),
            names=feature_names(self),
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # unless the features grow with the classes
        tags.input_tags.allow_nan = True
        return tags


def dep_path(
    dep: DEPClassifier, X: Array, y: NDArray, sample_weight: Array | None, Cs: Array
) -> Iterator[tuple[int, DEPClassifier]]:
    """Fit copies for every C, from the largest to the smallest, each with its index in ``Cs``.

    ``X``, ``y`` and ``sample_weight`` are validated arrays of two classes.
    """
    start = None
    for place in np.argsort(-Cs):
        model = clone(dep).set_params(C=float(Cs[place]))
        with warnings.catch_warnings():
            # Fits along the path may be degenerate. Only the last one is checked.
            warnings.simplefilter("ignore", DegenerateFitWarning)
            model._fit_as_part(X, y, sample_weight, start=start)
        start = {
            "dilation": model.dilation_result_.weights,
            "erosion": model.erosion_result_.weights,
        }
        yield int(place), model


def _scores_on_fold(dep, X, y, sample_weight, train, test, Cs, margins, scoring):
    scorer = get_scorer(scoring)
    weights = None if sample_weight is None else sample_weight[train]
    for_scorer = {} if sample_weight is None else {"sample_weight": sample_weight[test]}
    scores = np.empty((len(margins), len(Cs)))
    for row, margin in enumerate(margins):
        dep = clone(dep).set_params(margin=float(margin))
        for place, model in dep_path(dep, X[train], y[train], weights, Cs):
            scores[row, place] = scorer(model, X[test], y[test], **for_scorer)
    return scores


def _candidates(values, name: str):
    candidates = np.asarray(values, dtype=float)
    if candidates.ndim != 1 or not len(candidates) or not (candidates >= 0).all():
        raise ValueError(f"{name} must be a non-empty list of non-negative numbers; got {values!r}")
    return candidates
