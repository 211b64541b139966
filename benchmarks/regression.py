"""Regressors of this package beside others: mean absolute error by five-fold cross-validation.

    RDEP_DATA_DIR=… python -m benchmarks.regression

Tables come from the folder ``regression`` of the data directory, tab-separated with a column
``target``. Names that begin with A to M were used to choose defaults; the others, and simulated
ones, are reported. Tables with more than 500 rows are drawn down to that number.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from pathlib import Path

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

MOST_ROWS = 500
SIMULATED = ("fri_", "pwLinear")


def is_reported(name: str) -> bool:
    """Whether a table was not used for any choice."""
    return name.startswith(SIMULATED) or name[0].upper() > "M"


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


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    frame = pd.read_csv(path, sep="\t")
    if len(frame) > MOST_ROWS:
        frame = frame.sample(MOST_ROWS, random_state=0)
    return frame.drop(columns="target").to_numpy(float), frame["target"].to_numpy(float)


def errors(X: np.ndarray, y: np.ndarray) -> dict[str, tuple[float, float]]:
    """Mean absolute error, in standard deviations of y, and CPU seconds of each model."""
    found = {}
    for name, model in models().items():
        started, of_folds = time.process_time(), []
        for train, test in KFold(5, shuffle=True, random_state=0).split(X):
            predicted = clone(model).fit(X[train], y[train]).predict(X[test])
            of_folds.append(np.abs(predicted - y[test]).mean() / y.std())
        found[name] = (float(np.mean(of_folds)), time.process_time() - started)
    return found


def main(reported: bool = True) -> None:
    """Print one line for each table, and means."""
    warnings.simplefilter("ignore")
    folder = Path(os.environ["RDEP_DATA_DIR"]) / "regression"
    paths = sorted(folder.glob("*.tsv.gz"), key=lambda path: path.stat().st_size)
    rows = {}
    for path in paths:
        name = path.name.removesuffix(".tsv.gz")
        if is_reported(name) == reported:
            rows[name] = errors(*read(path))
            cells = " ".join(f"{model}={e:.4f}" for model, (e, _) in rows[name].items())
            print(f"{name} {cells}", flush=True)
    for model in models():
        of_model = np.array([row[model] for row in rows.values()])
        print(f"mean {model} {of_model[:, 0].mean():.4f}, CPU {of_model[:, 1].sum():.0f} s")


if __name__ == "__main__":
    main(reported="choosing" not in sys.argv[1:])
