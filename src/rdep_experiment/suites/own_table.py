"""The model of ``rdep fit`` and common classifiers on a table: the command ``evaluate``."""

from __future__ import annotations

from .._suite import Suite
from ..models._names import USUAL
from ..run._protocol import Protocol

SUITE = Suite(
    name="own table",
    summary="the model of `rdep fit` and common classifiers on a table",
    data=None,
    classifiers=USUAL,
    protocol=Protocol(impute="fold"),
)
