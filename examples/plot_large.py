"""
============
Many samples
============

The time for training an SVC grows with the square of the number of samples; that for training a DEP
does not. ``LargeOrdering`` has members with the same three kernels that are fitted in one pass over
the samples.
"""

from time import perf_counter

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split

from rdep import DEPClassifier, LargeOrdering, RDEPClassifier

X, y = make_classification(
    30_000, n_features=12, n_informative=8, n_clusters_per_class=3, class_sep=0.8, random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=10_000, random_state=0)

# %%
# More landmarks approximate the kernel better. ``ordering="large"`` has 2000 of them, for up to a
# million samples; some hundreds are enough for a first fit.

candidates = {
    "SVCs (ensemble)": RDEPClassifier("ensemble"),
    "large, 100 landmarks": RDEPClassifier(LargeOrdering(100, random_state=0)),
    "large, 400 landmarks": RDEPClassifier(LargeOrdering(400, random_state=0)),
}
sizes = {
    "SVCs (ensemble)": [1000, 2000, 4000],
    "large, 100 landmarks": [1000, 4000, 20_000],
    "large, 400 landmarks": [1000, 4000, 20_000],
}
seconds, scores = {}, {}
for name, model in candidates.items():
    seconds[name], scores[name] = [], []
    for size in sizes[name]:
        start = perf_counter()
        model.fit(X_train[:size], y_train[:size])
        seconds[name].append(perf_counter() - start)
        scores[name].append(balanced_accuracy_score(y_test, model.predict(X_test)))
        print(f"{name:22} {size:6} samples {seconds[name][-1]:6.2f} s {scores[name][-1]:.3f}")

# %%
# Seconds depend on the machine, the slopes hardly do. In the same time the large ordering is fitted
# on many more samples. A hundred landmarks are too few here: more samples do not compensate.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
for name, marker in zip(candidates, "so^", strict=True):
    left.loglog(sizes[name], seconds[name], marker + "-", label=name)
    right.semilogx(sizes[name], scores[name], marker + "-", label=name)
left.set(xlabel="training samples", ylabel="seconds to fit")
right.set(xlabel="training samples", ylabel="balanced accuracy on 10,000 others")
left.legend()

# %%
# A DEP alone, on all training samples:

start = perf_counter()
DEPClassifier(monotonic_cst="auto").fit(X_train, y_train)
print(f"DEP on {len(X_train)} x {X.shape[1]}: {perf_counter() - start:.2f} s")
plt.show()
