"""Profile training: ``python -m benchmarks.profile_training dep`` or ``linear_dep``.

It prints a table of functions by their own time and their total time. For the DEP on 100,000
samples of normal distributions, these are the functions of :mod:`rdep.training`; for the linear DEP
on Spambase, all functions, because matrix products take most of the time.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from pathlib import Path

from sklearn.base import clone

from rdep import DEPClassifier, LinearDEPClassifier

from .problems import gaussian, real

PARTS = {
    "dep": (DEPClassifier.paper(), lambda: gaussian(100_000, 10), "training"),
    "linear_dep": (LinearDEPClassifier(), lambda: real("Spambase"), ""),
}


def main(arguments: list[str]) -> None:
    model, problem, where = PARTS[arguments[0] if arguments else "dep"]
    X, y = problem()
    before = time.process_time()
    clone(model).fit(X, y)
    seconds = time.process_time() - before
    profile = cProfile.Profile()
    profile.runcall(clone(model).fit, X, y)
    print(f"{len(X):,} x {X.shape[1]}: {seconds:.2f} s of CPU without the profiler\n")
    print("| function | calls | own seconds | with what it calls |\n|---|---|---|---|")
    stats = pstats.Stats(profile)
    rows = [
        (own, f"| `{Path(path).stem}: {function}` | {calls} | {own:.2f} | {total:.2f} |")
        for (path, _, function), (_, calls, own, total, _) in stats.stats.items()
        if where in path and own > 0.01 * stats.total_tt
    ]
    for _, row in sorted(rows, reverse=True):
        print(row)


if __name__ == "__main__":
    main(sys.argv[1:])
