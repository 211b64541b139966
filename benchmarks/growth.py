"""How training time and memory grow with the number of samples and of features."""

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
from sklearn.metrics import balanced_accuracy_score

from rdep import DEPClassifier, RDEPClassifier
from rdep.exceptions import DegenerateFitWarning

from .measure import cpu_seconds, is_trial
from .problems import clusters, gaussian
from .training import growth_problems

_LARGEST = 10_000_000  # minutes of one fit
_EXPONENT = 1.1


def exponents(seeds):
    """The slope of log time against log size, by the median over seeds; one for the largest."""
    for name, (sizes, problem, parameters) in growth_problems().items():
        times = {}
        for size in sizes:
            times[size] = []
            for seed in range(1 if size == _LARGEST or is_trial() else seeds):
                X, y = problem(size, seed)
                model = DEPClassifier.paper(**parameters)
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


def large_rdep(m=10_000, ordering="large", n_test=20_000):
    """An r-DEP on m x 20 samples, and its balanced accuracy on others."""
    X, y = clusters(m + n_test)
    m = len(X) * m // (m + n_test)
    started = time.perf_counter()
    model = RDEPClassifier.paper(ordering, random_state=0).fit(X[:m], y[:m])
    seconds = time.perf_counter() - started
    return {
        "wall seconds": seconds,
        "balanced accuracy": balanced_accuracy_score(y[m:], model.predict(X[m:])),
    }


def peak_gibibytes() -> float:
    """Of this process; getrusage would count what its parent had in memory when it was made."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 2**20


PARTS = {"dep_on_a_million": dep_on_a_million, "large_rdep": large_rdep}


def main(arguments: list[str]) -> None:
    task, settings = [*arguments, "{}"][:2]
    result = PARTS[task](**json.loads(settings))
    result["GiB at the peak"] = peak_gibibytes()
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
