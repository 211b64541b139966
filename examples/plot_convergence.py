"""
=======================================
Training: convergence, escape, optimum
=======================================

The training objective is not convex. The convex-concave procedure descends to a critical point and
stops there. Searches along coordinates and further starts can find lower objectives, and on small
problems a search finds the global optimum and proves it.
"""

import matplotlib.pyplot as plt
import numpy as np

from rdep import DEPClassifier
from rdep.datasets import load_ripley
from rdep.display import ObjectiveDisplay

# %%
# Two overlapping clouds in six dimensions are enough for critical points that are not optimal.

rng = np.random.default_rng(1)
X = rng.normal(size=(800, 6)) + np.repeat([[0.0], [0.7]], 400, axis=0)
y = np.repeat([0, 1], 400)

models = {
    "one descent": DEPClassifier(),
    "with escape": DEPClassifier(escape=True),
    "ten starts": DEPClassifier(n_init=10, random_state=0),
}
for name, model in models.items():
    model.fit(X, y)
    dilation, erosion = model.dilation_result_, model.erosion_result_
    print(
        f"{name:12} objective {dilation.objective:.5f} and {erosion.objective:.5f} after "
        f"{dilation.n_iter} and {erosion.n_iter} steps"
    )

# %%
# The objective never increases. Steps made by an escape, a global search along one coordinate after
# the other, are marked; the procedure continues from there.

figure, axes = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained", sharey=True)
for ax, name in zip(axes, ("one descent", "with escape"), strict=True):
    ObjectiveDisplay.from_estimator(models[name], ax=ax)
    ax.set_title(name)

# %%
# In the plane an exact search finds the optimum; for up to ten features, branch and bound does.
# On every third of Ripley's points, a single descent ends at the optimum, as the certificate shows.

X, _, y, _ = load_ripley()
model = DEPClassifier().fit(X[::3], y[::3])
for operator, certificate in model.certify(X[::3], y[::3], time_limit=5).items():
    print(
        f"{operator:8} objective {certificate.objective:.6f}, none below "
        f"{certificate.lower_bound:.6f}: gap {certificate.gap:.1%}, "
        f"{'proven' if certificate.proven else 'not proven within the time limit'}"
    )
plt.show()
