"""Reliability: curves of calibration of every classifier, from bins summed over folds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._utils._typing import Array
from rdep.scoring import calibration_curve

from ..analysis._names import display_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's palette, with markers: distinct for any colour vision.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


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
    return {name: calibration_curve(total) for name, total in sums.items()}


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

    figure, axes = new_figure(4.6, 5.2)
    axes.plot([0, 1], [0, 1], color="#999999", linestyle="--", linewidth=1, label="reliable")
    for (name, curve), colour, marker in zip(
        curves.items(), cycle(COLOURS), cycle(_MARKERS), strict=False
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
    legend = figure.legend(loc="outside lower left", frameon=False, fontsize=9)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return figure
