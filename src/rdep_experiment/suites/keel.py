"""The comparison of the suite ``extended`` on data sets of the KEEL repository."""

from __future__ import annotations

from .. import report
from .._suite import Suite, Tables
from .extended import COMPARED
from .extended import SUITE as EXTENDED

SUITE = Suite(
    name="keel",
    summary="as `extended`, on 29 data sets of the KEEL repository",
    # tools/keel_tables.py states the rule by which they were selected.
    data=Tables(
        "keel",
        (
            *("abalone-17_vs_7-8-9-10", "breast", "bupa", "car-good", "dermatology-6", "ecoli1"),
            *("flare-F", "glass1", "heart", "housevotes", "iris0", "kddcup-guess_passwd_vs_satan"),
            *("kr-vs-k-zero-one_vs_draw", "led7digit-0-2-4-5-6-7-8-9_vs_1", "mammographic"),
            *("new-thyroid1", "page-blocks0", "poker-8-9_vs_5", "ring", "saheart", "segment0"),
            *("shuttle-c0-vs-c4", "twonorm", "vehicle2", "vowel0", "winequality-red-4"),
            *("winequality-white-3-9_vs_5", "wisconsin", "yeast1"),
        ),
    ),
    classifiers=COMPARED,
    protocol=EXTENDED.protocol,
    report=report.other_scores,
)
