"""
=======================
Monotone classification
=======================

A DEP is increasing by construction: no feature that counts for the positive class can count against
it. If monotonicity is known or required, this is a guarantee. In credit scoring, for instance,
nobody should be refused *because* income was higher or arrears were fewer. A monotone model cannot
do so, whatever the training data.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier

# %%
# The data are simulated applications for credit. The probability of paying back grows with income
# and with the years in the present job, and falls with debt and with arrears in the past. Some
# labels are noise.

rng = np.random.default_rng(0)
n = 1500
X = pd.DataFrame(
    {
        "income": rng.gamma(4, 10, n),
        "years in job": rng.exponential(5, n),
        "debt": rng.gamma(2, 8, n),
        "arrears": rng.poisson(0.8, n).astype(float),
    }
)
odds = 0.06 * X["income"] + 0.1 * X["years in job"] - 0.09 * X["debt"] - 0.9 * X["arrears"] - 0.3
y = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "pays", "defaults")
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

# %%
# The directions are a parameter of the model, by feature name.

directions = {"income": 1, "years in job": 1, "debt": -1, "arrears": -1}
scaler = StandardScaler().set_output(transform="pandas").fit(X_train)
dep = DEPClassifier(monotonic_cst=directions, margin=0.1, class_weight="balanced")
dep.fit(scaler.transform(X_train), y_train)
forest = RandomForestClassifier(random_state=0, class_weight="balanced").fit(X_train, y_train)


def decide(model, samples):
    return model.predict(scaler.transform(samples) if model is dep else samples)


for name, model in {"monotone DEP": dep, "random forest": forest}.items():
    score = balanced_accuracy_score(y_test, decide(model, X_test))
    print(f"{name:14} balanced accuracy {score:.3f}")

# %%
# Increase the income of every test applicant step by step, all else equal. How many accepted
# applicants are refused at a higher income?

steps = np.linspace(0, 60, 31)
for name, model in {"monotone DEP": dep, "random forest": forest}.items():
    accepted = np.array(
        [decide(model, X_test.assign(income=X_test["income"] + more)) == "pays" for more in steps]
    )
    reversed_ = (accepted[:-1] & ~accepted[1:]).any(axis=0)
    print(f"{name:14} {reversed_.sum():3} of {len(X_test)} refused for a higher income")

# %%
# The same on a plane: income against debt, the others at their medians.

figure, axes = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained", sharey=True)
income, debt = np.meshgrid(np.linspace(0, 110, 120), np.linspace(0, 60, 120))
plane = pd.DataFrame(
    {"income": income.ravel(), "years in job": X["years in job"].median(), "debt": debt.ravel()}
).assign(arrears=X["arrears"].median())
for ax, (name, model) in zip(
    axes, {"monotone DEP": dep, "random forest": forest}.items(), strict=True
):
    pays = (decide(model, plane) == "pays").reshape(income.shape)
    ax.contourf(income, debt, pays, levels=[-0.5, 0.5, 1.5], colors=["#F6CDB5", "#B5D3EA"])
    ax.set(title=name, xlabel="income")
axes[0].set_ylabel("debt")
axes[0].text(85, 8, "accepted", ha="center")
axes[0].text(12, 50, "refused", ha="center")
plt.show()
