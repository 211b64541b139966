"""
===============================
A classifier as a readable rule
===============================

On the features and their negatives, (x, −x), both boxes of a DEP have bounds on both sides.
``rules`` states them by name and in the units of the data, and leaves out the bounds that no
training sample violates. The rule is the whole model, not an approximation of it.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import train_test_split

from rdep import DEPClassifier, RDEPClassifier
from rdep.display import BoundariesDisplay

cancer = load_breast_cancer(as_frame=True)
X = cancer.data[["worst area", "worst texture", "worst smoothness", "worst concave points"]]
y = cancer.target_names[cancer.target]
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
model = RDEPClassifier("boxes").fit(X_train, y_train)
print(f"accuracy {model.score(X_test, y_test):.3f}")
print(model.rules())

# %%
# A rule is also an object, whose boxes have a method ``contains``. If a sample is in one box only,
# the prediction is the class of that box. If it is in both or in neither, the last sentence of the
# rule decides.

rule = model.rules()
malignant, benign = rule.positive.contains(X_test), rule.negative.contains(X_test)
predicted = model.predict(X_test)
for place, inside in {
    "in the box of 'malignant' only": malignant & ~benign,
    "in the box of 'benign' only": benign & ~malignant,
    "in both": malignant & benign,
    "in neither": ~malignant & ~benign,
}.items():
    right = np.sum(predicted[inside] == y_test[inside])
    print(f"{place}: {inside.sum()} test samples, {right} of them predicted correctly")

# %%
# With two features, the boxes can be drawn. Sizes grow with malignancy, so one-sided bounds
# suffice. *Versicolor* is the middle one of the three irises: its box is closed on all sides, and
# with ``beta=0`` the prediction depends on this box only.

iris = load_iris(as_frame=True)
flowers = iris.data[["petal length (cm)", "petal width (cm)"]]
kinds = np.where(iris.target == 1, "versicolor", "another")


def draw(ax, model, X, y):
    BoundariesDisplay.from_estimators({"boundary": model}, X, y, ax=ax)
    rule = model.rules()
    boxes = [(rule.positive, rule.classes[1], "#D55E00", "/")]
    if rule.beta > 0:
        boxes.append((rule.negative, rule.classes[0], "#0072B2", "\\"))
    for box, label, colour, hatch in boxes:
        sides = [ax.get_xlim(), ax.get_ylim()]
        for condition in box.conditions:
            low, high = sides[condition.index]
            sides[condition.index] = max(low, condition.low), min(high, condition.high)
        (left, right), (bottom, top) = sides
        ax.add_patch(
            Rectangle(
                (left, bottom), right - left, top - bottom,
                fill=False, edgecolor=colour, hatch=hatch, alpha=0.35, label=f"box of {label}",
            )
        )  # fmt: skip
    ax.legend(loc="lower right", fontsize="small")


two = ["worst area", "worst concave points"]
sizes = RDEPClassifier("boxes").fit(X_train[two], y_train)
petals = RDEPClassifier("boxes", DEPClassifier(beta=0)).fit(flowers, kinds)
print(petals.rules())
figure, axes = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
draw(axes[0], sizes, X_train[two], y_train)
draw(axes[1], petals, flowers, kinds)
axes[0].set_title("benign and malignant tumours")
axes[1].set_title("versicolor and other irises")
plt.show()
