"""
=================================
Beside scikit-learn's classifiers
=================================

All classifiers have the same folds, and none is tuned. No classifier is best on all four data sets:
read the table by columns. Four small data sets show cases, not averages; the results over thirty
data sets are on the page *Beyond the paper*.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer, make_classification, make_moons
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import DEPClassifier, RDEPClassifier
from rdep.datasets import load_ripley, make_double_moon
from rdep.display import BoundariesDisplay

X_ripley, _, y_ripley, _ = load_ripley()
problems = {
    "Ripley": (X_ripley, y_ripley),
    "two moons": make_moons(400, noise=0.3, random_state=0),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "uneven clusters": make_classification(
        600, n_features=10, n_informative=5, weights=[0.85], flip_y=0.03, random_state=0
    ),
}
classifiers = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "RBF SVC": make_pipeline(StandardScaler(), SVC()),
    "RBF SVC, balanced": make_pipeline(StandardScaler(), SVC(class_weight="balanced")),
    "random forest": RandomForestClassifier(50, random_state=0),
    "gradient boosting": HistGradientBoostingClassifier(max_iter=30, random_state=0),
    "DEP, oriented": make_pipeline(StandardScaler(), DEPClassifier(monotonic_cst="auto")),
    "r-DEP, ensemble": RDEPClassifier("ensemble"),
    "r-DEP, bagging": RDEPClassifier("bagging", random_state=0),
    "r-DEP": RDEPClassifier(random_state=0),
}
scores = pd.DataFrame(
    {
        problem: {
            name: cross_val_score(model, X, y, scoring="balanced_accuracy").mean()
            for name, model in classifiers.items()
        }
        for problem, (X, y) in problems.items()
    }
)
scores.round(3)

# %%
# Balanced accuracy shows when a classifier neglects the small class: the r-DEPs normalise their
# loss by class, as the balanced SVC does and the plain one does not.

figure, ax = plt.subplots(figsize=(8, 4.6), layout="constrained")
looks = zip("os^D", ("#0072B2", "#E69F00", "#009E73", "#CC79A7"), strict=True)
for problem, (marker, colour) in zip(scores.columns, looks, strict=True):
    ax.plot(scores[problem], range(len(scores)), marker, color=colour, ms=8, label=problem)
ax.set(
    yticks=range(len(scores)),
    yticklabels=scores.index,
    xlabel="balanced accuracy, mean of 5 folds",
)
ax.invert_yaxis()
ax.grid(axis="x", alpha=0.3)
ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))

# %%
# The boundaries on the two moons of the paper.

X, _, y, _ = make_double_moon(400)
fitted = {
    "RBF SVC": SVC().fit(X, y),
    "DEP": DEPClassifier().fit(X, y),
    "r-DEP": RDEPClassifier(random_state=0).fit(X, y),
}
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
BoundariesDisplay.from_estimators(fitted, X, y, ax=ax)
plt.show()
