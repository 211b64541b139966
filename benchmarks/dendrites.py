"""Training of boxes and dendrites against one random forest, and its growth with the samples."""

from __future__ import annotations

import statistics

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from rdep import CompetitiveClassifier, DendriteClassifier

from .measure import Comparison, cpu_seconds, in_turn, sized

N_SAMPLES = 10_000
SIZES = (1250, 2500, 5000, N_SAMPLES)
MODELS = {
    "elimination": (DendriteClassifier(), 20),
    "divide and conquer": (DendriteClassifier("divide"), 5),
    "greedy boxes": (CompetitiveClassifier(), 20),
}


def against_a_forest(repeats):
    """One fit of each against ``RandomForestClassifier().fit`` on the same samples, one thread."""
    for name, (model, n_features) in MODELS.items():
        X, y = make_classification(
            sized(N_SAMPLES), n_features, class_sep=1, flip_y=0, random_state=0
        )
        ours, theirs, fitted, forest = in_turn(
            lambda model=model, X=X, y=y: model.fit(X, y),
            lambda X=X, y=y: RandomForestClassifier(random_state=0).fit(X, y),
            repeats,
        )
        medians = {
            m: statistics.median(
                cpu_seconds(lambda model=model, X=X, y=y, m=m: model.fit(X[:m], y[:m]))[0]
                for _ in range(repeats)
            )
            for m in SIZES[:-1]
        } | {N_SAMPLES: statistics.median(ours)}
        exponent = np.polyfit(np.log(SIZES), np.log([medians[m] for m in SIZES]), 1)[0]
        accuracies = {"ours": model.fit(X, y).score(X, y), "forest": forest.score(X, y)}
        yield Comparison(
            "boxes",
            f"{name}, {N_SAMPLES} x {n_features}",
            "RandomForestClassifier",
            ours,
            theirs,
            at_most=10,
            answers={
                "boxes": sum(map(len, fitted.boxes_)) + sum(map(len, fitted._excluded())),
                "growth exponent in samples": round(float(exponent), 2),
                "training accuracies": tuple(accuracies.values()),
            },
            answers_agree=accuracies["ours"] == 1.0,
            remark="agrees: all training samples are right",
        )
