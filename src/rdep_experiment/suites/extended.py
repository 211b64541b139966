"""Further baselines and r-DEPs, and the steps towards them, on the paper's data sets."""

from __future__ import annotations

from .._suite import PaperData, Suite
from ..models._names import BETTER, INSTALLABLE, MORPHO, PAPER, RIVALS, STEPS, VARIANTS
from ..run._protocol import Protocol

SUITE = Suite(
    name="extended",
    summary="further baselines and r-DEPs, on the paper's 30 data sets",
    data=PaperData(),
    classifiers=(
        *(*PAPER, *RIVALS, *BETTER, "linear_dep"),
        *(*STEPS, *VARIANTS, *INSTALLABLE, *MORPHO),
    ),
    protocol=Protocol(
        impute="fold",
        metrics=("balanced_accuracy", "roc_auc", "neg_log_loss"),
        gaps=True,
        measured=True,
    ),
)
