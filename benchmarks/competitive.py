"""The classifier of boxes: steps by set descent against HiGHS, and accuracy of greedy training.

``python -m benchmarks.competitive`` prints both; with the argument ``steps`` or ``greedy``, one of
them. RDEP_DATA_DIR names the folder of the paper's data sets. Times are CPU seconds with one
thread.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from rdep import CompetitiveClassifier
from rdep.datasets import paper_datasets
from rdep.training.boxes._descent import minimise_step
from rdep.training.boxes._linear_program import solve_step
from rdep.training.boxes._problem import BoxProblem
from rdep.training.boxes._starts import start_boxes

from .measure import cpu_seconds, sized, some
from .problems import load

SIZES = ((500, 5), (1000, 10), (2000, 10), (5000, 10), (20_000, 10))
N_BOXES = 3
N_STEPS = 4
PARTS = ("steps", "greedy")


def noisy_boxes(m, n, seed=0, noise=0.05):
    """Two boxes in the first two features, with some labels turned."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n))
    y = (np.abs(X[:, :2]).max(axis=1) < 0.8) | (X[:, :2] > 1).all(axis=1)
    y ^= rng.random(m) < noise
    costs = np.ones(m)
    return BoxProblem(X[y], X[~y], costs[y], costs[~y], gamma=0.01, margin=0.0)


def steps():
    """The same steps by both solvers, from the same boxes each."""
    print("rows x features   descent    HiGHS   ratio   largest gap")
    for m, n in SIZES:
        problem = noisy_boxes(sized(m), n)
        boxes = start_boxes(problem.positives, N_BOXES, "k-means++", 0)
        ours, theirs, gap = 0.0, 0.0, 0.0
        for _ in range(N_STEPS):
            step = problem.step(boxes)
            seconds, (found, exact) = cpu_seconds(lambda: minimise_step(step, boxes))  # noqa: B023
            ours += seconds
            seconds, oracle = cpu_seconds(lambda: solve_step(step))  # noqa: B023
            theirs += seconds
            assert exact
            gap = max(gap, (step.value(found) - step.value(oracle)) / step.value(oracle))
            boxes = found
        print(
            f"{m:>6} x {n:<8} {ours:>8.2f} {theirs:>8.2f} {theirs / ours:>7.1f}   {gap:.1e}",
            flush=True,
        )


def greedy():
    """Training accuracy, and balanced accuracy of five folds, of greedy training."""
    print("data set   rows   boxes   wrong in training   contradictory   pure   published")
    scores = []
    small = (entry.name for entry in paper_datasets() if entry.instances <= 1500)
    for name in some(name for name in small if name != "Arsene"):
        X, y = load(name)
        model = CompetitiveClassifier().fit(X, y)
        folds = StratifiedKFold(5, shuffle=True, random_state=1)
        scores.append(
            [
                cross_val_score(
                    make_pipeline(StandardScaler(), CompetitiveClassifier(training, ties="first")),
                    X, y, cv=folds, scoring="balanced_accuracy",
                ).mean()
                for training in ("greedy", "greedy-published")
            ]
        )  # fmt: skip
        wrong = int((model.predict(X) != y).sum())
        n_boxes = sum(map(len, model.boxes_))
        print(
            f"{name}   {len(y)}   {n_boxes}   {wrong}   {model.n_contradictory_}   "
            f"{scores[-1][0]:.3f}   {scores[-1][1]:.3f}",
            flush=True,
        )
    print(f"mean of {len(scores)}: {np.mean(scores, axis=0).round(4)}")


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore", UserWarning)
    chosen = arguments or PARTS
    with threadpool_limits(1):
        if "steps" in chosen:
            steps()
        if "greedy" in chosen:
            greedy()


if __name__ == "__main__":
    main(sys.argv[1:])
