"""
=======================
Boxes for every class
=======================

Greedy training separates all training samples, with as many boxes as needed. Boxes that cover few
samples follow noise: ``min_samples`` drops them. The convex-concave procedure fits a given number
of boxes, and weighs errors against each other.
"""

import matplotlib.pyplot as plt

from rdep import CompetitiveClassifier
from rdep.datasets import load_ripley
from rdep.display import BoxesDisplay

X_train, X_test, y_train, y_test = load_ripley()
models = {
    "greedy": CompetitiveClassifier(),
    "greedy, min_samples=5": CompetitiveClassifier(min_samples=5),
    "CCP, 2 boxes of each class": CompetitiveClassifier("ccp", random_state=0),
}
figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), sharey=True, layout="constrained")
for ax, (title, model) in zip(axes, models.items(), strict=True):
    model.fit(X_train, y_train)
    BoxesDisplay.from_estimator(model, X_train, y_train, ax=ax)
    ax.set_title(f"{title}: test accuracy {model.score(X_test, y_test):.2f}", fontsize="medium")
plt.show()

# %%
# The boxes of the last model, as text.

print(models["CCP, 2 boxes of each class"].rules())
