"""Log loss and Brier score of predict_proba, beside calibration by five further fits, and boosting.

``python -m benchmarks.probabilities`` prints both scores on held-out samples of eight data sets of
the paper, small ones with few features, and writes them to results/probabilities/table.csv. Every
model is fitted thirteen times on each half of a data set. RDEP_DATA_DIR names the folder of the
data sets.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.model_selection import StratifiedKFold

from rdep import BoxScoreClassifier, RDEPClassifier
from rdep.tables import HeldOutCalibration

from .measure import output, some
from .problems import load

DATASETS = (
    "Haberman", "Ionosphere", "Sonar", "Breast Cancer Wisconsin", "Diabetes", "Ilpd",
    "Blood Transfusion", "Australian",
)  # fmt: skip
N_FOLDS = 2
MODELS = {
    "r-DEP": lambda: RDEPClassifier(random_state=0),
    "box score": lambda: BoxScoreClassifier(),
}
CALIBRATIONS = ("sigmoid", "isotonic")


def variants(name):
    """The model itself, and within calibrations by five folds."""
    yield "own", MODELS[name]()
    for method in CALIBRATIONS:
        folds = StratifiedKFold(5, shuffle=True, random_state=0)
        yield method, HeldOutCalibration(MODELS[name](), method=method, cv=folds)


def scores_of(data: str, models: list[str]) -> list[dict]:
    X, y = load(data)
    found = []
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=1).split(X, y)
    for fold, (train, test) in enumerate(some(folds)):
        each = [(name, *variant) for name in models for variant in variants(name)]
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


def main(arguments: list[str] | None = None) -> None:
    models = (sys.argv[1:] if arguments is None else arguments) or list(MODELS)
    rows = []
    for data in some(DATASETS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows += scores_of(data, models)
        print(data, flush=True)
    table = pd.DataFrame(rows)
    table.to_csv(output("probabilities") / "table.csv", index=False, float_format="%.5f")
    print(f"means over {table['data'].nunique()} data sets")
    for score in ("log_loss", "brier"):
        means = table.pivot_table(score, "model", "probabilities", sort=False)
        means["ratio"] = means["own"] / np.minimum(means["sigmoid"], means["isotonic"])
        print(f"\n{score}\n{means.round(4).to_string()}")


if __name__ == "__main__":
    main()
