"""Certified accuracy of models with exact radii, beside boosted stumps with an exact verifier.

``python -m benchmarks.certified accuracy`` prints the share of test samples that are right and stay
so if every feature changes by 0.1, 0.25 and 0.5 standard deviations, and writes it to
results/certified/table.csv. ``python -m benchmarks.certified time`` compares the time for all radii
of 10,000 samples with the time of a prediction. RDEP_DATA_DIR names the folder of the paper's data
sets.
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, LinearDEPClassifier, RDEPClassifier
from rdep.guarantees import certified_accuracy, robustness_radius

from .measure import output, sized, some
from .problems import load

PARTS = ("accuracy", "time")
DATASETS = (
    "Banknote", "Diabetes", "Ilpd", "Haberman", "Breast Cancer Wisconsin", "Sonar", "Ionosphere",
    "Blood Transfusion", "Phoneme", "Spambase",
)  # fmt: skip
RADII = (0.0, 0.1, 0.25, 0.5)
MARGINS = (0.1, 0.5, 1.0)
MOST_ROWS, N_FOLDS = 1500, 3
MODELS = {
    "DEP": lambda margin: DEPClassifier(monotonic_cst="auto", margin=margin),
    "signed": lambda margin: RDEPClassifier("signed", DEPClassifier(margin=margin)),
    "boxes": lambda margin: RDEPClassifier("boxes", DEPClassifier(margin=margin)),
    "linear DEP": lambda margin: LinearDEPClassifier((2, 2), margin=margin),
}


def stumps_certified(model, X, y, radii):
    """Certified accuracy of boosted stumps: a sum over features, each at its worst by itself."""
    trees = [estimator.tree_ for estimator in model.estimators_[:, 0]]
    rate = model.learning_rate
    steps: dict[int, list[tuple[float, float, float]]] = {}
    total = np.zeros(len(X))
    for tree in trees:
        if tree.node_count < 3:
            total += rate * tree.value[0, 0, 0]
            continue
        left, right = (rate * tree.value[k, 0, 0] for k in (1, 2))
        steps.setdefault(tree.feature[0], []).append((tree.threshold[0], left, right))
        total += np.where(
            X[:, tree.feature[0]].astype(np.float32) <= tree.threshold[0], left, right
        )
    start = model.decision_function(X) - total
    positive = y == model.classes_[1]
    found = []
    for radius in radii:
        value = start.copy()
        for feature, of_feature in steps.items():
            cuts, left, right = (np.array(column) for column in zip(*of_feature, strict=True))
            ends = np.concatenate([[-np.inf], np.unique(cuts), [np.inf]])
            # The value between two cuts, and which of these a sample can reach.
            levels = np.where(ends[1:, None] <= cuts, left, right).sum(axis=1)
            low, high = X[:, feature, None] - radius, X[:, feature, None] + radius
            reached = (ends[:-1] < high) & (ends[1:] >= low)
            worst_low = np.where(reached, levels, np.inf).min(axis=1)
            worst_high = np.where(reached, levels, -np.inf).max(axis=1)
            value += np.where(positive, worst_low, worst_high)
        found.append(np.mean((value > 0) == positive))
    return np.array(found)


def rows_of(name):
    X, y = load(name)
    chosen = np.random.default_rng(0).permutation(len(X))[: sized(MOST_ROWS)]
    X, y = X[chosen], y[chosen]
    shares = []
    for train, test in some(StratifiedKFold(N_FOLDS, shuffle=True, random_state=1).split(X, y)):
        scaler = StandardScaler().fit(X[train])
        seen, new = scaler.transform(X[train]), scaler.transform(X[test])
        for model, make in MODELS.items():
            for margin in MARGINS:
                fitted = make(margin).fit(seen, y[train])
                shares.append((model, margin, *certified_accuracy(fitted, new, y[test], RADII)))
        stumps = GradientBoostingClassifier(max_depth=1, random_state=0).fit(seen, y[train])
        shares.append(("boosted stumps", 0.0, *stumps_certified(stumps, new, y[test], RADII)))
    frame = pd.DataFrame(shares, columns=["model", "margin", *map(str, RADII)])
    return frame.groupby(["model", "margin"], sort=False).mean().reset_index().assign(data=name)


def accuracy():
    frames = []
    for name in some(DATASETS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frames.append(rows_of(name))
        print(name, flush=True)
    table = pd.concat(frames)
    table.to_csv(output("certified") / "table.csv", index=False, float_format="%.4f")
    numbers = list(map(str, RADII))
    means = table.groupby(["model", "margin"], sort=False)[numbers].mean()
    print(f"certified accuracy by radius, means of {len(frames)} data sets")
    print(means.round(3).to_string())


def radius_time():
    rng = np.random.default_rng(0)
    y = np.arange(sized(10_000)) % 2
    X = rng.normal(size=(len(y), 30)) + 0.5 * y[:, None]
    scale = rng.uniform(0.5, 2, 30)
    models = {"DEP": DEPClassifier(), "boxes": RDEPClassifier("boxes"),
              "linear DEP": LinearDEPClassifier((2, 2), max_iter=3)}  # fmt: skip
    for name, model in models.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X[:500], y[:500])
        for what, given in (("units of 1", None), ("other units", scale)):
            seconds = {"predict": [], "radii": []}
            for _ in range(1 if sized(2) < 2 else 5):
                for key, call in (
                    ("predict", lambda model=model: model.predict(X)),
                    (
                        "radii",
                        lambda model=model, given=given: robustness_radius(model, X, scale=given),
                    ),
                ):
                    started = time.process_time()
                    call()
                    seconds[key].append(time.process_time() - started)
            one, all_radii = (np.median(seconds[key]) for key in ("predict", "radii"))
            print(f"{name}, {what}: radii {1e3 * all_radii:.1f} ms, predict {1e3 * one:.1f} ms, "
                  f"ratio {all_radii / one:.1f}")  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    asked = (sys.argv[1:] if arguments is None else arguments) or PARTS
    for part in asked:
        {"accuracy": accuracy, "time": radius_time}[part]()


if __name__ == "__main__":
    main()
