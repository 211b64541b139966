"""Certified accuracy of models with exact radii, beside boosted stumps and a network.

``python -m benchmarks.certified accuracy`` measures the share of test samples that are right and
stay so if every feature changes by up to one standard deviation of the training set, on ten of the
paper's data sets. Boosted stumps have an exact verifier as well: their minimum over a box is a sum
of minima over one feature each. The table and the figure are in results/certified.

``python -m benchmarks.certified time`` compares the time for all radii of 10,000 samples with the
time of a prediction, and ``python -m benchmarks.certified network`` the time for the radius of a
sample with that of a mixed-integer programme for a small network. RDEP_DATA_DIR names the folder of
the data sets.
"""

from __future__ import annotations

import sys
import time
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from scipy.optimize import Bounds, LinearConstraint, milp
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, LinearDEPClassifier, RDEPClassifier
from rdep.display._drawing import LINES
from rdep.guarantees import certified_accuracy, robustness_radius

from .measure import output, sized, some
from .problems import load
from .report import save

PARTS = ("accuracy", "time", "network")
DATASETS = (
    "Banknote", "Diabetes", "Ilpd", "Haberman", "Breast Cancer Wisconsin", "Sonar", "Ionosphere",
    "Blood Transfusion", "Phoneme", "Spambase",
)  # fmt: skip
RADII = np.linspace(0, 1, 21).round(2)
SHOWN = ["0.0", "0.1", "0.25", "0.5", "1.0"]
MARGINS = (0.1, 0.5, 1.0)
MOST_ROWS, N_FOLDS = 1500, 3
MODELS = {
    "DEP": lambda margin: DEPClassifier(monotonic_cst="auto", margin=margin),
    "signed": lambda margin: RDEPClassifier("signed", DEPClassifier(margin=margin)),
    "boxes": lambda margin: RDEPClassifier("boxes", DEPClassifier(margin=margin)),
    "linear DEP": lambda margin: LinearDEPClassifier((2, 2), margin=margin),
}
STUMPS = "boosted stumps"


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
        shares.append((STUMPS, 0.0, *stumps_certified(stumps, new, y[test], RADII)))
    frame = pd.DataFrame(shares, columns=["model", "margin", *map(str, RADII)])
    return frame.groupby(["model", "margin"], sort=False).mean().reset_index()


def accuracy():
    frames = {}
    for name in some(DATASETS):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frames[name] = rows_of(name)
        print(name, flush=True)
    table = pd.concat(frames, names=["data set", None]).reset_index(level=0)
    folder = output("certified")
    columns = ["data set", "model", "margin", *SHOWN]
    table[columns].to_csv(folder / "table.csv", index=False, float_format="%.3f")
    means = table.groupby(["model", "margin"], sort=False)[list(map(str, RADII))].mean()
    draw(means, len(frames), folder / "curves.png")
    print(f"certified accuracy by radius, means of {len(frames)} data sets")
    print(means[SHOWN].round(3).to_string())


def draw(means, n_datasets, path):
    """One panel for each model, with a curve for each margin and the one of the stumps."""
    figure, panels = plt.subplots(2, 2, figsize=(7.5, 6), sharex=True, sharey=True)
    for axes, model in zip(panels.flat, MODELS, strict=True):
        for (colour, style), margin in zip(LINES, MARGINS, strict=False):
            shares = means.loc[model, margin]
            axes.plot(RADII, shares, color=colour, linestyle=style, label=f"margin {margin}")
        colour, style = LINES[3]
        axes.plot(RADII, means.loc[STUMPS, 0.0], color=colour, linestyle=style, label=STUMPS)
        axes.set(title=model, ylim=(0, 1), xlim=(0, 1))
        axes.grid(alpha=0.3)
    figure.supxlabel("change of every feature, in standard deviations")
    figure.supylabel(f"certified accuracy, mean of {n_datasets} data sets")
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 0.95))
    save(figure, path)
    plt.close(figure)


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
            for _ in range(1 if sized(2) < 2 else 25):
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


def network_radius(network, x):
    """The radius of a sample under a network with one hidden layer, by HiGHS.

    The variables are the steps, the hidden values, which of these are positive, and the radius. The
    programme is limited to a box, which grows until it holds a sample of the other class.
    """
    (W, v), (b, c) = network.coefs_, network.intercepts_
    n, h = W.shape
    sign = 1.0 if network.predict(x[None])[0] == network.classes_[1] else -1.0
    reach = 0.05
    while True:
        at, width = x @ W + b, reach * np.abs(W).sum(axis=0)
        least, most = np.minimum(at - width, 0), np.maximum(at + width, 0)
        steps, hidden, active = np.eye(n), np.eye(h), np.eye(h)
        none = np.zeros((h, 1))
        rows = [
            # |step| ≤ radius
            (np.hstack([steps, np.zeros((n, 2 * h)), -np.ones((n, 1))]), -np.inf, 0.0),
            (np.hstack([-steps, np.zeros((n, 2 * h)), -np.ones((n, 1))]), -np.inf, 0.0),
            # hidden ≥ Wx + b; ≤ Wx + b where active; ≤ 0 where not
            (np.hstack([-W.T, hidden, 0 * active, none]), at, np.inf),
            (np.hstack([-W.T, hidden, -least * active, none]), -np.inf, at - least),
            (np.hstack([0 * W.T, hidden, -most * active, none]), -np.inf, 0.0),
            (np.hstack([np.zeros(n), sign * v[:, 0], np.zeros(h + 1)])[None], -np.inf, -sign * c),
        ]
        found = milp(
            np.append(np.zeros(n + 2 * h), 1.0),
            integrality=np.repeat([0, 1, 0], [n + h, h, 1]),
            bounds=Bounds(
                np.concatenate([np.full(n, -reach), np.zeros(2 * h + 1)]),
                np.concatenate([np.full(n, reach), most, np.ones(h), [reach]]),
            ),
            constraints=[LinearConstraint(*row) for row in rows],
            options={"mip_rel_gap": 0.0},
        )
        if found.x is not None:
            return found.fun, x + found.x[:n] * (1 + 1e-4)
        reach *= 2


def network_time():
    X, y = load_breast_cancer(return_X_y=True)
    X, new, y, y_new = train_test_split(X, y, test_size=0.3, random_state=0)
    scaler = StandardScaler().fit(X)
    X, new = scaler.transform(X), scaler.transform(new)
    network = MLPClassifier((8,), alpha=1.0, max_iter=3000, random_state=0).fit(X, y)
    chosen = new[: sized(30)]
    started, n_flipped = time.process_time(), 0
    for x in chosen:
        before, after = network.predict(np.array([x, network_radius(network, x)[1]]))
        n_flipped += before != after
    each = (time.process_time() - started) / len(chosen)
    print(f"{n_flipped} of {len(chosen)} samples of the network flip just beyond their radius")
    print(f"network: accuracy {network.score(new, y_new):.3f}, {each:.2g} s for each radius")
    many = np.tile(new, (sized(60), 1))
    for name, model in (
        ("DEP", DEPClassifier(monotonic_cst="auto")),
        ("linear DEP", LinearDEPClassifier((2, 2), margin=0.5)),
    ):
        model.fit(X, y)
        seconds = []
        for _ in range(sized(5)):
            started = time.process_time()
            robustness_radius(model, many)
            seconds.append((time.process_time() - started) / len(many))
        one = np.median(seconds)
        print(f"{name}: accuracy {model.score(new, y_new):.3f}, {one:.2g} s for each radius, "
              f"ratio {each / one:.0f}")  # fmt: skip


def main(arguments: list[str] | None = None) -> None:
    asked = (sys.argv[1:] if arguments is None else arguments) or PARTS
    for part in asked:
        {"accuracy": accuracy, "time": radius_time, "network": network_time}[part]()


if __name__ == "__main__":
    main()
