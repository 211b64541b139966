"""Monotone regressors beside boosting, an EBM and additive isotonic regression.

``python -m benchmarks.monotone_regression`` cross-validates on ESL, SWD, LEV and ERA, whose
features all grow with the target. It prints mean absolute errors in standard deviations of the
target, counts violations as ``benchmarks.monotone`` does, and writes
results/monotone/regression.csv. It needs ``pip install 'rdep[bench-regression]'``; RDEP_DATA_DIR
names the folder of the data.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

from rdep import DEPRegressor, RDEPRegressor

from .measure import is_trial, output, some
from .monotone import MONOTONE, N_FOLDS, N_PAIRS, violations
from .regression_tables import made_up, paths, read


class AdditiveIsotonic(RegressorMixin, BaseEstimator):
    """A sum of increasing functions of single features, by backfitting."""

    def __init__(self, n_rounds=20):
        self.n_rounds = n_rounds

    def fit(self, X, y):
        self.mean_ = y.mean()
        self.terms_ = [IsotonicRegression(out_of_bounds="clip") for _ in X.T]
        shares = np.zeros(X.shape)
        for _ in range(self.n_rounds):
            for j, term in enumerate(self.terms_):
                left = y - self.mean_ - np.delete(shares, j, axis=1).sum(axis=1)
                shares[:, j] = term.fit(X[:, j], left).predict(X[:, j])
        return self

    def predict(self, X):
        shares = [term.predict(x) for term, x in zip(self.terms_, X.T, strict=True)]
        return self.mean_ + np.sum(shares, axis=0)


def models(n_features: int) -> dict[str, object]:
    """Regressors by name; all but the last two are increasing in every feature."""
    from interpret.glassbox import ExplainableBoostingRegressor
    from lightgbm import LGBMRegressor

    signs = [1] * n_features
    return {
        "dep": DEPRegressor(),
        "rdep": RDEPRegressor(monotonic_cst=signs, random_state=0),
        "linear": Ridge(positive=True),
        "isotonic": AdditiveIsotonic(),
        "hist_gb": HistGradientBoostingRegressor(monotonic_cst=signs, random_state=0),
        "lightgbm": LGBMRegressor(
            monotone_constraints=signs, random_state=0, n_jobs=1, verbose=-1
        ),
        "ebm": ExplainableBoostingRegressor(
            monotone_constraints=signs, interactions=0, n_jobs=1, random_state=0
        ),
        "hist_gb_free": HistGradientBoostingRegressor(random_state=0),
        "rdep_free": RDEPRegressor(random_state=0),
    }  # fmt: skip


def tables():
    if is_trial():
        return {"made up": made_up()}
    return {name: read(paths()[name], 10**6) for name in MONOTONE}


def rows_of(table, X, y):
    folds = some(KFold(N_FOLDS, shuffle=True, random_state=0).split(X))
    for fold, (train, test) in enumerate(folds):
        scaler = StandardScaler().fit(X[train])
        seen, new = scaler.transform(X[train]), scaler.transform(X[test])
        for name, model in models(X.shape[1]).items():
            start = time.process_time()
            predicted = model.fit(seen, y[train]).predict(new)
            seconds = time.process_time() - start
            yield {
                "table": table,
                "fold": fold,
                "model": name,
                "error": np.abs(predicted - y[test]).mean() / y.std(),
                "violations": violations(model.predict, new, np.ones(X.shape[1])),
                "CPU seconds": seconds,
            }


def main(arguments=None):
    warnings.simplefilter("ignore")
    rows = []
    for table, (X, y) in tables().items():
        rows += rows_of(table, X, y)
        print(table, flush=True)
    table = pd.DataFrame(rows).groupby(["table", "model"], sort=False).agg(
        {"error": "mean", "violations": "sum", "CPU seconds": "sum"}
    )  # fmt: skip
    table.to_csv(output("monotone") / "regression.csv", float_format="%.4f")
    print(table["error"].unstack(sort=False).round(3).to_string())
    print(f"violations in {N_PAIRS * N_FOLDS} pairs for each table and model")
    print(table["violations"].unstack(sort=False).to_string())


if __name__ == "__main__":
    main()
