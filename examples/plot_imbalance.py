"""
=================
Uneven classes
=================

One sample in twenty is positive, and a missed positive costs more than a false alarm. Weights enter
an r-DEP in two places: in the members of its ordering, and in the DEP.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score, confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from rdep import RDEPClassifier

X, y = make_classification(
    4000, n_features=8, n_informative=5, weights=[0.95], class_sep=0.7, flip_y=0.02, random_state=3
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

# %%
# A plain SVC finds few samples of the small class. An r-DEP of such SVCs finds more, because the
# loss of both operators is always normalised by class. By default the members are balanced, too,
# which finds more positives, with more false alarms. A dictionary sets the costs of errors in
# addition to the normalisation: here a missed positive costs three times as much.

models = {
    "SVC": SVC(),
    "SVC, balanced": SVC(class_weight="balanced"),
    "r-DEP, unweighted": RDEPClassifier("ensemble", class_weight=None),
    "r-DEP, balanced": RDEPClassifier("ensemble"),
    "r-DEP, 3 : 1": RDEPClassifier("ensemble", class_weight={0: 1, 1: 3}),
}
rates = {}
for name, model in models.items():
    predicted = model.fit(X_train, y_train).predict(X_test)
    (_, false_alarms), (missed, found) = confusion_matrix(y_test, predicted)
    rates[name] = found / (found + missed), false_alarms / (y_test == 0).sum()
    print(
        f"{name:17} balanced accuracy {balanced_accuracy_score(y_test, predicted):.3f}, "
        f"{found} of {found + missed} positives found, {false_alarms} false alarms"
    )

# %%
# Positives found against false alarms.

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
for name, (found, alarms) in rates.items():
    ax.plot(100 * alarms, 100 * found, "s" if name.startswith("SVC") else "o", ms=9, label=name)
ax.set(xlabel="false alarms, % of the negatives", ylabel="positives found, %")
ax.legend(loc="lower right")

# %%
# Single samples can be weighted as well, for instance by the reliability of their label. Samples
# with zero weight are ignored, and a weight of two is equivalent to two samples.

weights = np.ones(len(y_train))
weights[::10] = 0
weighted = RDEPClassifier("ensemble").fit(X_train, y_train, sample_weight=weights)
without = RDEPClassifier("ensemble").fit(X_train[weights > 0], y_train[weights > 0])
difference = weighted.decision_function(X_test) - without.decision_function(X_test)
print(f"weight zero or left out: decision values differ by {np.abs(difference).max():.1e} at most")
plt.show()
