"""The paper's worked examples: what it printed beside what this package gets, and a picture.

Run it with ``make demo``, or ``python examples/worked_examples.py [FILE.png]``.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from rdep import RDEPClassifier
from rdep.datasets import load_ripley, make_double_moon
from rdep.experiment.worked_examples import format_table, worked_examples

# Okabe and Ito's colours, told apart by everyone.
NEGATIVE, POSITIVE = "#0072B2", "#D55E00"
INSIDE_D, INSIDE_E = "#8A63B8", "#E8C12F"


def draw_plane(ax, dep, X, y, title, names):
    """Samples, the regions D(w) and E(m), and the boundary of a DEP of two features."""
    low, high = X.min(axis=0), X.max(axis=0)
    room = 0.08 * (high - low)
    x0, x1 = (
        np.linspace(low[0] - room[0], high[0] + room[0], 400),
        np.linspace(low[1] - room[1], high[1] + room[1], 400),
    )
    grid = np.stack(np.meshgrid(x0, x1), axis=-1)
    inside_d = (grid + dep.dilation_weights_).max(axis=-1) < 0
    inside_e = (grid + dep.erosion_weights_).min(axis=-1) >= 0
    for inside, colour in ((inside_d, INSIDE_D), (inside_e, INSIDE_E)):
        shade = np.where(inside, 1.0, np.nan)
        ax.pcolormesh(x0, x1, shade, cmap=ListedColormap([colour]), alpha=0.35, rasterized=True)
    draw_samples(ax, X, y)
    tau = dep.decision_function(grid.reshape(-1, 2)).reshape(grid.shape[:2])
    ax.contour(x0, x1, tau, levels=[0.0], colors="black", linewidths=1.8)
    ax.set(title=title, xlabel=names[0], ylabel=names[1])


def draw_samples(ax, X, y):
    for label, colour, marker in ((0, NEGATIVE, "o"), (1, POSITIVE, "^")):
        points = X[y == label]
        ax.scatter(
            *points.T, s=9, c=colour, marker=marker, alpha=0.7, linewidths=0, rasterized=True
        )


def draw_boundary(ax, model: RDEPClassifier, X, y, title):
    """Samples in the original plane and the boundary of an r-DEP."""
    low, high = X.min(axis=0), X.max(axis=0)
    x0, x1 = (np.linspace(low[j] - 0.1, high[j] + 0.1, 300) for j in (0, 1))
    grid = np.stack(np.meshgrid(x0, x1), axis=-1)
    draw_samples(ax, X, y)
    tau = model.decision_function(grid.reshape(-1, 2)).reshape(grid.shape[:2])
    ax.contour(x0, x1, tau, levels=[0.0], colors="black", linewidths=1.8)
    ax.set(title=title, xlabel="$x_1$", ylabel="$x_2$")


def draw(path: Path, examples) -> None:
    fitted = {(example.dataset, example.classifier): example for example in examples}
    figure, axes = plt.subplots(2, 3, figsize=(13.5, 8), layout="constrained")
    data = {"ripley": load_ripley(), "double_moon": make_double_moon()}
    titles = {"ripley": "Ripley", "double_moon": "Double-moon"}
    for row, name in zip(axes, data, strict=True):
        X_train, X_test, y_train, y_test = data[name]
        dep, rdep = fitted[name, "dep"], fitted[name, "ensemble_rdep"]
        title = titles[name]
        draw_plane(
            row[0], dep.model, X_test, y_test,
            f"{title}: DEP, test {dep.computed.test:.2f}", ("$x_1$", "$x_2$"),
        )  # fmt: skip
        draw_plane(
            row[1], rdep.model.dep_, rdep.model.reduced_space(X_train), y_train,
            f"{title}: reduced space of the ensemble r-DEP", ("RBF SVC", "linear SVC"),
        )  # fmt: skip
        draw_boundary(
            row[2], rdep.model, X_test, y_test,
            f"{title}: ensemble r-DEP, test {rdep.computed.test:.2f}",
        )  # fmt: skip
    figure.legend(
        handles=[
            plt.Line2D([], [], marker="o", ls="", color=NEGATIVE, label="negative"),
            plt.Line2D([], [], marker="^", ls="", color=POSITIVE, label="positive"),
            Patch(color=INSIDE_D, alpha=0.35, label="$D(w)$"),
            Patch(color=INSIDE_E, alpha=0.35, label="$E(m)$"),
            plt.Line2D([], [], color="black", lw=1.8, label="decision boundary"),
        ],
        loc="outside lower center",
        ncols=5,
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)


def main() -> None:
    examples = list(worked_examples())
    print("Accuracies and weights of this package, in brackets those that the paper printed.\n")
    print(format_table(examples))
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "build/worked-examples.png")
    draw(path, examples)
    print(f"\nPicture: {path}")


if __name__ == "__main__":
    main()
