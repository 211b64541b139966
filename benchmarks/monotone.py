"""Partially monotone models beside boosting and an EBM with the same constraints.

``python -m benchmarks.monotone`` cross-validates on ESL, SWD, LEV and ERA, whose features all grow
with the target, and on adult and credit-g, where some do. It prints the means and writes
results/monotone/table.csv. RDEP_DATA_DIR names the folder of the data; LightGBM and interpret-core
are compared if they are installed. Violations are pairs of samples, of which one is better in
constrained features only and still has the lower value.
"""

from __future__ import annotations

import time
import warnings
from importlib.util import find_spec

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.utils.class_weight import compute_sample_weight

from rdep import DEPClassifier, EnsembleOrdering, RDEPClassifier
from rdep.datasets._arff import read_arff

from .measure import is_trial, output, sized, some
from .problems import data_dir

MONOTONE = ("ESL", "SWD", "LEV", "ERA")
MOST_ROWS, N_FOLDS, N_PAIRS = 3000, 5, 20_000
ADULT = {"education-num": 1, "capital-gain": 1, "hours-per-week": 1}
ADULT_NOMINAL = ["workclass", "marital-status", "occupation", "relationship", "race", "sex"]
CREDIT = {
    "duration": -1, "credit_amount": -1, "installment_commitment": -1, "employment": 1, "age": 1,
}  # fmt: skip


def ordinal(name):
    """All features increasing; the target is cut at its median, on the side that balances more."""
    frame = pd.read_csv(data_dir() / "regression" / f"{name}.tsv.gz", sep="\t")
    target = frame.pop("target")
    cuts = (target > target.median(), target >= target.median())
    y = min(cuts, key=lambda cut: abs(cut.mean() - 0.5))
    return frame, y.to_numpy().astype(int), dict.fromkeys(frame, 1)


def adult():
    frame = pd.read_csv(data_dir() / "pmlb" / "adult.tsv.gz", sep="\t")
    y = frame.pop("target").to_numpy()
    # The table codes a high income as 0 or 1: it is the rarer class.
    y = (y == (np.mean(y) < 0.5)).astype(int)
    frame = frame.drop(columns=["education", "native-country", "fnlwgt"])
    return pd.get_dummies(frame, columns=ADULT_NOMINAL), y, ADULT


def credit():
    table = read_arff(data_dir() / "openml" / "credit-g-1.arff")
    frame = pd.DataFrame(table.values, columns=table.columns)
    y = (frame.pop("class") == table.categories["class"].index("good")).to_numpy().astype(int)
    # The codes of employment are in the order of its duration.
    nominal = [name for name in table.categories if name not in ("class", "employment")]
    return pd.get_dummies(frame, columns=nominal), y, CREDIT


def tables():
    if is_trial():
        rng = np.random.default_rng(0)
        frame = pd.DataFrame(rng.normal(size=(sized(100), 3)), columns=["a", "b", "c"])
        return {"made up": (frame, (frame["a"] - frame["b"] > 0).to_numpy().astype(int), {"a": 1})}
    found = {name: ordinal(name) for name in MONOTONE}
    return found | {"adult": adult(), "credit-g": credit()}


class Balanced:
    """A model without class weights, trained with weights that balance the classes."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        self.model.fit(X, y, sample_weight=compute_sample_weight("balanced", y))
        return self

    def decision_function(self, X):
        return self.model.predict_proba(X)[:, 1] - 0.5

    def predict(self, X):
        return self.model.predict(X)


def models(signs):
    found = {
        "DEP": DEPClassifier(monotonic_cst=signs),
        "r-DEP boxes": RDEPClassifier("boxes", monotonic_cst=signs),
        "HistGB": HistGradientBoostingClassifier(
            monotonic_cst=signs, class_weight="balanced", random_state=0
        ),
        "HistGB, free": HistGradientBoostingClassifier(class_weight="balanced", random_state=0),
    }
    # Members that are monotone themselves, their positive stack and the DEP are increasing.
    members = [(name, found[name]) for name in ("DEP", "r-DEP boxes", "HistGB")]
    found["r-DEP, monotone members"] = RDEPClassifier(
        EnsembleOrdering(members, cv=3, stack="positive", shrinkage=0.5), random_state=0
    )
    if not np.all(signs):  # an ordering by members needs a free feature
        found["r-DEP"] = RDEPClassifier(monotonic_cst=signs, random_state=0)
    if find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        found["LightGBM"] = Balanced(
            LGBMClassifier(
                monotone_constraints=signs.tolist(), random_state=0, n_jobs=1, verbose=-1
            )
        )
    if find_spec("interpret"):
        from interpret.glassbox import ExplainableBoostingClassifier

        found["EBM"] = Balanced(
            ExplainableBoostingClassifier(
                monotone_constraints=signs.tolist(), interactions=0, outer_bags=4, n_jobs=1,
                random_state=0,
            )
        )  # fmt: skip
    return found


def violations(value, X, signs):
    """Number of random pairs, better in constrained features only, whose value falls."""
    rng = np.random.default_rng(0)
    low = X[rng.integers(len(X), size=sized(N_PAIRS))]
    steps = rng.exponential(size=low.shape) * (rng.random(low.shape) < 0.5)
    high = low + signs * steps * X.std(axis=0)
    return int((value(high) < value(low)).sum())


def rows_of(name, frame, y, by_name):
    signs = np.array([by_name.get(column, 0) for column in frame])
    X = frame.to_numpy(dtype=float)
    chosen = np.random.default_rng(0).permutation(len(X))[: sized(MOST_ROWS)]
    X, y = X[chosen], y[chosen]
    folds = some(StratifiedKFold(N_FOLDS, shuffle=True, random_state=1).split(X, y))
    for fold, (train, test) in enumerate(folds):
        scaler = StandardScaler().fit(X[train])
        seen, new = scaler.transform(X[train]), scaler.transform(X[test])
        for model_name, model in models(signs).items():
            start = time.process_time()
            model.fit(seen, y[train])
            yield {
                "data set": name,
                "fold": fold,
                "model": model_name,
                "balanced accuracy": balanced_accuracy_score(y[test], model.predict(new)),
                "violations": violations(model.decision_function, new, signs),
                "CPU seconds": time.process_time() - start,
            }


def main(arguments=None):
    rows = []
    for name, (frame, y, signs) in tables().items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rows += rows_of(name, frame, y, signs)
        print(name, flush=True)
    table = pd.DataFrame(rows).groupby(["data set", "model"], sort=False).agg(
        {"balanced accuracy": "mean", "violations": "sum", "CPU seconds": "sum"}
    )  # fmt: skip
    table.to_csv(output("monotone") / "table.csv", float_format="%.4f")
    print("balanced accuracy")
    print(table["balanced accuracy"].unstack(sort=False).round(3).to_string())
    print(f"violations in {N_PAIRS * N_FOLDS} pairs for each table and model")
    print(table["violations"].unstack(sort=False).to_string())


if __name__ == "__main__":
    main()
