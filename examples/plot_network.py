"""
A network of dilations and erosions
===================================

A dense morphological network has dilations and erosions of the features, and linear combinations of
them. Two units enclose the inner of two circles on three sides and four units on all sides. More
units round the corners.

It needs PyTorch: ``pip install 'rdep[torch]'``.
"""

# %%
# The decision boundary for two, four and sixteen hidden units.

import matplotlib.pyplot as plt
from sklearn.datasets import make_circles
from sklearn.model_selection import train_test_split

from rdep.display import BoundariesDisplay, LossDisplay
from rdep.networks import MorphologicalNetworkClassifier

X, y = make_circles(600, noise=0.1, factor=0.5, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
networks = {
    f"{units} units": MorphologicalNetworkClassifier(
        "dense", units=(units,), max_epochs=150, random_state=0
    ).fit(X_train, y_train)
    for units in (2, 4, 16)
}
for name, network in networks.items():
    print(f"{name}: accuracy {network.score(X_test, y_test):.3f}")
BoundariesDisplay.from_estimators(networks, X_train, y_train)
plt.show()

# %%
# Held-out samples determine when to stop; the weights of the best epoch are kept.

LossDisplay.from_estimator(networks["16 units"])
plt.show()
