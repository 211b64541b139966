"""
============================
What a DEP does, in pictures
============================

A dilation puts negatives into a box, an erosion puts positives into one, and β decides whom to
believe where the two disagree. On Ripley's points, in the plane, all of that can be seen.
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
# The box D(w), open towards −∞, is what the dilation calls negative; E(m), open towards +∞, what
# the erosion calls positive. Between them the boundary of the DEP runs from one to the other: here
# β is small, so it keeps near to E(m).

figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
RegionsDisplay.from_estimator(dep, X_test, y_test, ax=ax)
ax.set_title(f"DEP on Ripley's test points, accuracy {dep.score(X_test, y_test):.2f}")

# %%
# Not all training points count the same: the area of a point is its weight ν. Those far from the
# mean of their class may be outliers and are spared.

figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
PenaltyWeightsDisplay.from_estimator(dep, X_train, y_train, ax=ax)
ax.set_title("ν of the training points")

# %%
# Which feature decides where: ``explain``, for every point of the plane.

figure, ax = plt.subplots(figsize=(7, 5), layout="constrained")
DecidingDisplay.from_estimator(dep, X_test, y_test, ax=ax)
ax.set_title("On what the decision rests")

# %%
# An r-DEP is the same thing in another space. Its coordinates are the decision values of support
# vector classifiers, of which two are shown: both grow with the positive class, which is what a
# DEP wants.

rdep = RDEPClassifier().fit(X_train, y_train)
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
ReducedSpaceDisplay.from_estimator(
    rdep, X_train, y_train, features=("rbf", "linear"), ax=left, legend=False
)
left.set_title("the space that the r-DEP has learned")
BoundariesDisplay.from_estimators({"DEP": dep, "r-DEP": rdep}, X_test, y_test, ax=right)
right.set_title("both boundaries among the test points")
plt.show()
