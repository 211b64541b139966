"""Missing values inside a model, beside means in their place.

``python -m benchmarks.missing`` removes a tenth of the values of ten data sets at random, takes a
constructed table whose gaps carry information, and the paper's tables that have gaps of their own.
It prints the mean balanced accuracy of cross-validation and writes results/missing/table.csv.
RDEP_DATA_DIR names the folder of the paper's data sets.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier

from .certified import DATASETS
from .measure import output, sized, some
from .problems import paper_names, samples

SHARE, MOST_ROWS, N_FOLDS, N_DRAWS = 0.1, 1000, 5, 3
MODELS = {
    "DEP": make_pipeline(StandardScaler(), DEPClassifier(monotonic_cst="auto")),
    "signed": RDEPClassifier("signed"),
    "boxes": RDEPClassifier("boxes"),
}


def noted_if_striking(n, seed):
    """Five findings, of which one beyond 1 means illness; the others are seldom noted."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    y = (X > 1).any(axis=1).astype(int)
    X[rng.random(X.shape) < np.where(X > 1, 0.1, 0.9)] = np.nan
    return X, np.where(rng.random(n) < 0.05, 1 - y, y)


def some_rows(name):
    X, y = samples(name)
    rows = np.random.default_rng(0).permutation(len(X))[: sized(MOST_ROWS)]
    return X[rows].astype(float), y[rows]


def tables():
    """Name, kind of gaps, samples and classes of each table."""
    for name in some(DATASETS):
        X, y = some_rows(name)
        X[np.random.default_rng(1).random(X.shape) < SHARE] = np.nan
        yield name, "removed at random", X, y
    for draw in some(range(N_DRAWS)):
        yield "constructed", "informative", *noted_if_striking(sized(600), draw)
    for name in some(paper_names()):
        X, y = some_rows(name)
        if np.isnan(X).any():
            yield name, "own", X, y


def rows_of(name, kind, X, y):
    for train, test in some(StratifiedKFold(N_FOLDS, shuffle=True, random_state=1).split(X, y)):
        for of_model, model in MODELS.items():
            for treatment, made in (
                ("inside", clone(model)),
                ("means", make_pipeline(SimpleImputer(keep_empty_features=True), clone(model))),
            ):
                predicted = made.fit(X[train], y[train]).predict(X[test])
                yield {
                    "data set": name,
                    "gaps": kind,
                    "model": of_model,
                    "treatment": treatment,
                    "balanced accuracy": balanced_accuracy_score(y[test], predicted),
                }


def main(arguments=None):
    rows = []
    for table in tables():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows += rows_of(*table)
        print(table[0], flush=True)
    keys = ["data set", "gaps", "model"]
    frame = pd.DataFrame(rows)
    frame = frame.pivot_table("balanced accuracy", keys, "treatment", sort=False)
    frame["difference"] = frame["inside"] - frame["means"]
    frame.to_csv(output("missing") / "table.csv", float_format="%.4f")
    print("balanced accuracy, and what is inside minus means")
    print(frame.groupby(["gaps", "model"], sort=False).mean().round(4).to_string())
    print(frame["difference"].unstack(sort=False).round(4).to_string())


if __name__ == "__main__":
    main()
