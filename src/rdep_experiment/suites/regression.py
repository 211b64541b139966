"""Regressors of this package and common alternatives, on eleven tables.

The tables are those of the Penn Machine Learning Benchmarks at hand whose names begin with N to Z,
and simulated ones. No default was chosen on them. Targets are in standard deviations from their
mean, and of more than 500 rows a random sample of 500 is drawn.
"""

from __future__ import annotations

from rdep._registry import REGRESSION

from .. import report
from .._suite import Suite, Tables
from ..models._names import OURS_FOR_NUMBERS, REGRESSION_RIVALS
from ..run._protocol import ERRORS, Protocol

MOST_ROWS = 500

SUITE = Suite(
    name="regression",
    summary="regressors, on 11 tables whose target is a number",
    data=Tables(
        "regression",
        (
            *("SWD", "USCrime", "fri_c0_250_5", "fri_c2_500_10", "fri_c4_1000_25", "pm10"),
            *("pollution", "pwLinear", "rabe_266", "vineyard", "wind"),
        ),
        numbers=True,
        most_rows=MOST_ROWS,
    ),
    classifiers=(*OURS_FOR_NUMBERS, *REGRESSION_RIVALS),
    protocol=Protocol(task=REGRESSION, impute="fold", n_folds=5, metrics=ERRORS),
    report=report.other_scores,
)
