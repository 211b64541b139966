"""Starts of training: how far each is from the best objective known, and what that is worth.

``python -m benchmarks.starts`` trains DEPs on the paper's data sets, standardised, with at most 500
samples and 60 features, which are negated where they fall with the class, in two settings: the
paper's, and a margin of 0.25 with even weights. The best objective known is the lowest of all
variants and of ten random starts with escapes. It writes results/starts/table.csv. RDEP_DATA_DIR
names the folder of the data sets.
"""

from __future__ import annotations

import os
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier
from rdep.datasets import load_paper_dataset, paper_datasets
from rdep.exceptions import DegenerateFitWarning

LARGEST = 500  # samples
MOST_FEATURES = 60
FOLDS = 3
NEGLIGIBLE = 1e-5  # objectives below are left out: their ratios are those of rounding
SETTINGS = {
    "paper's": {},
    "margin 0.25, even": {"margin": 0.25, "weighting": None},
}
OPERATORS = ("dilation", "erosion")


def variants(parameters, X, y):
    """Fitted DEPs by variant, and the seconds that each took."""
    # So stiff that the weights stay at the reference: the mean.
    stiff = _fitted(DEPClassifier.paper(**parameters, reference="mean", C=1e9), X, y)
    mean = {"dilation": stiff.dilation_weights_, "erosion": stiff.erosion_weights_}
    plain, escaping = (DEPClassifier.paper(**parameters, escape=escape) for escape in (False, True))
    yield "from r", *_timed(lambda: [_fitted(plain, X, y)])
    yield "from r, escape", *_timed(lambda: [_fitted(escaping, X, y)])
    yield "from mean", *_timed(lambda: [_fitted(plain, X, y, mean)])
    yield (
        "from r and from mean, escape",
        *_timed(lambda: [_fitted(escaping, X, y), _fitted(escaping, X, y, mean)]),
    )
    auto = DEPClassifier.paper(**parameters, escape=True, n_init="auto")
    yield 'n_init="auto"', *_timed(lambda: [_fitted(auto, X, y)])
    many = DEPClassifier.paper(**parameters, escape=True, n_init=10, random_state=0)
    yield "ten starts, escape", *_timed(lambda: [_fitted(many, X, y)])


def _fitted(dep, X, y, start=None):
    model = clone(dep)
    model._fit_as_part(X, y, None, start=start)
    return model


def _timed(fit):
    started = time.process_time()
    return fit(), time.process_time() - started


def _lower(models):
    """Of each operator the better one of several fits."""
    return {
        operator: min(
            (getattr(model, f"{operator}_result_") for model in models),
            key=lambda result: result.objective,
        )
        for operator in OPERATORS
    }


def measure(folder):
    for entry in paper_datasets():
        dataset = load_paper_dataset(entry.name, data_dir=folder)
        X = SimpleImputer(keep_empty_features=True).fit_transform(dataset.X)
        if X.shape[1] > MOST_FEATURES:
            continue
        if len(X) > LARGEST:
            chosen = np.random.RandomState(0).permutation(len(X))[:LARGEST]
            X, y = X[chosen], dataset.y[chosen]
        else:
            y = dataset.y
        X = _signed(StandardScaler().fit_transform(X), y)
        for setting, parameters in SETTINGS.items():
            yield from _on_all(entry.name, setting, parameters, X, y)


def _signed(X, y):
    rises = X[y == 1].mean(axis=0) >= X[y == 0].mean(axis=0)
    return X * np.where(rises, 1.0, -1.0)


def _on_all(name, setting, parameters, X, y):
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))
    accuracy = {}
    for train, test in folds:
        for variant, models, _ in variants(parameters, X[train], y[train]):
            best = _lower(models)
            model = _with_weights(models[0], best, X[train], y[train])
            score = balanced_accuracy_score(y[test], model.predict(X[test]))
            accuracy.setdefault(variant, []).append(score)
    fits = {
        variant: (_lower(models), seconds)
        for variant, models, seconds in variants(parameters, X, y)
    }
    for operator in OPERATORS:
        lowest = min(best[operator].objective for best, _ in fits.values())
        for variant, (best, seconds) in fits.items():
            objective = best[operator].objective
            yield {
                "data set": name,
                "setting": setting,
                "operator": operator,
                "start": variant,
                "objective": objective,
                "excess": objective / lowest - 1 if lowest >= NEGLIGIBLE else np.nan,
                "seconds": seconds,
                "balanced accuracy": float(np.mean(accuracy[variant])),
            }


def _with_weights(model, best, X, y):
    """The DEP with these operators and the β that suits them."""
    model.dilation_weights_ = best["dilation"].weights
    model.erosion_weights_ = best["erosion"].weights
    signs = np.where(y == 1, 1.0, -1.0)
    samples = model._samples(X, signs, None)
    weights = (model.dilation_weights_, model.erosion_weights_)
    model.beta_, model.beta_interval_ = model._learn_beta(weights, samples, samples)
    return model


def summary(rows):
    """By setting and start: excess over the best known, time and accuracy against from r."""
    frame = pd.DataFrame(rows)
    groups = frame.groupby(["setting", "start"], sort=False)
    table = groups["excess"].agg(["mean", "max"])
    table["over 1 %"] = groups["excess"].apply(lambda excess: int((excess > 0.01).sum()))
    seconds = groups["seconds"].sum()
    table["relative time"] = seconds / seconds.xs("from r", level="start")
    per_set = frame.groupby(["setting", "start", "data set"], sort=False)[
        "balanced accuracy"
    ].mean()
    gains = per_set - per_set.xs("from r", level="start")
    table["gain"] = gains.groupby(["setting", "start"]).mean()
    table["better by 0.01"] = (gains > 0.01).groupby(["setting", "start"]).sum()
    table["worse by 0.01"] = (gains < -0.01).groupby(["setting", "start"]).sum()
    return table


def main() -> None:
    warnings.simplefilter("ignore", DegenerateFitWarning)
    rows = []
    for row in measure(Path(os.environ["RDEP_DATA_DIR"], "openml")):
        rows.append(row)
        print(*row.values(), flush=True)
    output = Path("results/starts")
    output.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(output / "table.csv", index=False)
    print(summary(rows).round(4).to_string())


if __name__ == "__main__":
    main()
