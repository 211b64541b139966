"""
========================
Calibrated probabilities
========================

The decision value of a DEP is not a probability. scikit-learn's ``CalibratedClassifierCV`` fits a
curve from decision values to probabilities, on samples that were not used to fit the classifier.
"""

import matplotlib.pyplot as plt
from sklearn.calibration import CalibratedClassifierCV, CalibrationDisplay
from sklearn.metrics import brier_score_loss

from rdep import RDEPClassifier
from rdep.datasets import load_ripley

X_train, X_test, y_train, y_test = load_ripley()

# %%
# There are two methods: a sigmoid with two parameters, which suits few samples, and an isotonic
# curve.

models = {
    method: CalibratedClassifierCV(RDEPClassifier(random_state=0), method=method, cv=5).fit(
        X_train, y_train
    )
    for method in ("sigmoid", "isotonic")
}
for method, model in models.items():
    loss = brier_score_loss(y_test, model.predict_proba(X_test)[:, 1])
    print(f"{method:9} Brier score {loss:.3f}")

# %%
# About 80 % of the points with a probability of 0.8 should be positive: the line should follow the
# diagonal. The histograms show how often each probability is predicted. The sigmoid is
# under-confident at both ends here, and the isotonic curve is better calibrated.

figure, axes = plt.subplots(
    2, 2, figsize=(10, 6.5), layout="constrained", height_ratios=[3, 1], sharex=True
)
for (above, below), (method, model) in zip(axes.T, models.items(), strict=True):
    display = CalibrationDisplay.from_estimator(
        model, X_test, y_test, n_bins=8, strategy="quantile", ax=above, name=method
    )
    above.set(title=method, xlabel="")
    below.hist(display.y_prob, bins=20, range=(0, 1), color="0.5")
    below.set(xlabel="probability of the positive class", ylabel="test points")
plt.show()
