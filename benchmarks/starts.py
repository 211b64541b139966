"""Starts of training: excess over the best objective known, and the gain in accuracy.

    python -m benchmarks.starts objectives
    python -m benchmarks.starts default

Both train DEPs on the paper's data sets with at most 60 features; without an argument both run.
RDEP_DATA_DIR names the folder of the data sets.

``objectives`` uses at most 500 samples, standardised, with features negated if they fall with the
class, in three settings: the paper's, a margin of 0.25 with equal weights, and the defaults of
DEPClassifier. The best objective known is the lowest of all variants, one of which has ten random
starts with escapes. It writes results/starts/table.csv.

``default`` tests whether starts from a subsample should be the default, with a margin of 0.5,
features unchanged and oriented, the first folds of the paper's protocol, and data sets with at most
3000 samples. It writes results/starts/default.csv.
"""

from __future__ import annotations

import sys
import warnings
from itertools import islice

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, dilation, erosion
from rdep.exceptions import DegenerateFitWarning
from rdep.training import OPERATORS, Objective, Procedure, TrainingSet, best_combination, train

from .measure import cpu_seconds, output
from .problems import load, paper_names

MOST_FEATURES = 60
FOLDS = 3  # for objectives; of ten for the default
NEGLIGIBLE = 1e-5  # objectives below are left out: their ratios are those of rounding
SETTINGS = {
    "paper's": Objective(),
    "margin 0.25, even": Objective(margin=0.25, weighting=None),
    "default": Objective(C=0.001, weighting=None, margin=0.5),
}
SEED = 209652396  # what DEPClassifier(random_state=0) draws
ORIENTATIONS = {"plain": None, "oriented": "auto"}
DEFAULTS = {
    "from r": {"n_init": 1, "escape": False},
    "from r, escape": {"n_init": 1, "escape": True},
    "subsample": {"n_init": "auto", "escape": True},
}


def small_problems(most_samples):
    """Name, samples and classes of the data sets with few features."""
    for name in paper_names():
        X, y = load(name)
        if X.shape[1] <= MOST_FEATURES and len(X) <= most_samples:
            yield name, X, y


def objectives():
    """One row for each data set, setting, operator and variant of starting."""
    for name, X, y in small_problems(np.inf):
        if len(X) > 500:
            chosen = np.random.RandomState(0).permutation(len(X))[:500]
            X, y = X[chosen], y[chosen]
        X = StandardScaler().fit_transform(X)
        rises = X[y == 1].mean(axis=0) >= X[y == 0].mean(axis=0)
        X = X * np.where(rises, 1.0, -1.0)
        for setting, objective in SETTINGS.items():
            yield from _on_all(name, setting, objective, X, y)


def _on_all(name, setting, objective, X, y):
    accuracies = {}
    for fold, test in StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y):
        for variant, results, _ in variants(objective, X[fold], y[fold]):
            accuracy = _accuracy(results, X[fold], y[fold], X[test], y[test])
            accuracies.setdefault(variant, []).append(accuracy)
    found = list(variants(objective, X, y))
    for operator in OPERATORS:
        lowest = min(results[operator].objective for _, results, _ in found)
        for variant, results, seconds in found:
            reached = results[operator].objective
            yield {
                "data set": name,
                "setting": setting,
                "operator": operator,
                "start": variant,
                "objective": reached,
                "excess": reached / lowest - 1 if lowest >= NEGLIGIBLE else np.nan,
                "seconds": seconds,
                "balanced accuracy": float(np.mean(accuracies[variant])),
            }


def variants(objective, X, y):
    """Name, training results by operator and CPU seconds of every way to start."""
    samples = TrainingSet.from_samples(X, np.where(y == 1, 1.0, -1.0))
    mean = {"dilation": -X[y == 0].mean(axis=0), "erosion": -X[y == 1].mean(axis=0)}
    for name, procedures in {
        "from r": [{}],
        "from r, escape": [{"escape": True}],
        "from mean": [{"start": mean}],
        "from r and from mean, escape": [{"escape": True}, {"escape": True, "start": mean}],
        'n_init="auto"': [{"escape": True, "n_init": "auto"}],
        "ten starts, escape": [{"escape": True, "n_init": 10, "seed": SEED}],
    }.items():
        seconds, results = cpu_seconds(
            lambda procedures=procedures: _lowest(samples, objective, procedures)
        )
        yield name, results, seconds


def _lowest(samples, objective, procedures):
    """For each operator the best result of several procedures."""

    def trained(operator, start=None, **settings):
        start = None if start is None else start[operator]
        return train(samples, operator, objective, Procedure(start=start, **settings))

    return {
        operator: min(
            (trained(operator, **settings) for settings in procedures),
            key=lambda result: result.objective,
        )
        for operator in OPERATORS
    }


def _accuracy(results, X, y, X_test, y_test):
    """Balanced accuracy of the DEP with these operators and the β that suits them."""

    def operated(X):
        return dilation(X, results["dilation"].weights), erosion(X, results["erosion"].weights)

    beta, _ = best_combination(*operated(X), np.where(y == 1, 1.0, -1.0), np.ones(len(y)))
    dilated, eroded = operated(X_test)
    return balanced_accuracy_score(y_test, beta * dilated + (1 - beta) * eroded >= 0)


def objectives_summary(frame):
    """By setting and start: excess over the best known, time and accuracy against from r."""
    groups = frame.groupby(["setting", "start"], sort=False)
    table = groups["excess"].agg(["mean", "max"])
    table["over 1 %"] = groups["excess"].apply(lambda excess: int((excess > 0.01).sum()))
    seconds = groups["seconds"].sum()
    table["relative time"] = seconds / seconds.xs("from r", level="start")
    per_set = frame.groupby(["setting", "start", "data set"], sort=False)["balanced accuracy"]
    means = per_set.mean()
    return table.join(_gains(means - means.xs("from r", level="start"), ["setting", "start"]))


def default():
    """One row for each data set, fold, orientation and way to start."""
    for name, X, y in small_problems(3000):
        folds = StratifiedKFold(10, shuffle=True, random_state=1).split(X, y)
        for number, (fold, test) in enumerate(islice(folds, FOLDS)):
            scaler = StandardScaler().fit(X[fold])
            scaled, unseen = scaler.transform(X[fold]), scaler.transform(X[test])
            for orientation, signs in ORIENTATIONS.items():
                for start, parameters in DEFAULTS.items():
                    dep = DEPClassifier(monotonic_cst=signs, **parameters)
                    seconds, _ = cpu_seconds(lambda dep=dep, X=scaled, y=y[fold]: dep.fit(X, y))
                    yield {
                        "data set": name,
                        "fold": number,
                        "features": orientation,
                        "start": start,
                        "dilation": dep.dilation_result_.objective,
                        "erosion": dep.erosion_result_.objective,
                        "balanced accuracy": balanced_accuracy_score(y[test], dep.predict(unseen)),
                        "seconds": seconds,
                    }


def default_summary(frame):
    """By features and start: means of data sets, against escapes from r."""
    by = ["features", "start"]
    means = frame.groupby([*by, "data set"], sort=False).mean(numeric_only=True)
    base = means.xs("from r, escape", level="start")
    table = means.groupby(by, sort=False)[["balanced accuracy", "seconds"]].mean()
    table = table.join(_gains(means["balanced accuracy"] - base["balanced accuracy"], by))
    for operator in OPERATORS:
        ratio = means[operator] / base[operator]
        table[f"{operator} objective"] = ratio.groupby(by).mean()
    return table


def _gains(gains, by):
    """Mean gain in accuracy, and on how many data sets it is more than 0.01 either way."""
    groups = gains.groupby(by, sort=False)
    return pd.DataFrame(
        {
            "gain": groups.mean(),
            "better by 0.01": groups.apply(lambda gain: int((gain > 0.01).sum())),
            "worse by 0.01": groups.apply(lambda gain: int((gain < -0.01).sum())),
        }
    )


PARTS = {
    "objectives": (objectives, objectives_summary, "table.csv"),
    "default": (default, default_summary, "default.csv"),
}


def main(arguments: list[str]) -> None:
    warnings.simplefilter("ignore", DegenerateFitWarning)
    for part in arguments or PARTS:
        measure, summary, file = PARTS[part]
        rows = []
        for row in measure():
            rows.append(row)
            print(*row.values(), flush=True)
        frame = pd.DataFrame(rows)
        frame.to_csv(output("starts") / file, index=False)
        print(summary(frame).round(4).to_string())


if __name__ == "__main__":
    main(sys.argv[1:])
