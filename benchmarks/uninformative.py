"""What columns that say nothing of the classes cost a DEP and the r-DEPs that can be read.

``python -m benchmarks.uninformative`` adds a constant column, a coin flip and a flag set for one
row in a hundred to eleven data sets, and writes balanced accuracies, the means of three times five
folds with a column drawn for each time, to results/uninformative/table.csv. RDEP_DATA_DIR names
the folder of the paper's data sets.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier
from rdep.datasets import load_paper_dataset
from rdep.exceptions import DegenerateFitWarning

PAPER_DATASETS = (
    "Banknote",
    "Diabetes",
    "Phoneme",
    "Ilpd",
    "Haberman",
    "Breast Cancer Wisconsin",
    "Sonar",
    "Spambase",
    "Ionosphere",
    "Blood Transfusion",
)
CLASSIFIERS = {
    "DEP": lambda: make_pipeline(StandardScaler(), DEPClassifier()),
    "signed": lambda: RDEPClassifier("signed"),
    "boxes": lambda: RDEPClassifier("boxes"),
    "DEP of the paper": lambda: make_pipeline(StandardScaler(), DEPClassifier.paper()),
    "boxes, DEP of the paper": lambda: RDEPClassifier("boxes", DEPClassifier.paper()),
}
REPEATS = 3
COLUMNS = {
    "as it is": lambda rng, n: np.empty((n, 0)),
    "constant": lambda rng, n: np.ones((n, 1)),
    "coin flip": lambda rng, n: rng.integers(0, 2, (n, 1)).astype(float),
    "1 % flag": lambda rng, n: (rng.random((n, 1)) < 0.01).astype(float),
}


def datasets(folder):
    yield "breast cancer (scikit-learn)", *load_breast_cancer(return_X_y=True)
    for name in PAPER_DATASETS:
        dataset = load_paper_dataset(name, data_dir=folder)
        yield name, SimpleImputer(keep_empty_features=True).fit_transform(dataset.X), dataset.y


def accuracies(folder, classifiers=tuple(CLASSIFIERS)):
    """One row for each classifier, data set and column: the mean over repeats and folds."""
    for name, X, y in datasets(folder):
        for classifier in classifiers:
            for column, values in COLUMNS.items():
                scores = [
                    cross_val_score(
                        CLASSIFIERS[classifier](),
                        np.hstack([X, values(np.random.default_rng(seed), len(X))]),
                        y,
                        cv=StratifiedKFold(5, shuffle=True, random_state=seed),
                        scoring="balanced_accuracy",
                    )
                    for seed in range(REPEATS)
                ]
                yield {
                    "classifier": classifier,
                    "data set": name,
                    "column": column,
                    "balanced accuracy": float(np.mean(scores)),
                }


def losses(rows):
    """Balanced accuracy lost to each column, by classifier and data set."""
    frame = pd.DataFrame(rows).pivot(
        index=["classifier", "data set"], columns="column", values="balanced accuracy"
    )
    return frame.rsub(frame["as it is"], axis=0)[[name for name in COLUMNS if name != "as it is"]]


def main() -> None:
    warnings.simplefilter("ignore", DegenerateFitWarning)
    rows = []
    for row in accuracies(Path(os.environ["RDEP_DATA_DIR"], "openml")):
        rows.append(row)
        print(*row.values(), flush=True)
    output = Path("results/uninformative")
    output.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(output / "table.csv", index=False)
    lost = losses(rows).groupby("classifier")
    print("\nlost on average\n", lost.mean().round(4), "\nat most\n", lost.max().round(4))


if __name__ == "__main__":
    main()
