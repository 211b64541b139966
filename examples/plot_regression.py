"""
Regression by maxima and minima
===============================

A dilation-erosion perceptron without its sign predicts a number. Three models of one feature: the
linear DEP, its quantiles, and a max-plus fit from a few increasing features.
"""

# %%
# The target is piecewise linear, with noise that grows to the right.

import matplotlib.pyplot as plt
import numpy as np

from rdep import DEPRegressor, LinearDEPRegressor, MaxPlusRegressor

random = np.random.default_rng(0)
x = np.sort(random.uniform(-3, 3, 300))
truth = np.maximum(1 - x, 0.5 * x) - np.maximum(0, 3 * x - 5)
y = truth + random.normal(size=300) * (0.1 + 0.08 * (x + 3))
X = x[:, None]

model = LinearDEPRegressor().fit(X, y)
print(f"{model.n_pieces_} pieces, R² against the noise-free target {model.score(X, truth):.3f}")

# %%
# Two quantiles give an interval. They are fitted independently: sorting keeps them from crossing.

low, high = np.sort(
    [LinearDEPRegressor(3, loss="quantile", quantile=q).fit(X, y).predict(X) for q in (0.05, 0.95)],
    axis=0,
)
print(f"{np.mean((low <= y) & (y <= high)):.0%} of the samples are inside")

figure, ax = plt.subplots()
ax.scatter(x, y, s=6, color="0.6", label="samples")
ax.plot(x, truth, color="k", linestyle=":", label="noise-free target")
ax.plot(x, model.predict(X), color="C0", label="linear DEP")
ax.fill_between(x, low, high, color="C0", alpha=0.15, label="5 % to 95 %")
ax.set(xlabel="feature", ylabel="target")
ax.legend()
plt.show()

# %%
# ``explain`` names the pieces. In each part of the line, one affine function is the whole model.

reasons = model.explain(X[::100])
print(reasons.to_frame()[["dilation_by", "erosion_by", "decision"]].round(2))

# %%
# A DEP is increasing in every feature, and so is a max-plus fit. The first minimises the mean
# absolute error, the second the largest one. An outlier shows the difference.

marks = random.uniform(0, 10, size=(200, 2))
grade = 0.6 * marks.max(axis=1) + 0.4 * marks.min(axis=1) + random.normal(scale=0.2, size=200)
grade[0] += 8
models = {"DEP": DEPRegressor(), "max-plus": MaxPlusRegressor()}
figure, axes = plt.subplots(1, 2, sharey=True, layout="constrained")
for ax, (name, increasing) in zip(axes, models.items(), strict=True):
    predicted = increasing.fit(marks, grade).predict(marks)
    errors = np.abs(predicted - grade)
    print(f"{name}: mean error {errors.mean():.2f}, largest error {errors.max():.2f}")
    ax.scatter(grade, predicted, s=8)
    ax.axline((5, 5), slope=1, color="0.6")
    ax.set(title=name, xlabel="target")
axes[0].set_ylabel("prediction")
plt.show()
