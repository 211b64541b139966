"""Scores of a run as tables and tests: pure functions of its rows."""

from ._statistics import bayesian_signed_rank, friedman, hasse, one_sided_t, wilcoxon_holm
from ._tables import published

__all__ = [
    "bayesian_signed_rank",
    "friedman",
    "hasse",
    "one_sided_t",
    "published",
    "wilcoxon_holm",
]
