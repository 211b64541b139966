"""
=====================
The geometry of a DEP
=====================

A dilation puts the negatives in a box, an erosion puts the positives in another, and β weighs the
two where they disagree. Ripley's points are in the plane, so that all of this can be drawn.
"""

import matplotlib.pyplot as plt

from rdep import DEPClassifier, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.display import (
    BoundariesDisplay,
    DecidingDisplay,
    PenaltyWeightsDisplay,
    ReducedSpaceDisplay,
    RegionsDisplay,
)

X_train, X_test, y_train, y_test = load_ripley()
dep = DEPClassifier().fit(X_train, y_train)
print(dep.summary())

# %%
# In the box D(w), open towards −∞, the dilation predicts the negative class; in E(m), open towards
# +∞, the erosion predicts the positive class. The boundary of the DEP runs between the two. Here β
# is small, so the boundary is close to E(m).

figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
RegionsDisplay.from_estimator(dep, X_test, y_test, ax=ax)
ax.set_title(f"DEP on Ripley's test points, accuracy {dep.score(X_test, y_test):.2f}")

# %%
# Training points have different weights: the area of a point is its weight ν. Points far from the
# mean of their class may be outliers and weigh less.

figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
PenaltyWeightsDisplay.from_estimator(dep, X_train, y_train, ax=ax)
ax.set_title("ν of the training points")

# %%
# The feature on which the decision rests: ``explain``, for every point of the plane.

figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
DecidingDisplay.from_estimator(dep, X_test, y_test, ax=ax)
ax.set_title("the feature on which the decision rests")

# %%
# An r-DEP is a DEP in another space. Its coordinates are the decision values of support vector
# classifiers. The two that are shown grow with the positive class, as a DEP requires. On these
# points a plain DEP is as accurate, because the original coordinates already suit it.

rdep = RDEPClassifier("ensemble").fit(X_train, y_train)
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
ReducedSpaceDisplay.from_estimator(
    rdep, X_train, y_train, features=("rbf", "linear"), ax=left, legend=False
)
left.set_title("the reduced space of the r-DEP")
BoundariesDisplay.from_estimators({"DEP": dep, "r-DEP": rdep}, X_test, y_test, ax=right)
right.set_title("both boundaries among the test points")
plt.show()
