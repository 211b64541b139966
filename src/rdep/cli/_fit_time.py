"""Messages before a long fit."""

from __future__ import annotations

from collections.abc import Iterable

from sklearn.base import BaseEstimator

from ..orderings import MixedOrdering
from ..perceptrons import MOST_FOR_KERNELS, RDEPClassifier, RDEPRegressor, long_fit
from ..tables import Schema

_LONG_SECONDS = 10


def said_before(classifier: BaseEstimator, schema: Schema, n_rows: int) -> Iterable[str]:
    """Messages to show before a fit that may take long."""
    is_mixed = isinstance(classifier, RDEPRegressor) and isinstance(classifier.ordering, str)
    if is_mixed and n_rows > MOST_FOR_KERNELS:
        yield f"with more than {MOST_FOR_KERNELS:,} rows, the SVR among the members is left out"
    if not isinstance(classifier, RDEPClassifier):
        return
    ordering = classifier._part("ordering")
    if isinstance(ordering, MixedOrdering) and n_rows > (ordering.max_svc_samples or n_rows):
        yield (
            f"with more than {ordering.max_svc_samples:,} rows, landmarks take the place of the "
            "SVC, which would take too long (--set ordering__max_svc_samples=none keeps the SVC)"
        )
    warning = long_fit(
        classifier, n_rows, schema.n_encoded, len(schema.classes), at_least=_LONG_SECONDS
    )
    if warning is not None:
        yield f"{warning.text('rows', '--ordering {}'.format)}. Ctrl-C ends it"
