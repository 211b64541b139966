"""
Forecasts of sunspots
=====================

The dilation-erosion perceptron was first a forecaster. The yearly numbers of sunspots rise and fall
in a cycle of about eleven years. Their lags, the twelve latest values, are the features of a
regressor. It is trained on the years up to 1911 and forecasts every later year.
"""

# %%
# ``LagFeatures`` pairs the twelve latest values with the next one. Every forecast is compared with
# a random walk, which forecasts the latest value.

import matplotlib.pyplot as plt
import numpy as np

from rdep import DEPRegressor, LagFeatures, LinearDEPRegressor
from rdep.datasets import load_sunspots

years, sunspots = load_sunspots()
lags = LagFeatures(12)
X, y = lags.pairs(sunspots)
n_train = 200
models = {
    "linear DEP": LinearDEPRegressor((2, 1)),
    "DEP": DEPRegressor(monotonic_cst="auto"),
}
forecasts = {"random walk": X[n_train:, 0]}
for name, model in models.items():
    forecasts[name] = model.fit(X[:n_train], y[:n_train]).predict(X[n_train:])
for name, forecast in forecasts.items():
    print(f"{name}: mean absolute error {np.abs(forecast - y[n_train:]).mean():.1f}")

of_test = years[-len(y) :][n_train:]
figure, ax = plt.subplots(figsize=(8, 3.5), layout="constrained")
ax.plot(of_test, y[n_train:], color="k", linewidth=1, label="sunspots")
ax.plot(of_test, forecasts["random walk"], color="0.7", linewidth=1, label="random walk")
ax.plot(of_test, forecasts["linear DEP"], color="C0", label="linear DEP, one year ahead")
ax.set(xlabel="year", ylabel="sunspots")
ax.legend(ncols=3, loc="upper left")
ax.set_ylim(top=240)
plt.show()

# %%
# The linear DEP is a maximum of two linear autoregressions. ``explain`` says which of them
# decides in a year, and what each lag contributes to it.

reasons = models["linear DEP"].explain(X[n_train:]).to_frame()
for piece, rows in reasons.groupby("dilation_by"):
    print(f"{piece} decides in {len(rows)} years; mean forecast {rows['decision'].mean():.0f}")

# %%
# A model for each horizon forecasts several years ahead. Targets of the training part end before
# the test part begins.

horizons = range(1, 12)
errors = {"random walk": [], "linear DEP": []}
for horizon in horizons:
    X, y = lags.pairs(sunspots, horizon=horizon)
    seen = slice(0, n_train - horizon + 1)
    forecast = LinearDEPRegressor((2, 1)).fit(X[seen], y[seen]).predict(X[n_train:])
    errors["linear DEP"].append(np.abs(forecast - y[n_train:]).mean())
    errors["random walk"].append(np.abs(X[n_train:, 0] - y[n_train:]).mean())

figure, ax = plt.subplots()
for name, color in (("random walk", "0.6"), ("linear DEP", "C0")):
    ax.plot(horizons, errors[name], "o-", color=color, label=name)
ax.set(xlabel="years ahead", ylabel="mean absolute error", ylim=(0, None))
ax.legend()
plt.show()
