"""Regressors of this package beside others: mean absolute error by five-fold cross-validation.

    RDEP_DATA_DIR=… python -m benchmarks.regression [choosing]

``regression_tables`` says which tables are reported, in ``results/regression``, and which were used
to choose defaults.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.ensemble import (
    ExtraTreesRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from rdep import DEPRegressor, LinearDEPRegressor, RDEPRegressor

from .measure import output, some
from .regression_tables import is_reported, paths, read


def models() -> dict[str, object]:
    """The regressors by name; ``stack`` has the members of ``rdep`` and no DEP."""
    grid = {"svr__C": [1.0, 10.0, 100.0], "svr__gamma": ["scale", 0.03, 0.3]}
    svr = make_pipeline(StandardScaler(), SVR())
    return {
        "ridge": make_pipeline(StandardScaler(), Ridge()),
        "svr": svr,
        "svr_tuned": GridSearchCV(svr, grid, cv=3, scoring="neg_mean_absolute_error"),
        "forest": RandomForestRegressor(random_state=0),
        "extra_trees": ExtraTreesRegressor(random_state=0),
        "hist_gb": HistGradientBoostingRegressor(random_state=0),
        "stack": RDEPRegressor(shrinkage=1.0, random_state=0),
        "rdep": RDEPRegressor(random_state=0),
        "dep": make_pipeline(StandardScaler(), DEPRegressor(monotonic_cst="auto")),
        "linear_dep": make_pipeline(StandardScaler(), LinearDEPRegressor()),
    }


def errors(X: np.ndarray, y: np.ndarray) -> dict[str, float]:
    """Mean absolute error of each model, in standard deviations of y."""
    found = {}
    for name, model in models().items():
        of_folds = []
        for train, test in KFold(5, shuffle=True, random_state=0).split(X):
            predicted = clone(model).fit(X[train], y[train]).predict(X[test])
            of_folds.append(np.abs(predicted - y[test]).mean() / y.std())
        found[name] = float(np.mean(of_folds))
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line for each table, and means; write those of reported tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="?", choices=("reported", "choosing"), default="reported")
    reported = parser.parse_args(arguments).tables == "reported"
    warnings.simplefilter("ignore")
    files, rows = paths(), []
    for name in some(sorted(name for name in files if is_reported(name) == reported)):
        rows.append({"table": name, **errors(*read(files[name]))})
        print(*(f"{k}={v:.4f}" if k != "table" else v for k, v in rows[-1].items()), flush=True)
    table = pd.DataFrame(rows).set_index("table")
    print(table.mean().round(4).to_string())
    if reported:
        table.round(6).to_csv(output("regression") / "table.csv")


if __name__ == "__main__":
    main()
