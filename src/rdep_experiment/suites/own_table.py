"""The paper's classifiers on a table of the user: the command ``evaluate``."""

from __future__ import annotations

from .._suite import Suite
from ..models._names import PAPER
from ..run._protocol import Protocol

SUITE = Suite(
    name="own table",
    summary="the paper's classifiers on a table",
    data=None,
    classifiers=PAPER,
    protocol=Protocol(impute="fold"),
)
