"""Tables larger than memory: what a prediction needs does not grow with the file."""

import os
import subprocess
import sys
from itertools import repeat

import numpy as np
import pytest

from rdep import RDEPClassifier
from rdep.model_files import save_model
from rdep.tables import Column, Schema

from ..cli.command import RDEP

N_COLUMNS = 30
# The child is started from a small process: a fork of the test's own would count its memory.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""
# pyarrow reads 32 blocks ahead: with smaller ones, smaller files show what grows.
SMALL_BLOCKS = """
from rdep.cli import main
from rdep.tables import _csv
_csv._BLOCK_BYTES = 1 << 16
main()
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, N_COLUMNS))
    y = (X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=300) > 0.8).astype(int)
    path = tmp_path_factory.mktemp("memory") / "model.rdep"
    columns = tuple(Column(f"x{j}", "number") for j in range(N_COLUMNS))
    save_model(RDEPClassifier("ensemble").fit(X, y), path, schema=Schema(columns, (0, 1)))
    return path


def write_table(path, n_bytes):
    """Random numbers, a megabyte of them again and again; the number of rows."""
    values = np.random.default_rng(1).normal(size=(1800, N_COLUMNS))
    block = "".join(",".join(f"{value:.15f}" for value in row) + "\n" for row in values).encode()
    n_blocks = -(-n_bytes // len(block))
    with path.open("wb") as file:
        file.write((",".join(f"x{j}" for j in range(N_COLUMNS)) + "\n").encode())
        file.writelines(repeat(block, n_blocks))
    return n_blocks * len(values)


def peak_memory(program, model, table, output):
    """Bytes that a prediction had resident at most."""
    command = [*program, "predict", model, table, "-o", output]
    result = subprocess.run(
        [sys.executable, "-c", MEASURE, *map(str, command)],
        capture_output=True, text=True, check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    code, peak = result.stdout.split()
    assert code == "0", result.stderr
    return int(peak)


def n_lines(path):
    with path.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def test_memory_does_not_grow_with_the_file(tmp_path, model):
    peaks = {}
    program = [sys.executable, "-c", SMALL_BLOCKS]
    for megabytes in (5, 25):
        table, output = tmp_path / f"{megabytes}.csv", tmp_path / "out.csv"
        n_rows = write_table(table, megabytes << 20)
        peaks[megabytes] = peak_memory(program, model, table, output)
        assert n_lines(output) == n_rows + 1
    # The 20 MB more would be 20 MB as text, and 9 MB as numbers.
    assert peaks[25] - peaks[5] < 7 << 20


@pytest.mark.slow
def test_two_gigabytes_are_scored_within_one(tmp_path, model):
    n_rows = write_table(tmp_path / "table.csv", 2 << 30)
    peak = peak_memory([RDEP], model, tmp_path / "table.csv", tmp_path / "out.csv")
    print(f"peak resident memory: {peak / 1e6:.0f} MB")
    assert n_lines(tmp_path / "out.csv") == n_rows + 1
    assert peak < 1e9
    (tmp_path / "table.csv").unlink()
