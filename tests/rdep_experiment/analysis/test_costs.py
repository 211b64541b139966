"""CPU times of the suite ``costs``: sums and medians of ratios, by hand."""

import numpy as np
import pytest

from rdep_experiment._suite import find_suite
from rdep_experiment.analysis._costs import cost_table, costs_as_markdown
from rdep_experiment.report import costs

SECONDS = {  # one fit on each of three data sets
    "rbf_svc": (1.0, 2.0, 10.0),
    "lightgbm": (0.5, 0.5, 0.5),
    "rdep": (4.0, 20.0, 10.0),
}


@pytest.fixture
def run():
    datasets = ["one", "two", "three"]
    rows = [
        {
            "dataset": dataset,
            "repeat": 0,
            "fold": 0,
            "classifier": name,
            "status": "ok",
            "scores": {"balanced_accuracy": 0.5},
            "cpu_seconds": {"fit": fit, "one_row": fit / 100, "many_rows": 2 * fit},
            "warnings": [],
        }
        for name, seconds in SECONDS.items()
        for dataset, fit in zip(datasets, seconds, strict=True)
    ]
    protocol = {
        "suite": "costs",
        "metric": "balanced_accuracy",
        "datasets": datasets,
        "classifiers": list(SECONDS),
        "repeats": 1,
        "n_folds": 1,
    }
    return rows, protocol


def test_sums_are_over_data_sets_and_ratios_are_medians(run):
    table = cost_table(*run)
    assert table.loc["rdep", "fit"] == 34.0
    assert table.loc["rdep", "fit_of_rbf_svc"] == 4.0  # of 4, 10 and 1
    assert table.loc["rdep", "fit_of_lightgbm"] == 20.0  # of 8, 40 and 20
    assert table.loc["rdep", "many_rows"] == 68.0
    assert table.loc["rdep", "one_row_of_rbf_svc"] == pytest.approx(4.0)
    assert (table[["fit_of_rbf_svc", "one_row_of_rbf_svc"]].loc["rbf_svc"] == 1).all()


def test_a_failed_cell_leaves_a_gap(run, tmp_path):
    rows, protocol = run
    rows[-1] = {**rows[-1], "status": "failed", "cpu_seconds": None, "scores": {}}
    table = cost_table(rows, protocol)
    assert np.isnan(table.loc["rdep", "fit"])
    assert "| r-DEP | – | – | – |" in costs_as_markdown(table, 3)


def test_the_page_has_the_fastest_fits_first(run, tmp_path):
    rows, protocol = run
    page = costs(rows, {"protocol": protocol, "command": ""}, tmp_path).read_text("utf-8")
    order = [page.index(f"| {name} |") for name in ("LightGBM", "RBF SVC", "r-DEP")]
    assert order == sorted(order)
    assert "one thread" in page
    assert (tmp_path / "costs.csv").stat().st_size > 0


def test_models_with_the_fit_of_another_one_are_left_out():
    """A threshold at the prior and the stack alone cost what their model costs."""
    names = find_suite("costs").classifiers
    assert {"rdep", "rbf_svc_tuned", "lightgbm", "box_score"} <= set(names)
    assert not [name for name in names if name.endswith("_prior") or name == "positive_stack"]
