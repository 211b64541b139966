"""Regressors of this package beside readable ones of others: EBM, optimal trees, convex regression.

``python -m benchmarks.regression_rivals`` cross-validates on the reported regression tables, with
five folds, and writes results/regression_rivals/table.csv: mean absolute errors in standard
deviations of the target. It needs ``pip install 'rdep[bench-regression]'``; RDEP_DATA_DIR names the
folder of the data.

Inner cross-validation chooses the depth and the complexity of the optimal trees; a fifth of the
training rows chooses the shape (convex or concave) and the penalty of a convex regression. Convex
regression has a constraint for every pair of rows: it is fitted on tables with at most 150 rows.
Models and tables whose rows are in the file are not measured again; names of models as arguments
measure these alone.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import LinearDEPRegressor, RDEPRegressor

from .measure import output, some
from .regression_tables import reported

MOST_CONVEX_ROWS = 150
PENALTIES = (1.0, 0.1, 0.01, 0.001)
TREES = {"max_depth": [2, 3], "cost_complexity": [0.01, 0.003, 0.001]}


class ConvexOrConcave(RegressorMixin, BaseEstimator):
    """Penalised convex regression of cvxreg; held-out rows choose its shape and penalty."""

    def fit(self, X, y):
        from cvxreg.constant import concave, convex
        from cvxreg.models import PCR

        seen, held_out, target, truth = train_test_split(X, y, test_size=0.2, random_state=0)

        def error(model):
            return np.abs(np.ravel(model.fit(seen, target).predict(held_out)) - truth).mean()

        tried = [PCR(c=c, shape=shape) for shape in (convex, concave) for c in PENALTIES]
        self.model_ = min(tried, key=error).fit(X, y)
        return self

    def predict(self, X):
        return np.ravel(self.model_.predict(X))


def models() -> dict[str, object]:
    """Regressors by name."""
    from interpret.glassbox import ExplainableBoostingRegressor
    from pystreed import STreeDPiecewiseLinearRegressor, STreeDRegressor

    def tuned(tree):
        return GridSearchCV(tree, TREES, cv=3, scoring="neg_mean_absolute_error")

    return {
        "ridge": Ridge(),
        "ebm": ExplainableBoostingRegressor(n_jobs=1, random_state=0),
        "optimal_tree": tuned(STreeDRegressor(time_limit=60)),
        "optimal_linear_tree": tuned(
            STreeDPiecewiseLinearRegressor(time_limit=60, ridge_penalty=0.01)
        ),
        "convex": ConvexOrConcave(),
        "linear_dep": LinearDEPRegressor(),
        "rdep": RDEPRegressor(random_state=0),
    }


def in_units(model) -> TransformedTargetRegressor:
    """The model on standardised features and targets: penalties refer to them."""
    return TransformedTargetRegressor(
        make_pipeline(StandardScaler(), model), transformer=StandardScaler()
    )


def measured(model, X, y) -> tuple[float, float]:
    """Mean absolute error in standard deviations, and CPU seconds of a fit and a prediction."""
    errors, seconds = [], []
    for train, test in some(KFold(5, shuffle=True, random_state=0).split(X)):
        before = time.process_time()
        try:
            predicted = in_units(clone(model)).fit(X[train], y[train]).predict(X[test])
        except NotFittedError:  # pystreed found no tree
            return np.nan, np.nan
        seconds.append(time.process_time() - before)
        errors.append(np.abs(predicted - y[test]).mean() / y.std())
    return float(np.mean(errors)), float(np.mean(seconds))


def stored(path: Path) -> list[dict]:
    """Rows of an earlier run."""
    return pd.read_csv(path).to_dict("records") if path.exists() else []


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one line for each model and table; write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="models; all if none is named")
    wanted = parser.parse_args(arguments).names or list(models())
    path = output("regression_rivals") / "table.csv"
    rows = stored(path)
    done = {(row["table"], row["model"]) for row in rows}
    warnings.simplefilter("ignore")
    for table, (X, y) in sorted(reported().items(), key=lambda item: item[1][0].size):
        for name in wanted:
            too_large = name == "convex" and len(X) > MOST_CONVEX_ROWS
            if too_large or (table, name) in done:
                continue
            error, seconds = measured(models()[name], X, y)
            rows.append({"table": table, "model": name, "error": error, "CPU seconds": seconds})
            print(f"{table} {name} {error:.4f} {seconds:.2f} s", flush=True)
            pd.DataFrame(rows).round(4).to_csv(path, index=False)
    wide = pd.DataFrame(rows).pivot(index="table", columns="model", values="error")
    print(wide.round(3).to_string())


if __name__ == "__main__":
    main()
