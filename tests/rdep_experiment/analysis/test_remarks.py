"""Cells outside the expected range, and the remarks on record."""

import pandas as pd

from rdep.datasets import paper_datasets
from rdep_experiment.analysis import _remarks as remarks
from rdep_experiment.analysis._names import CLASSIFIER_NAMES


def comparison(*cells):
    return pd.DataFrame(cells, columns=["dataset", "classifier", "ours", "published"])


def test_only_cells_outside_the_range_are_listed():
    found = remarks.deviations(
        comparison(
            ("Sonar", "rbf_svc", 0.845, 0.83),
            ("Sonar", "linear_svc", 0.755, 0.75),
            ("Sonar", "dep", 0.40, 0.49),
            ("Sonar", "ensemble_rdep", 0.95, 0.85),
            ("Sonar", "bagging_rdep", 0.85, 0.87),
        )
    )
    assert [cell.classifier for cell in found] == ["rbf_svc", "dep"]


def test_remarks_name_cells_that_exist():
    known = {entry.name for entry in paper_datasets()}
    for entry in remarks._on_record():
        assert set(entry["datasets"]) <= known
        assert set(entry["classifiers"]) <= set(CLASSIFIER_NAMES)
        assert entry["remark"].endswith(".")


def test_a_cell_without_a_remark_has_none():
    (cell,) = remarks.deviations(comparison(("Nowhere", "dep", 0.1, 0.9)))
    assert cell.remark is None
