"""Growth of training time and memory with the number of samples and features.

    python -m benchmarks.growth many

compares the default on many samples with escapes on all of them, as on few samples: CPU seconds and
memory on 1,000,000 x 10, objectives on six problems of 100,000 x 10.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import clone

from rdep import DEPClassifier
from rdep.exceptions import DegenerateFitWarning
from rdep.training import _starts

from .measure import cpu_seconds, is_trial
from .problems import gaussian
from .training import growth_problems

_LARGEST = 10_000_000  # minutes of one fit
_EXPONENT = 1.1


def exponents(seeds):
    """The slope of log time against log size, by the median over seeds; one for the largest."""
    for name, (sizes, problem, dep) in growth_problems().items():
        times = {}
        for size in sizes:
            times[size] = []
            for seed in range(1 if size == _LARGEST or is_trial() else seeds):
                X, y = problem(size, seed)
                model = clone(dep)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DegenerateFitWarning)
                    seconds, _ = cpu_seconds(lambda X=X, y=y, model=model: model.fit(X, y))
                times[size].append(seconds)
        medians = [statistics.median(times[size]) for size in sizes]
        exponent = float(np.polyfit(np.log(sizes), np.log(medians), 1)[0])
        yield {
            "growth with": name,
            "sizes": list(sizes),
            "seconds": [times[size] for size in sizes],
            "exponent": exponent,
            "at most": _EXPONENT,
            "met": exponent <= _EXPONENT,
        }


def in_own_process(task, *, threads, **arguments):
    """Run one of the tasks below in a new process, whose peak memory is its own."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    environment["OPENBLAS_NUM_THREADS"] = str(threads)
    command = [sys.executable, "-m", "benchmarks.growth", task, json.dumps(arguments)]
    output = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(output.stdout.splitlines()[-1])


def dep_on_a_million():
    """A DEP on 1,000,000 x 10; the memory includes Python and the samples."""
    X, y = gaussian(1_000_000, 10)
    started = time.perf_counter()
    DEPClassifier.paper().fit(X, y)
    return {"wall seconds": time.perf_counter() - started}


def dep_on_many(m=1_000_000, seed=0, on_all=False):
    """The default DEP on m x 10; with ``on_all`` it escapes on all samples.

    The memory is what the fit adds, as a multiple of the samples'.
    """
    if on_all:
        _starts.MANY = np.inf
    X, y = gaussian(m, 10, seed=seed)
    before = _kibibytes("VmRSS")
    seconds, dep = cpu_seconds(lambda: DEPClassifier().fit(X, y))
    return {
        "CPU seconds": seconds,
        "memory / X": (_kibibytes("VmHWM") - before) * 2**10 / X.nbytes,
        "objectives": [dep.dilation_result_.objective, dep.erosion_result_.objective],
    }


def many():
    """The default on many samples against escapes on all of them."""
    ours, theirs = (in_own_process("dep_on_many", threads=1, on_all=on_all) for on_all in (0, 1))
    above = []
    for seed in range(1 if is_trial() else 6):
        mine, others = (
            in_own_process("dep_on_many", threads=1, m=100_000, seed=seed, on_all=on_all)
            for on_all in (0, 1)
        )
        above.append(float(np.max(np.divide(mine["objectives"], others["objectives"]) - 1)))
    return {
        "CPU seconds": ours["CPU seconds"],
        "times faster": theirs["CPU seconds"] / ours["CPU seconds"],
        "memory / X": ours["memory / X"],
        "objectives higher by at most": max(above),
    }


def _kibibytes(field) -> int:
    return int(re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text())[1])


def peak_gibibytes() -> float:
    """The peak of this process alone; getrusage would count the memory of its parent, too."""
    return _kibibytes("VmHWM") / 2**20


PARTS = {
    "dep_on_a_million": dep_on_a_million,
    "dep_on_many": dep_on_many,
    "many": many,
}


def main(arguments: list[str]) -> None:
    task, settings = [*arguments, "{}"][:2]
    result = PARTS[task](**json.loads(settings))
    result["GiB at the peak"] = peak_gibibytes()
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
