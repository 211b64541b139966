"""Tables and images larger than memory: what is needed does not grow with the file."""

import os
import subprocess
import sys
from itertools import repeat

import numpy as np
import pandas as pd
import pytest

from rdep import RDEPClassifier
from rdep.images import LexicographicOrdering, opening
from rdep.model_files import save_model
from rdep.tables import Column, Schema

from ..cli.command import RDEP

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


def saved_model(folder, n_columns):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, n_columns))
    y = (X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=100) > 0.8).astype(int)
    columns = tuple(Column(f"x{j}", "number") for j in range(n_columns))
    model = RDEPClassifier("ensemble").fit(X, y)
    save_model(model, folder / "model.rdep", schema=Schema(columns, (0, 1)))
    return folder / "model.rdep"


def write_table(path, n_bytes, n_columns):
    """Random numbers, a megabyte of them again and again; the number of rows."""
    values = np.random.default_rng(1).normal(size=(54_000 // n_columns, n_columns))
    block = "".join(",".join(f"{value:.15f}" for value in row) + "\n" for row in values).encode()
    n_blocks = -(-n_bytes // len(block))
    with path.open("wb") as file:
        file.write((",".join(f"x{j}" for j in range(n_columns)) + "\n").encode())
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


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path):
    model = saved_model(tmp_path, 5)  # each column of each block takes time
    peaks = {}
    program = [sys.executable, "-c", SMALL_BLOCKS]
    for megabytes in (4, 16):
        table, output = tmp_path / f"{megabytes}.csv", tmp_path / "out.csv"
        n_rows = write_table(table, megabytes << 20, 5)
        peaks[megabytes] = peak_memory(program, model, table, output)
        assert n_lines(output) == n_rows + 1
    # The 12 MB more would be 12 MB as text, and 5.4 MB as numbers.
    assert peaks[16] - peaks[4] < 4 << 20


@pytest.mark.slow
def test_two_gigabytes_are_scored_within_one(tmp_path):
    model = saved_model(tmp_path, 30)
    n_rows = write_table(tmp_path / "table.csv", 2 << 30, 30)
    peak = peak_memory([RDEP], model, tmp_path / "table.csv", tmp_path / "out.csv")
    print(f"peak resident memory: {peak / 1e6:.0f} MB")
    assert n_lines(tmp_path / "out.csv") == n_rows + 1
    assert peak < 1e9
    (tmp_path / "table.csv").unlink()


# What is mapped from a file does not count: the system drops it if memory is short.
FILTER = """
import resource, sys
import numpy as np
from rdep.images import LexicographicOrdering, filter_blocks, opening
resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))
image = np.load(sys.argv[1], mmap_mode="r")
out = np.lib.format.open_memmap(sys.argv[2], "w+", image.dtype, image.shape)
def opened(block):
    return opening(block, size=5, ordering=LexicographicOrdering([1]))
filter_blocks(opened, image, overlap=4, out=out)
"""


@pytest.mark.slow
def test_two_gigabytes_of_an_image_are_filtered_within_one(tmp_path):
    shape = (3400, 5000, 16)
    image = np.lib.format.open_memmap(tmp_path / "in.npy", "w+", np.float64, shape)
    some = np.random.default_rng(0).normal(size=(200, *shape[1:]))
    for start in range(0, len(image), len(some)):
        image[start : start + len(some)] = np.roll(some, start, axis=1)
    assert image.nbytes > 2 << 30
    command = [sys.executable, "-c", FILTER, tmp_path / "in.npy", tmp_path / "out.npy"]
    subprocess.run([*map(str, command)], check=True)
    out = np.load(tmp_path / "out.npy", mmap_mode="r")
    for start in (0, 1000, 3300):
        first, last = max(0, start - 4), min(len(image), start + 104)
        whole = opening(image[first:last], size=5, ordering=LexicographicOrdering([1]))
        inside = slice(start - first, start - first + 100)
        assert np.array_equal(out[start : start + 100], whole[inside])
    for name in ("in.npy", "out.npy"):
        (tmp_path / name).unlink()


@pytest.mark.slow
def test_a_fit_stays_within_the_memory_that_it_is_given(tmp_path):
    """250,000 rows of 100 columns: forest and boosting on all of them would need more."""
    rng = np.random.default_rng(0)
    (tmp_path / "parts").mkdir()
    for k in range(10):
        X = rng.normal(size=(25_000, 100))
        table = pd.DataFrame(X, columns=[f"x{j}" for j in range(100)])
        table = table.assign(y=X[:, 0] + X[:, 1] ** 2 + rng.normal(size=25_000) > 1)
        table.to_parquet(tmp_path / "parts" / f"part-{k}.parquet", index=False)
    command = [RDEP, "fit", "parts", "-t", "y", "-o", "m.rdep", "--memory", "1GB"]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *command],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=True,
    )
    *_, last = done.stdout.splitlines()
    code, peak = map(int, last.split())
    assert code == 0
    assert "of them, as many as fit the memory" in done.stdout
    assert peak < 10**9
