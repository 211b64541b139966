"""Fits on tables larger than memory: cost of each pass, memory, Dask, accuracy beside LightGBM.

    python -m benchmarks.scale costs --rows 500_000      CPU seconds a row of each step
    python -m benchmarks.scale equal --rows 500_000      one block, many blocks, two Dask workers
    python -m benchmarks.scale memory --rows 20_000_000  peak of ``rdep fit --memory 2GB``
    python -m benchmarks.scale dask --rows 5_000_000     time on two Dask workers and in blocks
    python -m benchmarks.scale accuracy --rows 5_000_000 beside LightGBM on all rows

The rows are those of the generator ``hard``, in Parquet files of 250,000 rows, which are written to
the temporary folder and removed. Each part adds a line to ``results/scale/measured.csv``.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score

from rdep import RDEPClassifier
from rdep.blocks import fit_table_blocks

from .measure import cpu_seconds, output, sized
from .problems import hard

PARTS = ("costs", "equal", "memory", "dask", "accuracy")
_FILE_ROWS = 250_000
_ROWS = {"costs": 500_000, "equal": 500_000, "memory": 20_000_000}
_TEST_ROWS = 100_000
_NAMES = [f"x{k}" for k in range(20)]
# Starts the command and prints the largest memory that it had, in KiB.
_MEASURED = """
import resource, subprocess, sys
code = subprocess.run([sys.executable, "-m", "rdep", *sys.argv[1:]], stdout=sys.stderr).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


@contextmanager
def parquet(n_rows: int) -> Iterator[Path]:
    """A folder of Parquet files."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for k, start in enumerate(range(0, n_rows, _FILE_ROWS)):
            X, y = hard(min(_FILE_ROWS, n_rows - start), seed=k)
            table = pd.DataFrame(X, columns=_NAMES).assign(y=np.where(y, "yes", "no"))
            table.to_parquet(folder / f"part-{k:04d}.parquet", index=False)
        yield folder


def costs(n_rows: int) -> dict[str, float]:
    """CPU seconds of each step, in millionths for each row."""
    spent: dict[str, float] = defaultdict(float)
    passes: dict[str, set[int]] = defaultdict(set)
    last = ["looking at the columns", time.process_time()]

    def tell(state):
        now = time.process_time()
        spent[last[0]] += now - last[1]
        last[:] = state.what, now
        passes[state.what].add(state.number)

    with parquet(n_rows) as folder:
        last[1] = time.process_time()
        fit_table_blocks(folder, "y", random_state=0, progress=tell)
    spent[last[0]] += time.process_time() - last[1]
    numbers = {f"{what}, passes": float(len(numbers)) for what, numbers in passes.items()}
    return {what: 1e6 * seconds / n_rows for what, seconds in spent.items()} | numbers


def equal(n_rows: int) -> dict[str, float]:
    """Largest difference of decision values, and number of labels that differ."""
    import dask.dataframe as dd

    X, _ = hard(sized(_TEST_ROWS), seed=10_000)
    rows = pd.DataFrame(X, columns=_NAMES)
    with parquet(n_rows) as folder:
        whole = pd.read_parquet(folder)
        models = {
            "one block": RDEPClassifier(random_state=0).fit_blocks(lambda: [whole], "y"),
            "blocks": RDEPClassifier(random_state=0).fit_blocks(folder, "y"),
        }
        with two_workers():
            table = dd.read_parquet(folder)
            models["Dask"] = RDEPClassifier(random_state=0).fit(table[_NAMES], table["y"])
    values = {name: model.decision_function(rows) for name, model in models.items()}
    first = values.pop("one block")
    return {
        f"{name}, {what}": float(number)
        for name, found in values.items()
        for what, number in (
            ("largest difference", np.abs(found - first).max()),
            ("labels that differ", np.sum(np.sign(found) != np.sign(first))),
        )
    }


def memory(n_rows: int) -> dict[str, float]:
    """Largest resident memory of the command, in MiB."""
    with parquet(n_rows) as folder:
        command = ["fit", folder, "-t", "y", "-o", folder.with_suffix(".rdep"), "--memory", "2GB"]
        done = subprocess.run(
            [sys.executable, "-c", _MEASURED, *map(str, command), "--random-state", "0"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        folder.with_suffix(".rdep").unlink()
    return {"peak in MiB": int(done.stdout) / 1024}


def dask(n_rows: int) -> dict[str, float]:
    """Wall-clock seconds in blocks and on two workers, start-up of the workers left out."""
    seconds = {}
    with parquet(n_rows) as folder, two_workers():
        for name, cluster in (("blocks", False), ("two Dask workers", True)):
            started = time.perf_counter()
            fit_table_blocks(folder, "y", random_state=0, cluster=cluster)
            seconds[f"{name}, seconds"] = time.perf_counter() - started
    return seconds | {"ratio": seconds["two Dask workers, seconds"] / seconds["blocks, seconds"]}


def accuracy(n_rows: int) -> dict[str, float]:
    """Balanced accuracy on held-out rows, and CPU seconds of the fits."""
    from lightgbm import LGBMClassifier

    X_test, y_test = hard(sized(_TEST_ROWS), seed=10_000)
    test = pd.DataFrame(X_test, columns=_NAMES)
    labels = np.where(y_test, "yes", "no")
    with parquet(n_rows) as folder:
        ours, model = cpu_seconds(lambda: fit_table_blocks(folder, "y", random_state=0))
        whole = pd.read_parquet(folder)
        peer = LGBMClassifier(n_jobs=1, verbose=-1, class_weight="balanced", random_state=0)
        theirs, _ = cpu_seconds(lambda: peer.fit(whole[_NAMES], whole["y"]))
    scores = [balanced_accuracy_score(labels, m.predict(test)) for m in (model, peer)]
    return {
        "balanced accuracy": scores[0],
        "LightGBM's": scores[1],
        "above LightGBM's": scores[0] - scores[1],
        "rows of boosting": float(model.summary["boosting_rows"]),
        "CPU seconds": ours,
        "LightGBM's CPU seconds": theirs,
    }


@contextmanager
def two_workers() -> Iterator[None]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster),
    ):
        yield


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--rows", type=int)
    options = parser.parse_args(arguments)
    n_rows = options.rows or _ROWS.get(options.part, 5_000_000)
    # A trial needs both classes in both folds.
    n_rows = max(sized(n_rows), min(n_rows, 400))
    found = globals()[options.part](n_rows)
    path = output("scale") / "measured.csv"
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        lines = csv.writer(file)
        if is_new:
            lines.writerow(["part", "rows", "processors", "what", "value"])
        for what, value in found.items():
            lines.writerow([options.part, n_rows, os.cpu_count(), what, f"{value:.6g}"])
            print(f"{options.part}, {n_rows:,} rows: {what} {value:.6g}", flush=True)


if __name__ == "__main__":
    main()
