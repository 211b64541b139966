"""Axes, samples and colours shared by all displays.

The colours are those of Okabe and Ito, which colour-blind readers can tell apart. Markers, hatches
and line styles differ as well, for print in black and white.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from dataclasses import dataclass, replace
from itertools import cycle
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from .._base._record import THE_REST
from .._utils._imports import optional
from .._utils._typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
INK = "#333333"

LINES: tuple[tuple[str, Any], ...] = (
    (BLACK, "-"),
    (BLUE, "--"),
    (GREEN, "-."),
    (VERMILLION, ":"),
    (PURPLE, (0, (6, 1.5, 1, 1.5, 1, 1.5))),
    (ORANGE, (0, (8, 2))),
    (SKY, (0, (3, 1))),
)

# Names of features and classes are text: a dollar sign in one of them must not start a formula.
PLAIN: dict[str, Any] = {"parse_math": False}

# Colours and markers of the classes: 7 colours and 8 markers give 56 different combinations.
_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, BLACK, SKY)
_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "*")

# Areas of points, in square points: for few samples, and for many, which would otherwise overlap.
_LARGEST_POINT, _SMALLEST_POINT, _CROWD = 16.0, 5.0, 250
# Number of points from which a vector file is slow to open.
_RASTERISE_FROM = 200


@dataclass(frozen=True, eq=False)
class LabelledPoints:
    """Samples on a plane, with their classes if these are known."""

    points: Array  # (n_samples, 2)
    y: NDArray | None
    classes: NDArray  # the negative class first if there are two; empty without y
    names: tuple[str, ...] = ()  # names of the classes in the legend

    @classmethod
    def from_samples(
        cls, points: Array, y: ArrayLike | None, classes: NDArray | None = None
    ) -> LabelledPoints:
        if y is None:
            return cls(points, None, np.empty(0))
        labels = np.asarray(y)
        check_consistent_length(points, labels)
        known = np.unique(labels) if classes is None else classes
        unknown = np.setdiff1d(labels, known)
        if len(unknown):
            raise ValueError(
                f"y has classes that the model was not fitted on: {unknown.tolist()}; the model "
                f"was fitted on {known.tolist()}"
            )
        return cls(points, labels, known, tuple(map(str, known)))

    def against_the_rest(self, label) -> LabelledPoints:
        """Return the samples with two classes: ``label`` and the rest."""
        if self.y is None:
            return self
        return replace(
            self, y=self.y == label, classes=np.array([False, True]), names=(THE_REST, str(label))
        )


def require_matplotlib() -> None:
    """Raise an ``ImportError`` before anything is computed, if matplotlib is missing."""
    optional("matplotlib", "a display", "plot")


def axes_for(ax) -> Axes:
    """Check the axes given by a user, or create new ones."""
    require_matplotlib()
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes

    if ax is None:
        return plt.subplots(layout="constrained")[1]
    if not isinstance(ax, Axes):
        hint = "; choose one of them" if isinstance(ax, np.ndarray | list | tuple) else ""
        raise TypeError(f"ax must be matplotlib axes, got {type(ax).__name__}{hint}")
    if ax.name != "rectilinear":
        raise ValueError(
            f"ax must be plain axes with x and y, got the projection {ax.name!r}: make them with "
            "plt.subplots()"
        )
    return ax


def draw_points(ax: Axes, samples: LabelledPoints, areas: Array | None = None) -> None:
    """Scatter the samples, each class with its own colour and marker."""
    n_samples = len(samples.points)
    if areas is None:
        area = _LARGEST_POINT * np.sqrt(_CROWD / max(n_samples, 1))
        areas = np.full(n_samples, np.clip(area, _SMALLEST_POINT, _LARGEST_POINT))
    style: dict[str, Any] = {
        "linewidths": 0.7, "zorder": 3, "rasterized": n_samples >= _RASTERISE_FROM,
    }  # fmt: skip
    if samples.y is None:
        ax.scatter(
            samples.points[:, 0], samples.points[:, 1], s=areas, color="#777777", alpha=0.7, **style
        )
        return
    sides = (" (negative)", " (positive)") if len(samples.classes) <= 2 else cycle([""])
    for k, (label, name, side) in enumerate(
        zip(samples.classes, samples.names, sides, strict=False)
    ):
        chosen = samples.y == label
        x, y = samples.points[chosen].T
        ax.scatter(x, y, s=areas[chosen], label=f"{name}{side}", **_look(k), **style)


def class_colour(place: int) -> str:
    """Colour of the class at a position."""
    return _COLOURS[place % len(_COLOURS)]


def _look(place: int) -> dict[str, Any]:
    """Marker of a class, filled and hollow in turn: the positive class of two is hollow."""
    colour, marker = class_colour(place), _MARKERS[place % len(_MARKERS)]
    if place % 2:
        return {"marker": marker, "facecolors": "none", "edgecolors": colour}
    return {"marker": marker, "color": colour, "alpha": 0.75}


def finish_plane(
    ax: Axes, limits: Array, names: tuple[str, str], note: str | None, legend: bool
) -> None:
    """Set the limits, axis labels, title and legend of a plane."""
    ax.set(xlim=limits[0], ylim=limits[1])
    ax.set_xlabel(names[0], **PLAIN)
    ax.set_ylabel(names[1], **PLAIN)
    if note is not None:
        lines = fill(note, int(_letters(ax)))
        ax.set_title(lines, fontsize="small", color=INK, **PLAIN)
    if legend:
        add_legend(ax)


def add_legend(ax: Axes) -> None:
    """Add a legend below the axes, in as many columns as fit."""
    from matplotlib.transforms import offset_copy

    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    # Line and gaps are about seven letters wide in each column.
    columns = _letters(ax) // (7 + max(map(len, labels)))
    style: dict[str, Any] = {"frameon": False, "fontsize": "small", "borderaxespad": 0}
    figure: Any = ax.figure  # or a part of one
    legend = ax.legend(
        handles, labels, loc="upper center", bbox_to_anchor=(0.5, 0.0),
        # Below the tick labels and the axis label, for any height of the axes.
        bbox_transform=offset_copy(ax.transAxes, figure, y=-4.2 * _small(), units="points"),
        ncols=int(np.clip(columns, 1, len(labels))),
        columnspacing=1.2, handletextpad=0.5, handlelength=2.6, **style,
    )  # fmt: skip
    for text in legend.get_texts():
        text.set_parse_math(False)


def _letters(ax: Axes) -> float:
    """Width of the axes in small letters; a letter is about half as wide as its font size."""
    return 72 * ax.bbox.width / ax.figure.dpi / (0.5 * _small())


def _small() -> float:
    from matplotlib.font_manager import FontProperties

    return FontProperties(size="small").get_size_in_points()


class Display(metaclass=ABCMeta):
    """Base class of the displays; subclasses hold the numbers and draw them."""

    def plot(self, ax=None, *, legend=True):
        """Draw the display into axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes. Without it,
            ``ax.get_legend_handles_labels()`` returns its entries.

        Returns
        -------
        self
            The display, with ``ax_`` and ``figure_`` set.
        """
        self.ax_ = axes_for(ax)
        self.figure_ = self.ax_.figure
        self._draw(legend)
        return self

    @abstractmethod
    def _draw(self, legend: bool) -> None:
        """Draw into ``ax_``."""
