"""The extended comparison on data sets that took part in no choice."""

from __future__ import annotations

from .. import report
from .._suite import Suite, Tables
from ..models._names import BETTER, INSTALLABLE, MORPHO, OWN_STACK, PAPER, RIVALS
from .extended import SUITE as EXTENDED

# What takes long for little. A fit of EBM takes minutes where classes are separable.
SLOW = {"svc_stack", "svc_rdep", "explainable_boosting", "explainable_boosting_tuned"}
COMPARED = (*OWN_STACK, *PAPER, *RIVALS, *BETTER, "linear_dep", *INSTALLABLE, *MORPHO)

SUITE = Suite(
    name="fresh",
    summary="as `extended`, on 19 data sets of the Penn Machine Learning Benchmarks",
    data=Tables(
        "fresh",
        (
            "GAMETES_Epistasis_2-Way_20atts_0.1H_EDM-1_1",
            *("analcatdata_lawsuit", "backache", "biomed", "churn", "clean1", "coil2000"),
            *("corral", "hepatitis", "hungarian", "irish", "monk1", "monk3", "prnn_crabs"),
            *("profb", "spect", "threeOf9", "tokyo1", "xd6"),
        ),
    ),
    classifiers=tuple(name for name in COMPARED if name not in SLOW),
    protocol=EXTENDED.protocol,
    report=report.held_out_scores,
)
