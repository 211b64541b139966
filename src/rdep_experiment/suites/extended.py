"""Models of this package at their defaults, and their rivals, on the paper's data sets."""

from __future__ import annotations

from .. import report
from .._suite import PaperData, Suite
from ..models._names import DEFAULTS, INSTALLABLE, MORPHO, PAPER, RIVALS, SLOWEST
from ..run._protocol import Protocol

COMPARED = (*DEFAULTS, *PAPER, *RIVALS, *INSTALLABLE)

SUITE = Suite(
    name="extended",
    summary="models at their defaults and many rivals, on the paper's 30 data sets",
    data=PaperData(),
    # On the widest of these data sets, a fold of the slowest classifier would take hours.
    classifiers=(*(name for name in COMPARED if name != SLOWEST), *MORPHO),
    protocol=Protocol(
        impute="fold",
        metrics=("balanced_accuracy", "roc_auc", "neg_log_loss"),
        gaps=True,
    ),
    report=report.against_others,
)
