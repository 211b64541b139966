"""
How a linear DEP decides one sample
===================================

Near any sample, a linear DEP is one affine function, the sum of the two pieces that decide there.
Every feature therefore has a contribution to the decision value. The contributions add up to it
exactly, as in a linear model, but other pieces may decide samples elsewhere.
"""

# %%
# The data are four measurements of wines of three cultivars. Which wines are of the second one? A
# few affine pieces are compared with one, by cross-validation.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import LinearDEPClassifier

wine = load_wine(as_frame=True)
columns = ["proline", "color_intensity", "flavanoids", "alcohol"]
X, y = wine.data[columns], np.where(wine.target == 1, "second", "other")
models = [LogisticRegression(class_weight="balanced"), LinearDEPClassifier((2, 2))]
for model in models:
    pipeline = make_pipeline(StandardScaler(), model)
    scores = cross_val_score(pipeline, X, y, cv=5, scoring="balanced_accuracy")
    print(f"{type(model).__name__}: balanced accuracy {scores.mean():.3f}")

# %%
# The model, with standardised features under their own names.

scaler = StandardScaler().set_output(transform="pandas")
Z = scaler.fit_transform(X)
model = LinearDEPClassifier((2, 2)).fit(Z, y)
print(model.summary())

# %%
# One wine for each pair of pieces that decide, and the contribution of every feature to the
# decision value. Bars to the right speak for the second cultivar.

reasons = model.explain(Z)
pairs = list(zip(reasons.dilation_index.tolist(), reasons.erosion_index.tolist(), strict=True))
shown = [pairs.index(pair) for pair in sorted(set(pairs))]
table = reasons.to_frame()
figure, axes = plt.subplots(1, len(shown), sharey=True, figsize=(3.2 * len(shown), 3.2))
for ax, sample in zip(axes, shown, strict=True):
    row = table.iloc[sample]
    parts = [row["intercept"], *(row[f"contribution_{name}"] for name in columns)]
    colours = ["#b2182b" if part < 0 else "#2166ac" for part in parts]
    ax.barh(["intercepts", *columns], parts, color=colours)
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_title(
        f"{row['dilation_by']} of the dilation,\n{row['erosion_by']} of the erosion\n"
        f"wine {sample}: τ = {row['decision']:.2f}",
        fontsize=9,
    )
axes[0].invert_yaxis()
figure.supxlabel("contribution to τ")
figure.tight_layout()
plt.show()
