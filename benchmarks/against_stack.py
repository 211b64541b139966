"""Where an r-DEP loses to the stack that is one of its own components, and why.

    python -m benchmarks.against_stack Hill-Valley Sonar

compares both on the cross-fitted values that they are trained on and on the test folds of the
experiment. A lead on the former that is gone on the latter is overfitting; a greater loss on the
former, want of training: leaving all decisions to the stack would have been better there. Without
names, all of the paper's data sets.
"""

from __future__ import annotations

import sys

import numpy as np
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from .combiners import balanced_dep, four_kinds
from .measure import some
from .problems import load, paper_names

COLUMNS = ("loss, training", "accuracy, training", "accuracy, test")


def main(names: list[str]) -> None:
    heading = ["Data set", *(f"{who}: {what}" for what in COLUMNS for who in ("r-DEP", "stack"))]
    print("|", " | ".join(heading), "|")
    print("|---|" + "---:|" * (len(heading) - 1), flush=True)
    for name in names or paper_names():
        X, y = load(name)
        folds = some(StratifiedKFold(10, shuffle=True, random_state=1).split(X, y))
        figures = np.mean([_figures(X, y, *fold) for fold in folds], axis=0)
        print("|", " | ".join([name, *(f"{figure:.3f}" for figure in figures)]), "|", flush=True)


def _figures(X, y, train, test):
    """As in ``COLUMNS``, of the r-DEP and of the stack."""
    scaler = StandardScaler().fit(X[train])
    ordering = four_kinds()
    cross_fitted = ordering.fit_transform(scaler.transform(X[train]), y[train])
    values = ordering.transform(scaler.transform(X[test]))
    unit = StandardScaler().fit(cross_fitted)
    dep = balanced_dep()
    dep.fit(unit.transform(cross_fitted), y[train])

    def decided(values):
        return dep.decision_function(unit.transform(values)), values[:, -1] / unit.scale_[-1]

    in_training = decided(cross_fitted)
    return [
        *(_loss(taken, y[train], dep) for taken in in_training),
        *(_accuracy(taken, y[train], dep) for taken in in_training),
        *(_accuracy(taken, y[test], dep) for taken in decided(values)),
    ]


def _loss(decided, y, dep):
    """Of decision values, as of the operators: class by class, and with the margin."""
    positive = y == dep.classes_[1]
    lost = np.maximum(dep.margin - np.where(positive, decided, -decided), 0.0)
    return lost[positive].mean() + lost[~positive].mean()


def _accuracy(decided, y, dep):
    return balanced_accuracy_score(y, dep.classes_[(decided >= 0).astype(int)])


if __name__ == "__main__":
    main(sys.argv[1:])
