"""Log loss and Brier score of predict_proba, beside calibration by five further fits, and boosting.

``python -m benchmarks.probabilities`` prints both scores on held-out samples of the paper's data
sets and writes them to results/probabilities/table.csv, the small data sets first. Names of data
sets as arguments measure these only, and replace their rows. Every model is fitted six times on
each half of a data set: both calibrations share their fits. RDEP_DATA_DIR names the folder of the
data sets.
"""

from __future__ import annotations

import sys
import time
import warnings

import pandas as pd
from joblib import hash as digest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import StratifiedKFold

from rdep import BoxScoreClassifier, RDEPClassifier
from rdep.tables import HeldOutCalibration

from .measure import output, some
from .problems import load, paper_names

N_FOLDS = 2
MODELS = {"r-DEP": RDEPClassifier(random_state=0), "box score": BoxScoreClassifier()}
CALIBRATIONS = ("sigmoid", "isotonic")


class Remembered(ClassifierMixin, BaseEstimator):
    """A classifier whose fits with the same parameters and samples are one fit."""

    def __init__(self, model, fits):
        self.model, self.fits = model, fits

    def __sklearn_clone__(self):
        return Remembered(clone(self.model), self.fits)

    def fit(self, X, y):
        key = digest((self.model.get_params(), X, y))
        if key not in self.fits:
            self.fits[key] = clone(self.model).fit(X, y)
        self.fitted_ = self.fits[key]
        self.classes_ = self.fitted_.classes_
        return self

    def decision_function(self, X):
        return self.fitted_.decision_function(X)

    def predict_proba(self, X):
        return self.fitted_.predict_proba(X)


def variants(name):
    """The model itself, and within calibrations by five folds."""
    model = Remembered(MODELS[name], {})
    yield "own", model
    for method in CALIBRATIONS:
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        yield method, HeldOutCalibration(model, method=method, cv=folds)


def scores_of(data: str) -> list[dict]:
    X, y = load(data)
    found = []
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=1).split(X, y)
    for fold, (train, test) in enumerate(some(folds)):
        each = [(name, *variant) for name in MODELS for variant in variants(name)]
        each.append(("boosting", "own", HistGradientBoostingClassifier(random_state=0)))
        for name, way, model in each:
            positive = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
            found.append(
                {
                    "data": data,
                    "fold": fold,
                    "model": name,
                    "probabilities": way,
                    "log_loss": log_loss(y[test], positive),
                    "brier": brier_score_loss(y[test], positive),
                }
            )
    return found


def report(table: pd.DataFrame) -> None:
    """Means over the data sets, and ratios to the better of both calibrations.

    ``ratio`` takes the calibration with the better mean, ``by_set`` the better one of each data
    set; ``above`` counts the data sets whose own ratio is above 1.02.
    """
    print(f"means over {table['data'].nunique()} data sets")
    for score in ("log_loss", "brier"):
        each = table.pivot_table(score, ["model", "data"], "probabilities", sort=False)
        each["better"] = each[list(CALIBRATIONS)].min(axis=1, skipna=False)
        means = each.groupby("model", sort=False).mean()
        means["ratio"] = means["own"] / means[list(CALIBRATIONS)].min(axis=1)
        means["by_set"] = means["own"] / means.pop("better")
        means["above"] = (each["own"] > 1.02 * each["better"]).groupby("model").sum()
        print(f"\n{score}\n{means.round(4).to_string()}")


def main(arguments: list[str] | None = None) -> None:
    given = sys.argv[1:] if arguments is None else arguments
    path = output("probabilities") / "table.csv"
    names = given or sorted(paper_names(), key=lambda name: load(name)[0].size)
    rows = pd.read_csv(path).to_dict("records") if given and path.exists() else []
    for data in some(names):
        before = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = scores_of(data)
        rows = [row for row in rows if row["data"] != data] + found
        table = pd.DataFrame(rows)
        table.to_csv(path, index=False, float_format="%.5f")
        print(f"{data}: {time.process_time() - before:.0f} CPU s", flush=True)
    report(table)


if __name__ == "__main__":
    main()
