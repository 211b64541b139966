"""The reliability of predicted probabilities, drawn for all classifiers that have some."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from rdep._utils._typing import Array

from ..analysis._names import display_name
from ._figures import PLAIN, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's palette, and markers: told apart with any colour vision.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


def reliability_plot(curves: dict[str, Array], classes: list[str]) -> Figure:
    """Frequency against predicted probability, in bins; on the diagonal they are the same.

    Parameters
    ----------
    curves : dict of str to array of shape (n_bins, 3)
        Mean probability, frequency and number of samples of each bin, by classifier.
    classes : list of str
        The classes. Of two, the probability is that of the second; of more, of the predicted one.

    Returns
    -------
    Figure
    """
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
