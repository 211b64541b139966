"""Cost of uninformative columns for a DEP and the readable r-DEPs.

``python -m benchmarks.uninformative`` adds a constant column, a coin flip and a flag set for one
row in a hundred to eleven data sets. It writes balanced accuracies, means of five folds repeated
three times with a new column each time, to results/uninformative/table.csv. RDEP_DATA_DIR names the
folder of the paper's data sets.
"""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier
from rdep.exceptions import DegenerateFitWarning, DirectionWarning

from .measure import output, sized, some
from .problems import load

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


def datasets():
    X, y = load_breast_cancer(return_X_y=True)
    m = sized(len(X))
    yield "breast cancer (scikit-learn)", X[:m], y[:m]
    for name in PAPER_DATASETS:
        yield name, *load(name)


def accuracies(classifiers=tuple(CLASSIFIERS)):
    """One row for each classifier, data set and column: the mean over repeats and folds."""
    for name, X, y in some(datasets()):
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
                    for seed in some(range(REPEATS))
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


def main(_: list[str] | None = None) -> None:
    warnings.simplefilter("ignore", DegenerateFitWarning)
    warnings.simplefilter("ignore", DirectionWarning)
    rows = []
    for row in accuracies():
        rows.append(row)
        print(*row.values(), flush=True)
    pd.DataFrame(rows).to_csv(output("uninformative") / "table.csv", index=False)
    lost = losses(rows).groupby("classifier")
    print("\nlost on average\n", lost.mean().round(4), "\nat most\n", lost.max().round(4))


if __name__ == "__main__":
    main()
