"""CPU time of a fit, of predicting one row and 10,000 rows, on the paper's data sets.

One split of every data set, four fifths for training; one process with one thread, and no fit is
shared between classifiers. Tuned rivals are left out but for the SVC: each takes the time of
nineteen fits of the one that it tunes.
"""

from __future__ import annotations

from .. import report
from .._suite import PaperData, Suite
from ..models._names import DEFAULTS, INSTALLABLE, PAPER, RIVALS
from ..run._protocol import HELD_OUT, Protocol

SUITE = Suite(
    name="costs",
    summary="CPU time of fits and predictions, on the paper's 30 data sets",
    data=PaperData(),
    classifiers=(
        *(*DEFAULTS, *PAPER, *RIVALS),
        *(name for name in INSTALLABLE if not name.endswith("_tuned")),
    ),
    protocol=Protocol(impute="fold", split=HELD_OUT, n_folds=1, costs=True),
    report=report.costs,
)
