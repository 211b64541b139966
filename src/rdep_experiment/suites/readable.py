"""Readable models, at several numbers of conditions, on the paper's data sets."""

from __future__ import annotations

from .. import report
from .._suite import PaperData, Suite
from ..models._names import READABLE
from ..run._protocol import Protocol

SUITE = Suite(
    name="readable",
    summary="readable models, at 4, 8, 16 and 32 conditions, on the 30 data sets",
    data=PaperData(),
    classifiers=READABLE,
    protocol=Protocol(impute="fold", sizes=True),
    report=report.readable_front,
)
