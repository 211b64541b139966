"""Where the recommended r-DEP loses to the stack that is one of its own components, and why.

    python -m benchmarks.against_stack Hill-Valley Sonar

compares both on the cross-fitted values that they are trained on and on the test folds of the
experiment: a lead on the former that is gone on the latter is overfitting, not want of training.
"""

from __future__ import annotations

import sys

import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, MixedOrdering, RDEPClassifier

from .problems import data_dir, load


def main(names: list[str]) -> None:
    print("| Data set | r-DEP, training | stack, training | r-DEP, test | stack, test |")
    print("|---|---:|---:|---:|---:|", flush=True)
    for name in names:
        X, y = load(data_dir(), name)
        folds = StratifiedKFold(10, shuffle=True, random_state=1).split(X, y)
        scores = np.mean([_scores(X, y, *fold) for fold in folds], axis=0)
        print("|", " | ".join([name, *(f"{score:.3f}" for score in scores)]), "|", flush=True)


def _scores(X, y, train, test):
    """Of the r-DEP and of the stack on the training samples, then on the test samples."""
    scaler = StandardScaler().fit(X[train])
    ordering = MixedOrdering(random_state=0)
    cross_fitted = ordering.fit_transform(scaler.transform(X[train]), y[train])
    values = ordering.transform(scaler.transform(X[test]))
    unit = StandardScaler().fit(cross_fitted)
    options = RDEPClassifier.recommended().get_params(deep=False)
    names = DEPClassifier().get_params().keys() & options.keys()
    dep = DEPClassifier(**{name: options[name] for name in names})
    dep.fit(unit.transform(cross_fitted), y[train])
    return [
        balanced_accuracy_score(labels, predicted)
        for part, labels in ((cross_fitted, y[train]), (values, y[test]))
        for predicted in (
            dep.predict(unit.transform(part)),
            dep.classes_[(part[:, -1] >= 0).astype(int)],
        )
    ]


if __name__ == "__main__":
    main(sys.argv[1:])
