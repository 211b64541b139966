"""Whether starts from a subsample should be the default: accuracy and objectives, paper's folds.

``python -m benchmarks.default_starts`` trains DEPs, plain and with features negated where they fall
with the class, with the default parameters, on the first folds of the paper's protocol and on its
data sets with at most 3000 rows and 60 features. It writes results/starts/default.csv.
RDEP_DATA_DIR names the folder of the data sets.
"""

from __future__ import annotations

import os
import time
import warnings
from itertools import islice
from pathlib import Path

import pandas as pd
from sklearn.impute import SimpleImputer
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier
from rdep.datasets import load_paper_dataset, paper_datasets
from rdep.exceptions import DegenerateFitWarning

LARGEST = 3000  # samples
MOST_FEATURES = 60
FOLDS = 3  # of ten
ORIENTATIONS = {"plain": None, "oriented": "auto"}
STARTS = {
    "from r": {"n_init": 1, "escape": False},
    "from r, escape": {"n_init": 1, "escape": True},
    "subsample": {"n_init": "auto", "escape": True},
}


def measure(folder):
    for entry in paper_datasets():
        dataset = load_paper_dataset(entry.name, data_dir=folder)
        X = SimpleImputer(keep_empty_features=True).fit_transform(dataset.X)
        if len(X) > LARGEST or X.shape[1] > MOST_FEATURES:
            continue
        folds = StratifiedKFold(10, shuffle=True, random_state=1).split(X, dataset.y)
        for number, (train, test) in enumerate(islice(folds, FOLDS)):
            scaler = StandardScaler().fit(X[train])
            scaled, unseen = scaler.transform(X[train]), scaler.transform(X[test])
            for orientation, signs in ORIENTATIONS.items():
                for start, parameters in STARTS.items():
                    before = time.process_time()
                    dep = DEPClassifier(monotonic_cst=signs, **parameters)
                    dep.fit(scaled, dataset.y[train])
                    yield {
                        "data set": entry.name,
                        "fold": number,
                        "features": orientation,
                        "start": start,
                        "dilation": dep.dilation_result_.objective,
                        "erosion": dep.erosion_result_.objective,
                        "balanced accuracy": balanced_accuracy_score(
                            dataset.y[test], dep.predict(unseen)
                        ),
                        "seconds": time.process_time() - before,
                    }


def summary(rows):
    """By features and start: means of data sets against escapes from r, the default so far."""
    frame = pd.DataFrame(rows)
    by = ["features", "start", "data set"]
    means = frame.groupby(by, sort=False).mean(numeric_only=True)
    base = means.xs("from r, escape", level="start")
    gains = means["balanced accuracy"] - base["balanced accuracy"]
    table = means.groupby(["features", "start"], sort=False)[
        ["balanced accuracy", "seconds"]
    ].mean()
    groups = gains.groupby(["features", "start"], sort=False)
    table["gain"] = groups.mean()
    table["better by 0.01"] = groups.apply(lambda gain: int((gain > 0.01).sum()))
    table["worse by 0.01"] = groups.apply(lambda gain: int((gain < -0.01).sum()))
    for operator in ("dilation", "erosion"):
        ratio = means[operator] / base[operator]
        table[f"{operator} objective"] = ratio.groupby(["features", "start"]).mean()
    return table


def main() -> None:
    warnings.simplefilter("ignore", DegenerateFitWarning)
    rows = []
    for row in measure(Path(os.environ["RDEP_DATA_DIR"], "openml")):
        rows.append(row)
        print(*row.values(), flush=True)
    output = Path("results/starts")
    output.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(output / "default.csv", index=False)
    print(summary(rows).round(4).to_string())


if __name__ == "__main__":
    main()
