"""A table to run experiments on."""

import csv

import pytest

from rdep_experiment.report import _figures


@pytest.fixture(scope="module", autouse=True)
def _kept(kept_processes):
    """Starting processes takes most of the time of small runs."""


@pytest.fixture(scope="session")
def all_formats():
    """The formats that figures are drawn in."""
    return _figures.FORMATS


@pytest.fixture(scope="module", autouse=True)
def _one_format(request, all_formats):
    """Drawing takes most of the time of a report; tests of figures draw in all formats."""
    with pytest.MonkeyPatch.context() as patch:
        if not request.module.__name__.endswith("test_figures"):
            patch.setattr(_figures, "FORMATS", {"svg": all_formats["svg"]})
        yield


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
