"""Reliability: predicted probabilities and observed frequencies, in bins summed over folds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._utils._typing import Array, Indices

from ..analysis._names import display_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_BINS = 10
# Okabe and Ito's palette, with markers: distinct for any colour vision.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


def binned(probabilities: Array, y: Indices) -> list[list[float]]:
    """Number of samples, sum of probabilities and number of events, for each bin.

    With two classes, the event is class 1. With more, the event is that the predicted class is
    right.

    Parameters
    ----------
    probabilities : array of shape (n_samples, n_classes)
        Predicted probabilities.
    y : array of shape (n_samples,)
        The classes, as column indices.

    Returns
    -------
    list of [int, float, int]
        Ten bins of equal width.
    """
    if probabilities.shape[1] == 2:
        chosen, true = probabilities[:, 1], y == 1
    else:
        chosen, true = probabilities.max(axis=1), y == probabilities.argmax(axis=1)
    edges = np.linspace(0.0, 1.0, N_BINS + 1)[1:-1]
    bins = np.searchsorted(edges, chosen)
    sums = [np.bincount(bins, weights, N_BINS) for weights in (None, chosen, true)]
    return [
        [int(count), float(total), int(n_true)] for count, total, n_true in zip(*sums, strict=True)
    ]


def reliability_curves(rows: Iterable[Mapping[str, Any]]) -> dict[str, Array]:
    """Mean probability, frequency and number of samples of every non-empty bin, by classifier.

    Parameters
    ----------
    rows : iterable of dict
        The rows of one data set; rows without ``reliability`` are left out.

    Returns
    -------
    dict of str to array of shape (n_bins, 3)
        All folds together.
    """
    sums: dict[str, Array] = {}
    for row in rows:
        if row.get("reliability"):
            name = row["classifier"]
            sums[name] = sums.get(name, 0) + np.array(row["reliability"], dtype=float)
    curves = {}
    for name, total in sums.items():
        count, probability, true = total[total[:, 0] > 0].T
        curves[name] = np.column_stack([probability / count, true / count, count])
    return curves


def reliability_plot(curves: dict[str, Array], classes: list[str]) -> Figure:
    """Plot frequency against predicted probability, in bins; on the diagonal they are equal.

    Parameters
    ----------
    curves : dict of str to array of shape (n_bins, 3)
        Mean probability, frequency and number of samples of each bin, by classifier.
    classes : list of str
        The classes. The probability is that of the second of two classes, or that of the predicted
        class if there are more.

    Returns
    -------
    Figure
    """
    from ._figures import PLAIN, new_figure

    figure, axes = new_figure(6.5, 5.2)
    axes.plot([0, 1], [0, 1], color="#999999", linestyle="--", linewidth=1, label="reliable")
    for (name, curve), colour, marker in zip(
        curves.items(), cycle(_COLOURS), cycle(_MARKERS), strict=False
    ):
        axes.plot(
            curve[:, 0],
            curve[:, 1],
            color=colour,
            marker=marker,
            markersize=5,
            linewidth=1.2,
            label=display_name(name),
        )
    chosen = f"class {classes[1]}" if len(classes) == 2 else "the predicted class"
    axes.set_xlabel(f"Mean predicted probability of {chosen}", **PLAIN)
    axes.set_ylabel("Share of samples that are of this class", **PLAIN)
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.grid(color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    legend = figure.legend(loc="outside right upper", frameon=False)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure
