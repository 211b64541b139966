"""
=======================
Explaining a prediction
=======================

A maximum is attained by one feature, and so is a minimum. Each decision of a DEP therefore rests on
two features, however many there are. The explanation is the decision itself: there is no
approximation and no second model.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier

data = load_breast_cancer(as_frame=True)
y = data.target.map({0: "malignant", 1: "benign"})
X_train, X_test, y_train, y_test = train_test_split(data.data, y, stratify=y, random_state=0)
scaler = StandardScaler().set_output(transform="pandas").fit(X_train)
Z_train, Z_test = scaler.transform(X_train), scaler.transform(X_test)

# %%
# "malignant" comes after "benign", so it is the positive class. Most measurements grow with it;
# ``monotonic_cst="auto"`` negates those that do not.

dep = DEPClassifier(monotonic_cst="auto", margin=0.1).fit(Z_train, y_train)
print(f"accuracy {dep.score(Z_test, y_test):.3f}")
print(dep.summary(max_features=5))

# %%
# The two features that decide some predictions. Their shares add up to the decision value, whose
# sign is the prediction.

reasons = dep.explain(Z_test).to_frame().assign(predicted=dep.predict(Z_test))
reasons.head().round(2)

# %%
# The same explanations in sentences:

for row, reason in reasons.head(3).iterrows():
    up, down = X_test.iloc[row][reason.dilation_by], X_test.iloc[row][reason.erosion_by]
    print(
        f"{reason.predicted}: {reason.dilation_by} = {up:.3g} contributes "
        f"{reason.dilation_share:+.2f} and {reason.erosion_by} = {down:.3g} contributes "
        f"{reason.erosion_share:+.2f}"
    )

# %%
# Over all test samples, nearly all decisions rest on a few of the thirty features.

counts = pd.DataFrame(
    {
        "dilation": reasons.dilation_by.value_counts(),
        "erosion": reasons.erosion_by.value_counts(),
    }
).fillna(0)
counts = counts.loc[counts.sum(axis=1).sort_values().index[-10:]]
figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
counts.plot.barh(ax=ax, color=["#0072B2", "#D55E00"], width=0.8)
ax.set(xlabel="test samples whose decision rests on it", title="the ten features that decide most")

# %%
# With an r-DEP the explanation names members of the ordering, which are classifiers.

rdep = RDEPClassifier(random_state=0).fit(X_train, y_train)
print(f"accuracy {rdep.score(X_test, y_test):.3f}")
print(rdep.explain(X_test[:5]).to_frame().round(2))
plt.show()
