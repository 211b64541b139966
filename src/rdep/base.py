"""What all classifiers share: labels, weights, one-vs-rest, checks of the result."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._sklearn import _check_sample_weight, _fit_context
from ._typing import Array
from .exceptions import DegenerateFitWarning, warn_caller
from .summary import FittedOperators, summarise
from .training import JointResult, TrainingResult

# More of the samples than this at the boundary are worth a warning.
_LARGE_SHARE = 0.1
_ROUNDING = 64 * np.finfo(float).eps


class SignClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """A classifier by the sign of one decision value; more than two classes are one-vs-rest.

    Subclasses say how to train on two classes and how to compute the decision value.
    """

    _instead_of_dense = ""

    @abstractmethod
    def _fit_binary(self, X: Array, y: NDArray, sample_weight: Array | None) -> None:
        """Set the fitted attributes; ``classes_`` is there already, the positive class second."""

    @abstractmethod
    def _decide(self, X: Array) -> Array:
        """Decision values of validated samples."""

    @abstractmethod
    def _fitted_operators(self) -> FittedOperators:
        """What ``summary`` tells of a fit on two classes."""

    def _rounding(self) -> float:
        """Decision values this near to zero are zero."""
        return 0.0

    def _decide_rounded(self, X: Array) -> Array:
        values = self._decide(X)
        return np.where(np.abs(values) <= self._rounding(), np.finfo(float).tiny, values)

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None):
        """Train on samples and their classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Two classes or more; of two, the greater is the positive one.
        sample_weight : array-like of shape (n_samples,), default=None
            Samples of weight zero are as if not there.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            X, y = self._validate(X, y)
            check_classification_targets(y)
            if sample_weight is not None:
                sample_weight = check_weights(sample_weight, X)
            self.classes_ = check_classes(y, sample_weight)
            if isinstance(self.class_weight, dict):
                class_costs(self.class_weight, self.classes_)
            if len(self.classes_) == 2:
                self._fit_binary(X, y, sample_weight)
            else:
                self.estimators_ = Parallel(n_jobs=getattr(self, "n_jobs", None))(
                    delayed(_fit_one)(
                        self._against_the_rest(label, y, sample_weight),
                        X,
                        y == label,
                        sample_weight,
                    )
                    for label in self.classes_
                )
                self.n_iter_ = max(estimator.n_iter_ for estimator in self.estimators_)
                if hasattr(self, "feature_names_in_"):
                    for estimator in self.estimators_:
                        estimator.feature_names_in_ = self.feature_names_in_
        return self

    def decision_function(self, X):
        """Decision value of each sample.

        Of two classes, a value of zero (up to the rounding of the reduced mapping, if there is
        one) belongs to the positive one. It is returned as the smallest positive number, so that a
        threshold of "more than 0", which parts of scikit-learn use, agrees with ``predict``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,), or (n_samples, n_classes) for more than two classes
        """
        check_is_fitted(self)
        X = self._validate(X)
        if len(self.classes_) == 2:
            return self._decide_rounded(X)
        return np.column_stack([estimator._decide_rounded(X) for estimator in self.estimators_])

    def predict(self, X):
        """Class of each sample: of two, the greater one where the decision value is 0 or more.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        values = self.decision_function(X)
        if values.ndim == 1:
            return self.classes_[(values >= 0).astype(int)]
        return self.classes_[values.argmax(axis=1)]

    def summary(self, *, max_features=20):
        """What was learned, as text: weights by name, β, and how training ended.

        Parameters
        ----------
        max_features : int, default=20
            Show the weights of so many features at the most, or of members of an ordering.

        Returns
        -------
        str

        Examples
        --------
        >>> from rdep import MorphologicalPerceptron
        >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1]
        >>> print(MorphologicalPerceptron().fit(X, y).summary())
        MorphologicalPerceptron on 2 features, 0 negative and 1 positive
        <BLANKLINE>
                                     dilation
        ───────────────   ───────────────────
        status                      converged
        steps                               1
        objective                           0
        at the boundary   0.0% of the samples
        certified by           set directions
        <BLANKLINE>
        feature    w   negative where all
        ───────   ──   ──────────────────
        x0        -1                  < 1
        x1        -1                  < 1
        """
        check_is_fitted(self)
        if len(self.classes_) == 2:
            return summarise(self._fitted_operators(), max_features)
        return "\n\n\n".join(
            f"{label!r} against the rest\n\n{estimator.summary(max_features=max_features)}"
            for label, estimator in zip(self.classes_.tolist(), self.estimators_, strict=True)
        )

    def _title(self, coordinates: str) -> str:
        negative, positive = self.classes_.tolist()
        return (
            f"{type(self).__name__} on {coordinates}, {negative!r} negative and {positive!r} "
            "positive"
        )

    def _validate(self, X, y="no_validation"):
        """``X`` (and ``y``) as arrays; with ``y`` the number and names of features are noted."""
        accept_sparse = ["csr"] if get_tags(self).input_tags.sparse else False
        if issparse(X) and not accept_sparse:
            raise ValueError(
                f"{type(self).__name__} needs dense samples here, X is sparse: pass X.toarray()"
                + self._instead_of_dense
            )
        return validate_data(
            self, X, y, accept_sparse=accept_sparse, dtype=np.float64, reset=not isinstance(y, str)
        )

    def _against_the_rest(self, label, y: NDArray, sample_weight: Array | None):
        """An unfitted copy for one class against all others, whose class weights are averaged."""
        estimator = clone(self)
        if isinstance(self.class_weight, dict):
            costs = class_costs(self.class_weight, self.classes_)
            rest = y != label
            weights = None if sample_weight is None else sample_weight[rest]
            average = np.average([costs[other] for other in y[rest]], weights=weights)
            estimator.set_params(class_weight={True: costs[label], False: float(average)})
        return estimator

    def _check_binary(self, what: str) -> None:
        check_is_fitted(self)
        if len(self.classes_) > 2:
            raise ValueError(
                f"{what} is for two classes, this model has {len(self.classes_)}; "
                "ask one of `estimators_` instead, one for each class against the rest"
            )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "classes_")


def feature_names(estimator) -> NDArray:
    """Names of the features it was fitted on; x0, x1, … where they have none."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = np.array([f"x{j}" for j in range(estimator.n_features_in_)], dtype=object)
    return names


def _fit_one(estimator, X, y, sample_weight):
    return estimator.fit(X, y, sample_weight)


@contextmanager
def unchanged_on_error(estimator: BaseEstimator) -> Iterator[None]:
    """Forget an earlier fit, but bring it back if this one fails: nothing is half-fitted."""
    before = dict(vars(estimator))
    for name in before:
        if name.endswith("_") and not name.startswith("_"):
            delattr(estimator, name)
    try:
        yield
    except BaseException:
        vars(estimator).clear()
        vars(estimator).update(before)
        raise


def check_weights(sample_weight, X) -> Array:
    """Sample weights as an array, or a ``ValueError`` that says what is wrong with them."""
    weights = _check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True, allow_all_zero_weights=True
    )
    if not weights.any():
        raise ValueError(
            "all sample weights are zero: give a positive weight to at least one sample of "
            "each class"
        )
    return weights


def class_costs(class_weight: dict, classes: NDArray) -> dict:
    """The weight of every class; 1 for those that ``class_weight`` does not name."""
    unknown = [label for label in class_weight if label not in classes]
    if unknown:
        raise ValueError(
            f"class_weight names classes that y does not have: {unknown}; y has {classes.tolist()}"
        )
    costs = {label: float(class_weight.get(label, 1.0)) for label in classes}
    if not all(0 < cost < np.inf for cost in costs.values()):
        raise ValueError(f"class_weight must hold positive finite numbers, got {class_weight}")
    return costs


def check_classes(y: NDArray, sample_weight: Array | None) -> NDArray:
    """The classes of ``y``, of which there must be two, each with some weight."""
    classes = np.unique(y)
    if len(classes) < 2:
        raise ValueError(
            f"y holds one class only, {classes.tolist()}: a classifier needs samples of at least "
            "two classes"
        )
    if sample_weight is not None:
        weightless = np.setdiff1d(classes, y[sample_weight > 0])
        if len(weightless):
            raise ValueError(
                f"every sample of class {weightless.tolist()} has weight zero: give some of them "
                "a positive weight, or leave the class out"
            )
    return classes


def warn_if_not_converged(
    result: TrainingResult | JointResult, procedure: str, max_iter: int
) -> None:
    if not result.converged:
        warn_caller(
            f"the {procedure} met its limit of max_iter={max_iter} steps and is still descending; "
            "raise max_iter (or tol, to stop earlier on purpose)",
            ConvergenceWarning,
        )


def warn_if_degenerate(
    values: Array, signs: Array, classes: NDArray, sample_weight: Array | None, size: float
) -> None:
    """Warn when decision values of the training samples say that the fit is of little use."""
    if sample_weight is not None:
        values, signs = values[sample_weight > 0], signs[sample_weight > 0]
    positive = values >= 0
    # Positives at zero are where they belong.
    at_boundary = (np.abs(values) <= _ROUNDING * size) & (signs < 0)
    trouble = []
    if positive.all() or not positive.any():
        trouble.append(f"it calls every training sample {classes.tolist()[int(positive[0])]!r}")
    if at_boundary.mean() > _LARGE_SHARE:
        trouble.append(
            f"{at_boundary.mean():.0%} of the training samples lie at the very boundary, on its "
            "wrong side"
        )
    if trouble:
        warn_caller(
            f"this fit says little: {' and '.join(trouble)}. What can help: a larger `margin`; "
            "`monotonic_cst='auto'`, which turns each feature the way it grows with the positive "
            "class; or `RDEPClassifier`, which learns such features",
            DegenerateFitWarning,
        )
