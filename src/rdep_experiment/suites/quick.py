"""The paper's classifiers on the embedded data sets: a first look within a minute."""

from __future__ import annotations

from .._suite import Embedded, Suite
from ..models._names import PAPER
from ..run._protocol import Protocol

SUITE = Suite(
    name="quick",
    summary="the paper's eight classifiers on the two embedded data sets",
    data=Embedded(),
    classifiers=PAPER,
    protocol=Protocol(),
)
