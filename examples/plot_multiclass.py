"""
=====================
More than two classes
=====================

A DEP is a binary classifier. More classes are handled one against the rest: the class with the
largest decision value is predicted. scikit-learn's ``OneVsOneClassifier`` compares each pair
instead.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsOneClassifier

from rdep import RDEPClassifier

digits = load_digits()
X_train, X_test, y_train, y_test = train_test_split(
    digits.data, digits.target, stratify=digits.target, random_state=0
)

# %%
# Ten classes need ten r-DEPs, in ``estimators_``. Three SVCs suffice for digits.

one_vs_rest = RDEPClassifier("ensemble").fit(X_train, y_train)
one_vs_one = OneVsOneClassifier(RDEPClassifier("ensemble")).fit(X_train, y_train)
print(f"one against the rest: {one_vs_rest.score(X_test, y_test):.3f}")
print(f"one against one:      {one_vs_one.score(X_test, y_test):.3f}")
print("decision values:", one_vs_rest.decision_function(X_test).shape)

# %%
# The errors, class by class.

figure, ax = plt.subplots(figsize=(6.5, 6), layout="constrained")
ConfusionMatrixDisplay.from_estimator(
    one_vs_rest, X_test, y_test, ax=ax, cmap="Blues", colorbar=False
)
ax.set_title("one against the rest")

# %%
# ``explain`` names the members that determine the value of the predicted digit, and those of the
# runner-up.

reasons = one_vs_rest.explain(X_test[:5]).to_frame().round(2).assign(digit=y_test[:5])
print(reasons[["digit", "prediction", "dilation_by", "erosion_by", "decision"]])
print(reasons[["runner_up", "runner_up_dilation_by", "runner_up_erosion_by", "runner_up_decision"]])
plt.show()
