"""The comparison of the suite ``regression`` on tables on which defaults were chosen."""

from __future__ import annotations

from dataclasses import replace

from .. import report
from .._suite import Tables
from .regression import MOST_ROWS
from .regression import SUITE as REPORTED

SUITE = replace(
    REPORTED,
    name="regression-choosing",
    summary="as `regression`, on 11 tables on which defaults were chosen",
    data=Tables(
        "regression",
        (
            *("ERA", "ESL", "FacultySalaries", "LEV", "auto_price", "bodyfat"),
            *("chscase_geyser1", "cloud", "cpu_small", "elusage", "machine_cpu"),
        ),
        numbers=True,
        most_rows=MOST_ROWS,
    ),
    report=report.against_others,
)
