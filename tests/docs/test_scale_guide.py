"""The guide to large tables: its costs are those of the committed run, its estimates follow."""

import csv
import re

import pytest

from ..places import DOCS, RESULTS

PAGE = DOCS / "guide" / "scale.md"
N_ROWS, N_PARTS, N_DRAWN = 1e9, 1000, 3.3e6


@pytest.fixture(scope="module")
def measured():
    with (RESULTS / "scale" / "measured.csv").open(newline="") as file:
        return {
            row["what"]: float(row["value"])
            for row in csv.DictReader(file)
            if row["part"] == "costs"
        }


def lines(n_columns):
    """Rows of the page's tables with numbers in all columns but the first."""
    cell = r" ([\d.,]+) \|"
    for found in re.findall(
        r"^\| ([^|]+) \|" + cell * (n_columns - 1) + "$", PAGE.read_text("utf-8"), re.MULTILINE
    ):
        yield found[0], [float(number.replace(",", "")) for number in found[1:]]


def test_costs(measured):
    steps = dict(lines(3))
    passes, micros = steps.pop("together")
    for step, (n_passes, of_row) in steps.items():
        assert n_passes == measured[f"{step}, passes"]
        assert of_row == round(measured[step], 1)
    assert len(steps) == 10
    assert passes == sum(n_passes for n_passes, _ in steps.values())
    assert micros == pytest.approx(sum(measured[step] for step in steps), abs=0.05)
    assert "take 28 µs for each row of the draw" in PAGE.read_text("utf-8")
    assert round(measured["forest and boosting"]) == 28


def test_estimates(measured):
    steps = dict(lines(3))
    passes, micros = steps["together"]
    estimates = list(lines(6))
    assert [workers for workers, _ in estimates] == ["10", "100", "1,000"]
    for workers, (sums, scheduler, client, network, together) in estimates:
        n_workers = int(workers.replace(",", ""))
        parts = (
            N_ROWS * micros * 1e-6 / n_workers,
            2 * passes * N_PARTS * 1e-3,
            N_DRAWN * measured["forest and boosting"] * 1e-6,
            N_DRAWN * 20 * 8 / 1e8,
        )
        minutes = [seconds / 60 for seconds in parts]
        assert sums == pytest.approx(minutes[0], rel=0.01)
        assert [scheduler, client, network] == pytest.approx(minutes[1:], abs=0.06)
        assert together == pytest.approx(sum(minutes), rel=0.03)
