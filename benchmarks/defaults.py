"""Present defaults of DEPs and r-DEPs against their former defaults, on the same folds.

    python -m benchmarks.defaults --folds 10 --cache build/defaults
    python -m benchmarks.defaults --names Sonar Haberman --folds 2 --models DEPClassifier() signed

computes ρ of every ordering once for each of the paper's ten folds, stores it in the cache, which
later runs read, and fits a DEP with each setting on its standardised values. It prints mean
balanced accuracies, and the difference between the present defaults and the better of both former
settings, with its standard error over the data sets. It also prints the CPU time of the present
defaults as a multiple of that of each former setting. ``--names`` takes data sets, all thirty by
default.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from rdep import (
    BaggingOrdering,
    BoxesOrdering,
    DEPClassifier,
    EnsembleOrdering,
    MixedOrdering,
    SignedOrdering,
)

from .combiners import of_fold
from .measure import some
from .problems import paper_names

PLAIN = "DEPClassifier()"
# Those with class weights of members: unweighted as by name before, and balanced.
ORDERINGS = {
    "mixed": lambda class_weight: MixedOrdering(random_state=0),
    "ensemble": lambda class_weight: EnsembleOrdering(class_weight=class_weight),
    "bagging": lambda class_weight: BaggingOrdering(class_weight=class_weight, random_state=0),
    "signed": lambda class_weight: SignedOrdering(),
    "boxes": lambda class_weight: BoxesOrdering(),
}
WEIGHTED = ("ensemble", "bagging")
# Class weights of the members, and parameters of the DEP.
SETTINGS = {
    "default before": (None, {"margin": 0.5, "beta_loss": "margin_hinge", "escape": True}),
    "recommended before": (
        "balanced",
        {"margin": 0.25, "beta_loss": "hinge", "escape": False, "class_weight": "balanced"},
    ),
    "now": ("balanced", {"margin": 0.25, "class_weight": "balanced"}),
}


def values_of(model, class_weight, name, fold, cache):
    """Standardised values to train and test on, the classes, and the seconds that ρ took."""
    X, y, X_test, y_test = of_fold(name, fold)
    seconds = 0.0
    if model != PLAIN:
        kind = f"{model}-{class_weight}" if model in WEIGHTED else model
        path = cache / f"{name}-{fold}-{kind}.npz".replace(" ", "_")
        if not path.exists():
            ordering = ORDERINGS[model](class_weight)
            before = process_time()
            train = ordering.fit_transform(X, y)
            seconds = process_time() - before
            cache.mkdir(parents=True, exist_ok=True)
            np.savez_compressed(path, train=train, test=ordering.transform(X_test), seconds=seconds)
        known = np.load(path)
        X, X_test, seconds = known["train"], known["test"], float(known["seconds"])
    scaler = StandardScaler().fit(X)
    return scaler.transform(X), y, scaler.transform(X_test), y_test, seconds


def scored(model, setting, name, fold, cache):
    """Balanced accuracy and seconds of one model on one fold."""
    class_weight, parameters = SETTINGS[setting]
    if model == PLAIN and setting == "now":
        parameters = {}
    X, y, X_test, y_test, seconds = values_of(model, class_weight, name, fold, cache)
    dep = DEPClassifier(**parameters)
    before = process_time()
    dep.fit(X, y)
    return balanced_accuracy_score(y_test, dep.predict(X_test)), seconds + process_time() - before


def row(model, figures):
    """A line of the table, from figures by setting, data set, fold, and score or seconds."""
    scores, seconds = figures.mean(axis=2)[..., 0], figures[..., 1].sum(axis=(1, 2))
    means = scores.mean(axis=1)
    lead = scores[-1] - scores[means[:-1].argmax()]
    error = lead.std(ddof=1) / np.sqrt(len(lead)) if len(lead) > 1 else 0.0
    cells = [*(f"{mean:.4f}" for mean in means), f"{lead.mean():+.4f} ± {error:.4f}"]
    cells += [f"{seconds[-1] / former:.2f}" for former in seconds[:-1]]
    return " | ".join([f"| {model}", *cells]) + " |"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", nargs="*")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--models", nargs="*", choices=[PLAIN, *ORDERINGS])
    parser.add_argument("--cache", type=Path, default=Path("build/defaults"))
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    folds = some(range(options.folds))
    names = options.names or paper_names()
    print(
        f"| model | {' | '.join(SETTINGS)} | now − better | cost / default | cost / recommended |"
    )
    print("|---|" + "---:|" * (len(SETTINGS) + 3), flush=True)
    with threadpool_limits(1):
        for model in options.models or [PLAIN, *ORDERINGS]:
            figures = [
                [[scored(model, setting, name, k, options.cache) for k in folds] for name in names]
                for setting in SETTINGS
            ]
            print(row(model, np.array(figures)), flush=True)


if __name__ == "__main__":
    main()
