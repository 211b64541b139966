"""CPU time of a fit, of predicting one row and 10,000 rows, on the paper's data sets.

Each data set is split once, four fifths for training. One process with one thread computes all
cells, and classifiers share no fits. Classifiers whose fit is that of another one are left out: a
threshold at the prior, the stack of the r-DEP alone. So are tuned rivals except the SVC: each takes
the time of nineteen fits.
"""

from __future__ import annotations

from .. import report
from .._suite import PaperData, Suite
from ..models._names import DEFAULTS, INSTALLABLE, PAPER, RIVALS
from ..run._protocol import HELD_OUT, Protocol

SAME = ("positive_stack", *(name for name in INSTALLABLE if name.endswith("_tuned")))

SUITE = Suite(
    name="costs",
    summary="CPU time of fits and predictions, on the paper's 30 data sets",
    data=PaperData(),
    classifiers=tuple(
        name
        for name in (*DEFAULTS, *PAPER, *RIVALS, *INSTALLABLE)
        if name not in SAME and not name.endswith("_prior")
    ),
    protocol=Protocol(impute="fold", split=HELD_OUT, n_folds=1, costs=True),
    report=report.costs,
)
