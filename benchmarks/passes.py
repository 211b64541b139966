"""The DEP by passes over blocks on disk, against the descent on arrays.

    python -m benchmarks.passes arrays

compares both on ρ of 2,000,000 rows and three members, from the same start: CPU seconds, objectives
and weights. ``large`` fits a DEP to ρ of 10,000,000 rows and five members, and tells the passes and
the memory. ``raw`` does it on 1,000,000 x 10 Gaussian features without members.

The members of ρ are fitted to 50,000 rows of the generator ``hard`` and evaluated on the others.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier
from rdep._base._passes import Block, added
from rdep.kernels import LandmarkClassifier
from rdep.perceptrons import fit_dep_by_passes
from rdep.training import (
    OPERATORS,
    DilationProblem,
    Objective,
    Procedure,
    SampledRows,
    TrainingSet,
    _descend,
    _passes,
)

from .measure import Comparison, cpu_seconds, is_trial, sized
from .problems import gaussian, hard

PARTS = ("arrays", "large", "raw")
ROWS_OF_A_BLOCK = 100_000
_TRAINED_ON = 50_000
_OBJECTIVE = Objective(C=0.001, weighting=None, margin=0.25)
_PROCEDURE = Procedure(escape=True)
_SMALL = {"max_leaf_nodes": 15, "learning_rate": 0.2, "random_state": 0}


class OnDisk:
    """Rows in a file, read block by block."""

    def __init__(self, path: Path, n_features: int) -> None:
        self.path, self.n_features = path, n_features
        self.n_rows = path.stat().st_size // (8 * (n_features + 1))

    def block(self, start: int) -> Block:
        width = self.n_features + 1
        rows = np.fromfile(
            self.path, count=ROWS_OF_A_BLOCK * width, offset=8 * start * width
        ).reshape(-1, width)
        return Block(rows[:, :-1], rows[:, -1], np.ones(len(rows)), start)

    def reduce(self, partial, add):
        starts = range(0, self.n_rows, ROWS_OF_A_BLOCK)
        return added((partial(self.block(start)) for start in starts), add)


def members(n_members):
    """Fitted members, and the scaler of their input."""
    X, y = hard(_TRAINED_ON)
    scaler = StandardScaler().fit(X)
    unfitted = [
        LandmarkClassifier(n_landmarks=100, random_state=0),
        LogisticRegression(),
        HistGradientBoostingClassifier(max_iter=20, **_SMALL),
        HistGradientBoostingClassifier(max_iter=8, max_features=0.3, **_SMALL),
        GaussianNB(),
    ]
    return [member.fit(scaler.transform(X), y) for member in unfitted[:n_members]], scaler


def write_reduced(path: Path, n_rows: int, n_members: int) -> OnDisk:
    """ρ of new rows, and their classes, in a file."""
    fitted, scaler = members(n_members)
    n_rows = sized(n_rows)
    with path.open("wb") as file:
        for number, start in enumerate(range(0, n_rows, ROWS_OF_A_BLOCK)):
            X, y = hard(min(ROWS_OF_A_BLOCK, n_rows - start), seed=1 + number)
            X = scaler.transform(X)
            values = [
                member.decision_function(X)
                if hasattr(member, "decision_function")
                else np.diff(member.predict_log_proba(X), axis=1)[:, 0]
                for member in fitted
            ]
            np.column_stack([*values, np.where(y > 0, 1.0, -1.0)]).tofile(file)
    return OnDisk(path, n_members)


def against_arrays(repeats):
    """Passes over ρ on disk, and the descent on all rows at once, from the same start."""
    with tempfile.TemporaryDirectory() as folder:
        passes = write_reduced(Path(folder, "rho"), 2_000_000, 3)
        everything = np.fromfile(passes.path).reshape(-1, 4)
        X, y = np.ascontiguousarray(everything[:, :-1]), everything[:, -1]
        rows = SampledRows.of(passes, _passes.START_ROWS, (1.0, 1.0), True)
        samples = TrainingSet.from_samples(X, y)
        ours, theirs = [], []
        for _ in range(1 if is_trial() else repeats):
            descents = {
                name: _passes.Descent(rows, name, _OBJECTIVE, _PROCEDURE, _passes.MOST_KEPT)
                for name in OPERATORS
            }
            starts = {name: descent.u for name, descent in descents.items()}
            seconds, _ = cpu_seconds(
                lambda descents=descents: _passes.pass_to_the_end(passes, descents)
            )
            ours.append(seconds)
            problems = {
                name: DilationProblem.from_training_set(samples, name, _OBJECTIVE)
                for name in OPERATORS
            }
            seconds, ends = cpu_seconds(
                lambda problems=problems, starts=starts: {
                    name: _descend.descend(problem, starts[name], Procedure())
                    for name, problem in problems.items()
                }
            )
            theirs.append(seconds)
    apart = {name: float(np.abs(ends[name].at.u - descents[name].u).max()) for name in OPERATORS}
    above = max(
        abs(descents[name].history[-1] / ends[name].objective - 1) if ends[name].objective else 0.0
        for name in OPERATORS
    )
    n_passes = max(len(descent.kept) for descent in descents.values())
    kept = max(max(descent.kept) for descent in descents.values()) / passes.n_rows
    yield Comparison(
        "many rows",
        f"passes over rho on disk, {passes.n_rows:,} x 3, from an end on a sample",
        "descent on arrays from the same start",
        ours,
        theirs,
        at_most=0.35,
        answers={
            "relative difference of objectives": above,
            "largest difference of weights": max(apart.values()),
            "passes": n_passes,
            "share of rows kept": kept,
        },
        answers_agree=above <= 1e-12 and max(apart.values()) <= 1e-12 and n_passes <= 3,
        remark="ours reads the file in every pass; theirs has all rows in memory and sorted",
    )


def large(path):
    """Fit to a file that another process has written; the peak is that of this process."""
    return _fitted(OnDisk(Path(path), 5))


def raw():
    """Ten features as they are, of which far more rows are near the boundary."""
    X, y = gaussian(1_000_000, 10)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows")
        np.column_stack([X, np.where(y > 0, 1.0, -1.0)]).tofile(path)
        del X, y
        return _fitted(OnDisk(path, 10))


def _fitted(passes):
    warnings.simplefilter("ignore")
    seconds, dep = cpu_seconds(
        lambda: fit_dep_by_passes(DEPClassifier(margin=0.25), passes, [0, 1])
    )
    results = {"dilation": dep.dilation_result_, "erosion": dep.erosion_result_}
    return {
        "rows": passes.n_rows,
        "CPU seconds": round(seconds, 2),
        **{
            name: {
                "status": result.status,
                "passes": len(result.kept),
                "rows kept": max(result.kept),
                "objective at the end on the sample": result.history[0],
                "objective": result.history[-1],
                "largest rise": float(np.diff(result.history).max()),
                "slope at the end": result.certificate,
            }
            for name, result in results.items()
        },
        "beta": dep.beta_,
    }


def in_own_process(task, *arguments):
    """Result of a task in a new process, with its peak memory in GiB."""
    found = subprocess.run(
        [sys.executable, "-m", "benchmarks.passes", task, *map(str, arguments)],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(found.stdout)


def _peak() -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1]) / 2**20


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=(*PARTS, "large-file", "raw-rows"))
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args(arguments)
    if options.part == "arrays":
        for comparison in against_arrays(options.repeats):
            print(json.dumps(comparison.record(), indent=1))
    elif options.part == "large":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "rho")
            write_reduced(path, 10_000_000, 5)
            print(json.dumps(in_own_process("large-file", path), indent=1))
    elif options.part == "raw":
        print(json.dumps(in_own_process("raw-rows"), indent=1))
    else:
        found = large(options.file) if options.part == "large-file" else raw()
        print(json.dumps({**found, "GiB at the peak": _peak()}))


if __name__ == "__main__":
    main()
