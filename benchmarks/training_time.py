"""CPU seconds of training a DEP, median of several fits.

Run with ``python benchmarks/training_time.py``; RDEP_DATA_DIR names the folder of the paper's data
sets, for the real ones.
"""

import os
import statistics
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier
from rdep.exceptions import DegenerateFitWarning
from tests.real_data import load

REPEATS = 5


def gaussian(m, n, apart):
    """Two Gaussian classes, the less apart the harder to train on."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(m) < 0.5, 1, 0)
    return rng.normal(size=(m, n)) + apart * (2 * y - 1)[:, None], y


def real(name):
    beside = Path(__file__).parents[2] / "shared" / "data"
    X, y = load(Path(os.environ.get("RDEP_DATA_DIR", beside)), name)
    return StandardScaler().fit_transform(X), y


def cpu_seconds(X, y, **parameters):
    before = time.process_time()
    DEPClassifier(**parameters).fit(X, y)
    return time.process_time() - before


def main():
    warnings.simplefilter("ignore", DegenerateFitWarning)
    problems = {
        "13,500 x 10, classes apart by 1": gaussian(13_500, 10, 0.5),
        "13,500 x 10, classes apart by 0.2": gaussian(13_500, 10, 0.1),
        "180 x 10,000, classes apart by 1": gaussian(180, 10_000, 0.5),
        "arcene, 200 x 10,000": real("arcene"),
        "mushroom, 8124 x 22": real("mushroom"),
        "Internet-Advertisements, 3279 x 1558": real("Internet-Advertisements"),
    }
    print(f"{'':38}{'margin 1e-6':>14}{'margin 0.25':>14}   CPU seconds, median of {REPEATS}")
    for name, (X, y) in problems.items():
        medians = [
            statistics.median(cpu_seconds(X, y, margin=margin) for _ in range(REPEATS))
            for margin in (1e-6, 0.25)
        ]
        print(f"{name:38}" + "".join(f"{seconds:14.3f}" for seconds in medians))


if __name__ == "__main__":
    main()
