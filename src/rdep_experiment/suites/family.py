"""Reproduction of published tables of other morphological models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .. import report
from .._suite import PaperData, Suite
from ..models._names import FAMILY
from ..run._protocol import Protocol


def smaller_tables(output: Path, data_dir: Path | None, show: Callable[[str], None]) -> None:
    """Compute the smaller tables, besides that of all classifiers on all data sets."""
    from ..family._tables import compute_tables

    compute_tables(output, data_dir, show)


SUITE = Suite(
    name="family",
    summary="published tables of other morphological models",
    # The published table has another data set instead.
    data=PaperData(without=("Egg-Eye-State",)),
    classifiers=(
        *("linear_svc", "rbf_svc", "dep", "ensemble_rdep", "bagging_rdep"),
        *FAMILY,
        *("perceptron", "dep_cv", "linear_dep", "rdep", "competitive", "dendrites", "elm"),
    ),
    protocol=Protocol(n_folds=5, keep_empty=True, measured=True),
    report=report.family_scores,
    prepare=smaller_tables,
)
