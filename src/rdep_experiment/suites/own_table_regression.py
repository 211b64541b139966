"""The model of ``rdep fit`` and common regressors on a table: the command ``evaluate``."""

from __future__ import annotations

from rdep._registry import REGRESSION

from .._suite import Suite
from ..models._names import USUAL_FOR_NUMBERS
from ..run._protocol import ERRORS, Protocol

SUITE = Suite(
    name="own table, regression",
    summary="the model of `rdep fit` and common regressors on a table whose target is a number",
    data=None,
    classifiers=USUAL_FOR_NUMBERS,
    protocol=Protocol(task=REGRESSION, impute="fold", metrics=ERRORS),
)
