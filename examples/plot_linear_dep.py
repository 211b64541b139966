"""
A few affine pieces
===================

A linear DEP is the maximum of some affine functions plus the minimum of some others. With one piece
of each kind, it is a linear classifier. Every further piece adds a face to the decision boundary.
Cross-validation chooses the number of pieces.
"""

# %%
# The double moon cannot be separated by a line, nor by an increasing function.

import matplotlib.pyplot as plt

from rdep import LinearDEPClassifier
from rdep.datasets import make_double_moon
from rdep.display import BoundariesDisplay

X_train, X_test, y_train, y_test = make_double_moon()
models = {
    f"{pieces[0]} + {pieces[1]} pieces": LinearDEPClassifier(pieces).fit(X_train, y_train)
    for pieces in [(1, 1), (2, 1), (2, 2)]
}
for name, model in models.items():
    print(f"{name}: accuracy {model.score(X_test, y_test):.3f}")
BoundariesDisplay.from_estimators(models, X_train, y_train)
plt.show()

# %%
# Cross-validation chooses the number of pieces, starting from the linear classifier.

model = LinearDEPClassifier().fit(X_train, y_train)
for pieces, score in zip(model.candidates_, model.scores_.mean(axis=0), strict=True):
    print(pieces, f"{score:.3f}", "← chosen" if pieces == model.n_pieces_ else "")

# %%
# The pieces that decide in each part of the plane. In every cell of this map, the model is one
# affine function, the sum of a piece of the dilation and a piece of the erosion.

model = models["2 + 2 pieces"]
reasons = model.explain(X_train)
cells = 2 * reasons.dilation_index + reasons.erosion_index
figure, ax = plt.subplots()
BoundariesDisplay.from_estimator(model, X_train, ax=ax, legend=False)
points = ax.scatter(*X_train.T, c=cells, cmap="Set2", s=12, zorder=3)
handles, _ = points.legend_elements()
names = [f"dilation {j + 1}, erosion {k + 1}" for j in (0, 1) for k in (0, 1)]
present = sorted(set(cells.tolist()))
ax.legend(handles, [names[cell] for cell in present], title="deciding pieces", loc="best")
plt.show()

# %%
# Training is certified: every convex step is solved to a duality gap, and the objective never
# increases.

print(model.summary())
