"""Groups of samples that belong together, passed to the folds inside a fit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.metadata_routing import UNUSED, get_routing_for_object

from .._utils._sklearn_estimators import _fit_context
from ._classifier import BaseClassifier
from ._fitting import unchanged_on_error


class GroupsMixin(BaseEstimator):
    """Transformer with inner folds, whose ``fit`` passes groups to a ``cv`` that splits by them.

    In scikit-learn's metadata routing, it requests groups if and only if ``cv`` splits by them.
    """

    cv: Any

    # No request by default, and no set_fit_request(groups=...): cv determines the request.
    __metadata_request__fit = {"groups": UNUSED}

    def _inner_cvs(self) -> dict[str, Any]:
        """Parameters that determine the inner folds, by name."""
        return {"cv": self.cv}

    def get_metadata_routing(self):
        """Get the metadata routing of this estimator.

        It requests groups if ``cv`` splits by them, as ``GroupKFold`` does.

        Returns
        -------
        MetadataRequest
        """
        return _with_groups(super().get_metadata_routing(), self)


class GroupedClassifier(BaseClassifier):
    """Classifier with inner folds, which requests groups in the same way."""

    cv: Any
    __metadata_request__fit = {"groups": UNUSED}

    def _inner_cvs(self) -> dict[str, Any]:
        """Parameters that determine the inner folds, by name."""
        return {"cv": self.cv}

    def get_metadata_routing(self):
        """Get the metadata routing of this estimator.

        It requests groups if ``cv`` splits by them, as ``GroupKFold`` does.

        Returns
        -------
        MetadataRequest
        """
        return _with_groups(super().get_metadata_routing(), self)

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X, y, sample_weight=None, groups=None):
        """Train on samples and their classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples.
        y : array-like of shape (n_samples,)
            Two or more classes; the second of two in sorted order is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights. None means 1 for every sample. Samples with zero weight are ignored.
        groups : array-like of shape (n_samples,), default=None
            Groups of samples that belong together, for a ``cv`` that splits by them, such as a
            :class:`~sklearn.model_selection.StratifiedGroupKFold`.

        Returns
        -------
        self
        """
        with unchanged_on_error(self):
            X, y, sample_weight = self._validated(X, y, sample_weight)
            groups = checked_groups(self, groups, y)
            self._fit(X, y, sample_weight, **({} if groups is None else {"groups": groups}))
        return self


def _with_groups(request: Any, estimator: Any) -> Any:
    if splits_by_groups(estimator):
        request.fit.add_request(param="groups", alias=True)
    return request


def splits_by_groups(estimator: Any) -> bool:
    """Whether an estimator has inner folds that are split by groups."""
    inner_cvs = getattr(estimator, "_inner_cvs", dict)
    return any(map(_takes_groups, inner_cvs().values()))


def checked_groups(
    estimator: GroupsMixin | GroupedClassifier, groups: Any, y: NDArray
) -> NDArray | None:
    """Convert groups to an array; raise an error if no inner folds are split by them."""
    if groups is None:
        return None
    if not splits_by_groups(estimator):
        given = ", ".join(f"{name}={cv!r}" for name, cv in estimator._inner_cvs().items())
        raise ValueError(
            f"groups are given, but {type(estimator).__name__} does not split by them "
            f"({given or 'it has no folds'}): set cv to a splitter that does, such as "
            "StratifiedGroupKFold(5), or omit groups"
        )
    groups = column_or_1d(np.asarray(groups))
    check_consistent_length(y, groups)
    return groups


def _takes_groups(cv: Any) -> bool:
    if not hasattr(cv, "split") or isinstance(cv, str):
        return False
    if not hasattr(cv, "get_metadata_routing"):  # not from scikit-learn: always gets them
        return True
    return bool(get_routing_for_object(cv).consumes("split", ["groups"]))
