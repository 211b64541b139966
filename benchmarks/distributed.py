"""Dask compared with one machine: the same bytes, and the overhead of the cluster.

``python -m benchmarks.distributed bytes --data-dir FOLDER`` runs all 30 data sets with two folds,
once in one process and once on a local cluster of two workers, and compares the results.
``python -m benchmarks.distributed overhead`` times cells of a second on two Dask workers and under
``joblib.Parallel(n_jobs=2)``, in turn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from distributed import LocalCluster
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin

from rdep_experiment._reproduce import Choice, reproduce
from rdep_experiment.run._cells import Task, run_fold
from rdep_experiment.run._dask_cluster import DaskCluster, run_tasks_on_dask
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._runner import ROWS
from rdep_experiment.run._sources import Source
from rdep_experiment.run._store import RowStore, cell_of, encode, read_rows
from tests.data_folder import data_folder

from .measure import is_trial, sized, some

TIMES = ("fit_seconds", "predict_seconds")
PARTS = ("bytes", "overhead", "store")


class OneSecond(ClassifierMixin, BaseEstimator):
    """Works for a second, or waits for one: waiting is not disturbed by neighbours."""

    def __init__(self, works=True):
        self.works = works

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.works:
            until = time.process_time() + 1.0
            while time.process_time() < until:
                sum(range(1000))
        else:
            time.sleep(1.0)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def waiting():
    return OneSecond(works=False)


def same_bytes(data_dir: Path, output: Path) -> None:
    protocol = Protocol(n_folds=2)
    digests, tables = [], []
    for name, cluster in (("serial", None), ("dask", DaskCluster(workers=2))):
        started = time.perf_counter()
        choice = Choice("paper", data_dir=data_dir)
        if is_trial():
            choice = Choice("quick", ["Ripley"], ["rbf_svc", "dep"])
        outcome = reproduce(choice, output / name, protocol, cluster=cluster)
        rows = read_rows(output / name / ROWS)[1]
        digests.append(_digest(rows))
        tables.append((output / name / "table.csv").read_bytes())
        cells = [row["fit_seconds"] + row["predict_seconds"] for row in outcome.rows]
        size = (output / name / ROWS).stat().st_size / len(rows)
        print(
            f"{name}: {len(rows)} rows, {outcome.n_failed} failed, {digests[-1][:16]}…, "
            f"{time.perf_counter() - started:.0f} s; a cell takes {np.mean(cells):.2f} s "
            f"(median {np.median(cells):.3f}), a row {size:.0f} bytes",
            flush=True,
        )
    print(f"rows but for their times the same: {digests[0] == digests[1]}")
    print(f"table.csv the same: {tables[0] == tables[1]}")


def _digest(rows: list[dict]) -> str:
    """A checksum of all rows in the order of their cells, without their times."""
    digest = hashlib.sha256()
    for row in sorted(rows, key=cell_of):
        digest.update(encode({key: value for key, value in row.items() if key not in TIMES}))
    return digest.hexdigest()


def overhead(turns: int, n_cells: int) -> None:
    for kind, path in some([("work", "OneSecond"), ("wait", "waiting")]):
        protocol = Protocol(n_folds=n_cells, extra={"cell": f"benchmarks.distributed:{path}"})
        ours, theirs = _turns(protocol, turns, n_cells)
        ratio = statistics.median(ours) / statistics.median(theirs)
        print(
            f"{n_cells} cells that {kind} for a second: Dask {statistics.median(ours):.2f} s, "
            f"joblib {statistics.median(theirs):.2f} s, ratio {ratio:.3f} "
            f"(turns: {', '.join(f'{a / b:.3f}' for a, b in zip(ours, theirs, strict=True))})",
            flush=True,
        )


def _turns(protocol: Protocol, turns: int, n_cells: int) -> tuple[list[float], list[float]]:
    source = Source("Ripley")
    dataset = source.load()
    tasks = [Task(source, protocol, 0, k, ("cell",), dataset.sha256) for k in range(n_cells)]
    ours, theirs = [], []
    with LocalCluster(
        n_workers=2, threads_per_worker=1, memory_limit=0, dashboard_address=None
    ) as local:
        cluster = DaskCluster(local.scheduler_address)

        def on_dask() -> list[dict]:
            rows: list[dict] = []
            run_tasks_on_dask(tasks, cluster, None, rows.append)
            return rows

        def on_joblib() -> list[list]:
            return Parallel(n_jobs=2)(delayed(_fold)(dataset, task) for task in tasks)

        on_dask(), on_joblib()  # both have their processes then
        for turn in range(turns):
            for work, times in [(on_dask, ours), (on_joblib, theirs)][:: 1 if turn % 2 else -1]:
                started = time.perf_counter()
                assert len(work()) == n_cells
                times.append(time.perf_counter() - started)
    return ours, theirs


def _fold(dataset, task):
    return list(run_fold(dataset, task))


def store_speed(rows: int = 2000) -> None:
    """How many rows a second the store takes, each on the disk itself."""
    rows = sized(rows)
    row = {
        "dataset": "d", "repeat": 0, "fold": 0, "classifier": "c", "error": None,
        "text": "x" * 350,
    }  # fmt: skip
    with (
        tempfile.TemporaryDirectory(dir=os.curdir) as folder,
        RowStore(Path(folder) / ROWS, {}) as store,
    ):
        started = time.perf_counter()
        for fold in range(rows):
            store.append({**row, "fold": fold})
        seconds = time.perf_counter() - started
    print(json.dumps({"rows": rows, "rows per second": round(rows / seconds)}))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--data-dir", type=Path, default=data_folder())
    parser.add_argument("--output", type=Path, default=Path("build/distributed"))
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--cells", type=int, default=20)
    options = parser.parse_args(arguments)
    if options.part == "bytes":
        same_bytes(options.data_dir, options.output)
    elif options.part == "overhead":
        overhead(*((1, 2) if is_trial() else (options.turns, options.cells)))
    else:
        store_speed()


if __name__ == "__main__":
    main()
