"""The tables of the guides to forecasting and to monotone models are the committed ones."""

import csv

from ..places import DOCS, RESULTS

COLUMNS = [
    *("seasonal", "mean", "smoothing", "ridge", "extra_trees", "boosting", "dep", "linear_dep"),
    "rdep",
]
MONOTONE = [
    *("dep", "rdep", "linear", "isotonic", "hist_gb", "lightgbm", "ebm", "hist_gb_free"),
    "rdep_free",
]


def committed(*names):
    with RESULTS.joinpath(*names).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def shown(page, n_cells):
    lines = (DOCS / "guide" / page).read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if len(row) == n_cells]


def test_the_forecasts_are_the_committed_ones():
    ratios = {
        (row["series"], row["horizon"], row["model"]): float(row["ratio"])
        for row in committed("forecasting", "table.csv")
    }
    rows = {
        (series, steps): cells
        for series, steps, *cells in shown("forecasting.md", 2 + len(COLUMNS))
    }
    for series, horizon in {key[:2] for key in ratios}:
        expected = [f"{ratios[series, horizon, model]:.2f}" for model in COLUMNS]
        assert rows[series, horizon] == expected


def test_the_monotone_regressors_are_the_committed_ones():
    rows = committed("monotone", "regression.csv")
    errors = {(row["table"], row["model"]): float(row["error"]) for row in rows}
    found = {name: cells for name, *cells in shown("monotone.md", 1 + len(MONOTONE))}
    for table in {row["table"] for row in rows}:
        assert found[table] == [f"{errors[table, model]:.3f}" for model in MONOTONE]
    constrained = [row for row in rows if not row["model"].endswith("_free")]
    assert len(constrained) == 4 * 7
    assert {row["violations"] for row in constrained} == {"0"}


def test_the_rivals_are_the_committed_ones():
    models = [
        *("ridge", "ebm", "optimal_tree", "optimal_linear_tree", "convex", "linear_dep", "rdep"),
    ]
    rows = committed("regression_rivals", "table.csv")
    errors = {(row["table"], row["model"]): row["error"] for row in rows}
    found = {name: cells for name, *cells in shown("regression.md", 1 + len(models))}
    for table in {row["table"] for row in rows}:
        expected = [errors.get((table, model), "") for model in models]
        assert found[table] == [f"{float(error):.3f}" if error else "–" for error in expected]
