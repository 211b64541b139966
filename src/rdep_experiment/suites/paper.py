"""The paper's comparison: eight classifiers on thirty data sets."""

from __future__ import annotations

from .._suite import PaperData, Suite
from ..models._names import PAPER
from ..run._protocol import Protocol

SUITE = Suite(
    name="paper",
    summary="the paper's eight classifiers on its 30 data sets",
    data=PaperData(),
    classifiers=PAPER,
    protocol=Protocol(),
)
