"""
=======================
Neurons with dendrites
=======================

There are four ways to train this model. Elimination cuts open boxes, with dashed faces, out of the
box around a class. Increments add boxes of the class. Both have one neuron for two classes.
Dividing halves the box around all samples until boxes are pure; evolution moves the faces of a few
such boxes.
"""

import matplotlib.pyplot as plt

from rdep import DendriteClassifier
from rdep.datasets import load_ripley
from rdep.display import BoxesDisplay

X_train, X_test, y_train, y_test = load_ripley()
models = {
    "elimination": DendriteClassifier(),
    "increments": DendriteClassifier("incremental"),
    "divide": DendriteClassifier("divide"),
    "evolution of few boxes": DendriteClassifier("evolution", max_depth=2, random_state=0),
}
figure, axes = plt.subplots(2, 2, figsize=(9, 8), sharex=True, sharey=True, layout="constrained")
for ax, (title, model) in zip(axes.ravel(), models.items(), strict=True):
    model.fit(X_train, y_train)
    BoxesDisplay.from_estimator(model, X_train, y_train, ax=ax, legend=ax in axes[1])
    accuracy = model.score(X_test, y_test)
    ax.set_title(f"{title}: {model.n_dendrites_[0]} dendrites, test accuracy {accuracy:.2f}")
    ax.title.set_fontsize("medium")
plt.show()

# %%
# With a neuron for each class, samples that are in no box can be rejected. The larger the distance
# of the faces from the training samples, the fewer samples are rejected.

for tolerance in (0.0, 0.05, 0.1, 0.2):
    model = DendriteClassifier(reject=True, tolerance=tolerance).fit(X_train, y_train)
    rejected = model.rejected(X_test)
    right = model.predict(X_test[~rejected]) == y_test[~rejected]
    print(f"tolerance {tolerance:4}: {rejected.mean():5.1%} rejected, {right.mean():.1%} right")

# %%
# The boxes that were cut out of the class, as text.

print(models["elimination"].rules(max_boxes=3))
