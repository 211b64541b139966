"""
Intervals from two quantiles
============================

Two quantile regressors give an interval whose width follows the noise. Held-out samples make it
wider or narrower, so that it covers the share of new samples that it promises (conformalized
quantile regression).
"""

# %%
# The noise grows to the right. Some samples are set aside: they are not trained on.

import matplotlib.pyplot as plt
import numpy as np

from rdep import LinearDEPRegressor


def samples(n, seed):
    random = np.random.default_rng(seed)
    x = random.uniform(-3, 3, n)
    y = np.abs(x) + random.normal(size=n) * (0.1 + 0.15 * (x + 3))
    return x[:, None], y


X, y = samples(200, seed=0)
X_aside, y_aside = samples(300, seed=1)
X_new, y_new = samples(5000, seed=2)

# %%
# Piecewise linear models of the quantiles 5 % and 95 %, sorted so that they cannot cross.

quantiles = [LinearDEPRegressor(2, loss="quantile", quantile=q).fit(X, y) for q in (0.05, 0.95)]


def interval(X, margin=0.0):
    low, high = np.sort([model.predict(X) for model in quantiles], axis=0)
    return low - margin, high + margin


def coverage(X, y, margin=0.0):
    low, high = interval(X, margin)
    return np.mean((low <= y) & (y <= high))


print(f"training samples inside: {coverage(X, y):.1%}, new ones: {coverage(X_new, y_new):.1%}")

# %%
# The margin is the 90 % quantile of how far samples that were set aside lie outside. It is negative
# if the interval is too wide.

low, high = interval(X_aside)
outside = np.sort(np.maximum(low - y_aside, y_aside - high))
margin = outside[int(np.ceil(0.9 * (len(outside) + 1))) - 1]
print(f"margin {margin:.3f}; new samples inside: {coverage(X_new, y_new, margin):.1%}")

grid = np.linspace(-3, 3, 200)[:, None]
low, high = interval(grid, margin)
figure, ax = plt.subplots()
ax.scatter(X_aside, y_aside, s=6, color="0.6", label="samples set aside")
ax.fill_between(grid.ravel(), low, high, color="C0", alpha=0.2, label="90 % interval")
ax.set(xlabel="feature", ylabel="target")
ax.legend()
plt.show()
