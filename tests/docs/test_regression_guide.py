"""The table of the guide to regression is the committed one."""

import csv

from ..places import DOCS, RESULTS

COLUMNS = [
    *("ridge", "svr", "svr_tuned", "forest", "extra_trees", "hist_gb", "stack", "rdep", "dep"),
    "linear_dep",
]


def test_the_table_is_the_committed_one():
    with (RESULTS / "regression" / "table.csv").open() as file:
        committed = {
            row["table"]: [float(row[name]) for name in COLUMNS] for row in csv.DictReader(file)
        }
    lines = (DOCS / "guide" / "regression.md").read_text("utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    shown = {row[0]: row[1:] for row in cells if len(row) == 1 + len(COLUMNS)}
    for name, errors in committed.items():
        assert shown[name] == [f"{error:.3f}" for error in errors]
    means = [sum(column) / len(committed) for column in zip(*committed.values(), strict=True)]
    assert shown["*mean*"] == [f"{mean:.3f}" for mean in means]
