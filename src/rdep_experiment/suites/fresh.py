"""The comparison of the suite ``extended`` on data sets of another collection."""

from __future__ import annotations

from .. import report
from .._suite import Suite, Tables
from .extended import COMPARED
from .extended import SUITE as EXTENDED

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
    classifiers=COMPARED,
    protocol=EXTENDED.protocol,
    report=report.other_scores,
)
