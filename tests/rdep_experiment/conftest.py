"""A table to run experiments on."""

import csv

import pytest


@pytest.fixture(scope="module", autouse=True)
def _kept(kept_processes):
    """Starting processes takes most of the time of small runs."""


@pytest.fixture(scope="module", autouse=True)
def _pages_only(request):
    """But for tests of figures."""
    if not request.module.__name__.endswith("test_figures"):
        request.getfixturevalue("pages_only")


@pytest.fixture
def table(tmp_path):
    """A small table of one's own: 60 rows, a nominal column, a missing value."""
    path = tmp_path / "small.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "colour", "answer"])
        for i in range(60):
            writer.writerow([i % 7, "" if i == 3 else i, "red" if i % 3 else "blue", "ny"[i > 29]])
    return path
