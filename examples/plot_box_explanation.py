"""
=================================
Why a box, and not the runner-up
=================================

A prediction by boxes rests on one face of one box, and on one face of a box of the runner-up.
``explain`` names both. If the two depths of a sample are nearly equal, the prediction is a close
one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from rdep import CompetitiveClassifier

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
scaler = StandardScaler().set_output(transform="pandas").fit(X_train)
model = CompetitiveClassifier("ccp", gamma=0.1, n_boxes=1, random_state=0)
model.fit(scaler.transform(X_train), y_train)
print(f"accuracy {model.score(scaler.transform(X_test), y_test):.3f}")

# %%
# The samples with the closest decisions, and the faces that decided them.

explanation = model.explain(scaler.transform(X_test)).to_frame()
lead = explanation["depth"] - explanation["runner_up_depth"]
columns = ["prediction", "feature", "side", "runner_up", "runner_up_feature", "runner_up_side"]
closest = explanation.assign(lead=lead.round(3), truth=y_test).nsmallest(5, "lead")
print(closest[["truth", "lead", *columns]].to_string(index=False))

# %%
# Errors are near the line of equal depths.

figure, ax = plt.subplots(layout="constrained")
is_right = (explanation["prediction"] == y_test).to_numpy()
for chosen, marker, label in ((is_right, "o", "right"), (~is_right, "X", "wrong")):
    ax.scatter(
        explanation["depth"][chosen], explanation["runner_up_depth"][chosen],
        marker=marker, label=label,
    )  # fmt: skip
ax.axline((-1, -1), slope=1, color="0.5", lw=1)
ax.set(xlabel="depth in the boxes of the class predicted", ylabel="depth in those of the runner-up")
ax.legend()
plt.show()
