"""Where the time of training a DEP goes: ``python -m benchmarks.profile_training``.

Prints a table of the functions of :mod:`rdep.training` by their own time and with what they call.
"""

from __future__ import annotations

import cProfile
import pstats
import time

from rdep import DEPClassifier

from .problems import gaussian


def main(m=100_000, n=10):
    X, y = gaussian(m, n)
    before = time.process_time()
    dep = DEPClassifier.paper().fit(X, y)
    seconds = time.process_time() - before
    profile = cProfile.Profile()
    profile.runcall(DEPClassifier.paper().fit, X, y)
    steps = dep.dilation_result_.n_iter + dep.erosion_result_.n_iter
    print(f"{m:,} x {n}: {seconds:.2f} s of CPU without the profiler, {steps} steps of CCP\n")
    print("| function | calls | own seconds | with what it calls |\n|---|---|---|---|")
    rows = []
    for (path, _, name), (_, calls, own, total, _) in pstats.Stats(profile).stats.items():
        if "training" in path and total > 0.01 * seconds:
            rows.append((total, f"| `{name}` | {calls} | {own:.2f} | {total:.2f} |"))
    for _, row in sorted(rows, reverse=True):
        print(row)


if __name__ == "__main__":
    main()
