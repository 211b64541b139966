"""Figures of an experiment, drawn from its tables and statistics.

All colours are from Okabe and Ito's palette, or diverge from orange to purple. They are distinct
for any colour vision, and points and lines are distinct in black and white, too.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._utils._files import write_atomically
from rdep._utils._imports import optional

from ..analysis._names import display_name, name_beside_defaults
from ..analysis._statistics import FriedmanTest, Hasse

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BLUE, _VERMILLION, _INK, _PALE = "#0072B2", "#D55E00", "#222222", "#DCE9F2"

# Formats of figures, with the metadata that keep dates and versions out of the files.
FORMATS: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
BY_DEFAULT: tuple[str, ...] = ("png",)

# Data set names are text: a dollar sign in one of them must not start a formula.
PLAIN: dict[str, Any] = {"parse_math": False}

_FEWEST_DECADES = 2

# Maximum number of ranks or classifiers whose labels are readable in an upright figure.
_MOST_TICKS = 12

# Difference with the strongest colour, the same in every run, so that figures can be compared.
_STRONG = 0.1

# Inches. A passage is the place where a long line crosses a layer.
_BOX_WIDTH, _BOX_HEIGHT, _BOX_GAP, _LAYER_GAP, _PASSAGE = 1.15, 0.5, 0.25, 0.6, 0.4
_STARTS = 20
_MOST_SWAPS = 4000  # in one round of all starts


def box_plot(means: pd.DataFrame, metric: str = "balanced_accuracy", of: str = "Mean ") -> Figure:
    """Plot scores of each classifier as boxes, with means of data sets, or folds, as points."""
    n_classifiers = means.shape[1]
    upright = n_classifiers <= _MOST_TICKS
    size = (max(5.0, 1.15 * n_classifiers + 0.8), 4.4) if upright else (7.5, 0.4 * n_classifiers)
    figure, axes = new_figure(*size)
    positions = np.arange(n_classifiers)
    axes.boxplot(
        means.to_numpy(),
        orientation="vertical" if upright else "horizontal",
        positions=positions,
        widths=0.62,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": _PALE, "edgecolor": _INK},
        whiskerprops={"color": _INK},
        capprops={"color": _INK},
        medianprops={"color": _VERMILLION, "linewidth": 2.2},
    )
    offsets = _spread(len(means), 0.22)
    for position, scores in zip(positions, means.to_numpy().T, strict=True):
        points = (position + offsets, scores) if upright else (scores, position + offsets)
        axes.scatter(*points, s=15, color=_BLUE, alpha=0.75, linewidth=0, zorder=3)
    label = f"{of}{metric.replace('_', ' ')}"
    if upright:
        axes.set_xticks(positions, [_wrapped(name) for name in means.columns], **PLAIN)
        axes.set_ylabel(label, **PLAIN)
    else:
        axes.set_yticks(positions, map(display_name, means.columns), **PLAIN)
        axes.set_xlabel(label, **PLAIN)
        axes.invert_yaxis()
    axes.grid(axis="y" if upright else "x", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    return figure


def difference_plot(differences: pd.DataFrame) -> Figure:
    """Plot our mean minus the published mean, data sets × classifiers, NaN if missing."""
    datasets, classifiers = list(differences.index), list(differences.columns)
    values = differences.to_numpy(dtype=float)
    figure, axes = new_figure(2.9 + 0.82 * len(classifiers), 1.1 + 0.26 * len(datasets))
    axes.set_facecolor("#BBBBBB")
    edges = [np.arange(size + 1) - 0.5 for size in reversed(values.shape)]
    colours: dict[str, Any] = {"cmap": "PuOr", "vmin": -_STRONG, "vmax": _STRONG}
    axes.pcolormesh(*edges, np.ma.masked_invalid(values), edgecolors="white", lw=0.4, **colours)
    axes.invert_yaxis()
    for (i, j), value in np.ndenumerate(values):
        text = "missing" if np.isnan(value) else "0" if value == 0 else f"{value:+.2f}"
        # Both ends of the colour map are dark.
        ink = "white" if abs(value) > 0.65 * _STRONG else _INK
        axes.text(j, i, text.replace("-", "−"), ha="center", va="center", color=ink, fontsize=7.5)
    axes.set_xticks(range(len(classifiers)), [_wrapped(name) for name in classifiers], **PLAIN)
    axes.xaxis.tick_top()
    axes.set_yticks(range(len(datasets)), datasets, **PLAIN)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"ours − published; colours are strongest from ±{_STRONG:.2f} on")
    return figure


def averages_plot(
    averages: pd.DataFrame, reference: str, metric: str = "balanced_accuracy"
) -> Figure:
    """Plot average scores, or errors, the best at the top, with the reference marked."""
    chosen = averages.dropna(subset=["mean"])
    chosen = chosen.sort_values("mean", kind="stable")
    is_error = metric.startswith("neg_")
    if is_error:
        chosen = chosen.assign(mean=-chosen["mean"])
    figure, axes = new_figure(7.5, 1.1 + 0.3 * len(chosen))
    rows = np.arange(len(chosen))
    ours = chosen.index == reference
    worst = chosen["mean"].iloc[0] if len(chosen) else 0.0
    axes.hlines(rows, worst, chosen["mean"], color="#BBBBBB", lw=1.5)
    for these, marker, colour in ((~ours, "o", _BLUE), (ours, "s", _VERMILLION)):
        axes.scatter(
            chosen["mean"][these], rows[these], s=36, marker=marker, color=colour, zorder=3
        )
    for row, value in zip(rows, chosen["mean"], strict=True):
        axes.annotate(
            f"{value:.3f}", (value, row), xytext=(7, 0), textcoords="offset points", va="center"
        )
    axes.margins(x=0.08)
    axes.set_yticks(rows, map(name_beside_defaults, chosen.index), **PLAIN)
    if is_error:
        axes.invert_xaxis()
    axes.set_xlabel(f"Average {metric.removeprefix('neg_').replace('_', ' ')}")
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    return figure


def collections_plot(means: pd.DataFrame, reference: str) -> Figure:
    """Means on each collection of data sets and over all of them, the best classifier on top."""
    ordered = means.dropna(subset=["all"]).sort_values("all")
    figure, axes = new_figure(7.5, 0.24 * len(ordered) + 1.1)
    lines = np.arange(len(ordered))
    for marker, name in zip("o^sv", ordered.columns.drop("all"), strict=False):
        axes.scatter(ordered[name], lines, s=16, marker=marker, color=_BLUE, alpha=0.7, label=name)
    is_reference = ordered.index == reference
    axes.scatter(
        ordered["all"],
        lines,
        s=np.where(is_reference, 90, 40),
        marker="D",
        color=np.where(is_reference, _VERMILLION, _INK),
        label="together",
        zorder=3,
    )
    axes.set_yticks(lines, [name_beside_defaults(name) for name in ordered.index], fontsize=8)
    axes.set_xlabel("Mean balanced accuracy")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="lower right", fontsize=8)
    return figure


def times_plot(times: pd.DataFrame, classifiers: Sequence[str]) -> Figure:
    """Plot seconds to fit and predict one fold: a point for each data set, bars at medians."""
    several = times["dataset"].nunique() > 1
    figure, axes = new_figure(7.5 if several else 4.6, 1.3 + 0.62 * len(classifiers))
    kinds = [
        ("fit_seconds", "fit", "o", _BLUE, -0.18),
        ("predict_seconds", "predict", "s", _VERMILLION, 0.18),
    ]
    for column, label, marker, colour, shift in kinds:
        for row, classifier in enumerate(classifiers):
            # A coarse clock may measure zero on a small data set, which has no logarithm.
            seconds = times.loc[times["classifier"] == classifier, column].clip(lower=1e-6)
            axes.scatter(
                seconds,
                row + shift + _spread(len(seconds), 0.1),
                s=16,
                marker=marker,
                color=colour,
                alpha=0.65,
                linewidth=0,
                label=label if row == 0 else None,
            )
            if not several:
                continue
            middle = seconds.median()
            axes.plot([middle] * 2, [row + shift - 0.17, row + shift + 0.17], color=_INK, lw=2)
    axes.set_xscale("log")
    low, high = np.log10(axes.get_xlim())
    wider = max(0.0, _FEWEST_DECADES - (high - low)) / 2
    axes.set_xlim(10 ** (low - wider), 10 ** (high + wider))
    axes.xaxis.set_major_formatter(lambda seconds, _: _duration(seconds))
    axes.set_yticks(range(len(classifiers)), map(display_name, classifiers), **PLAIN)
    axes.invert_yaxis()
    axes.set_xlabel(f"Time for one fold{' (bars: median over the data sets)' if several else ''}")
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    figure.legend(loc="outside upper right", ncols=2, frameon=False)
    return figure


def critical_difference_diagram(test: FriedmanTest) -> Figure:
    """Draw average ranks on a line; bars join classifiers without a significant difference."""
    ranks = test.ranks.sort_values(kind="stable")
    count = len(ranks)
    groups = indistinguishable(ranks.to_numpy(), test.critical_difference)
    left_half = (count + 1) // 2
    first_row = -0.45 - 0.22 * len(groups)
    depth = first_row - 0.36 * (left_half - 1) - 0.3
    figure, axes = new_figure(8.0, 0.62 * (1.0 - depth) + 0.3)
    axes.set_xlim(1 - 0.34 * count, count + 0.34 * count)
    axes.set_ylim(depth, 1.0)
    axes.axis("off")
    axes.plot([1, count], [0, 0], color=_INK, lw=1.2)
    for rank in range(1, count + 1):
        axes.plot([rank, rank], [0, 0.1], color=_INK, lw=1.2)
        if count <= _MOST_TICKS or rank % 2:
            axes.text(rank, 0.16, str(rank), ha="center", va="bottom")
    for place, (classifier, rank) in enumerate(ranks.items()):
        on_left = place < left_half
        row = place if on_left else count - 1 - place
        height = first_row - 0.36 * row
        end, side = (0.85, "right") if on_left else (count + 0.15, "left")
        axes.plot([rank, rank, end], [0, height, height], color=_INK, lw=1.0)
        text = f"{display_name(str(classifier))} ({rank:.2f})"
        gap = -0.08 if on_left else 0.08
        axes.text(end + gap, height, text, ha=side, va="center", **PLAIN)
    for level, (start, stop) in enumerate(groups):
        height = -0.24 - 0.22 * level
        bounds = [ranks.iloc[start] - 0.06, ranks.iloc[stop] + 0.06]
        axes.plot(bounds, [height] * 2, color=_BLUE, lw=4.5, solid_capstyle="butt")
    ruler = [1, 1 + test.critical_difference]
    axes.plot(ruler, [0.66, 0.66], color=_INK, lw=1.6, marker="|", markersize=9)
    text = f"critical difference {test.critical_difference:.2f}"
    axes.text(sum(ruler) / 2, 0.74, text, ha="center", va="bottom")
    return figure


def indistinguishable(ranks: np.ndarray, difference: float) -> list[tuple[int, int]]:
    """First and last place of the maximal groups of ascending ranks within ``difference``."""
    stops = np.searchsorted(ranks, ranks + difference, side="right") - 1
    return [
        (start, int(stop))
        for start, stop in enumerate(stops)
        if stop > start and (start == 0 or stop > stops[start - 1])
    ]


def hasse_diagram(order: Hasse) -> Figure:
    """Draw a Hasse diagram, better classifiers above worse; only lines have a meaning."""
    if order.cycles:
        raise ValueError(f"{order.cycles} beat each other, so there is no order to draw.")
    layers, lines = _layered(order)
    places = _untangled(layers, lines)
    width = 2 * max(abs(x) for x, _ in places.values()) + _BOX_WIDTH + 0.2
    height = len(layers) * (_BOX_HEIGHT + _LAYER_GAP) - _LAYER_GAP + 0.2
    figure, axes = new_figure(width, height)
    from matplotlib.patches import FancyBboxPatch

    axes.set(
        xlim=(-width / 2, width / 2), ylim=(_BOX_HEIGHT / 2 + 0.1 - height, _BOX_HEIGHT / 2 + 0.1)
    )
    axes.set_aspect("equal")
    axes.axis("off")
    half = _BOX_HEIGHT / 2
    for line in lines:
        # Lines are vertical beside the boxes of a layer, and slope only between layers.
        corners = [
            (x, y + side) for x, y in map(places.__getitem__, line) for side in (half, -half)
        ]
        axes.plot(*zip(*corners[1:-1], strict=True), color=_INK, lw=1.2, zorder=1)
    for name in order.graph:
        x, y = places[name]
        corner = (x - _BOX_WIDTH / 2, y - half)
        shape = FancyBboxPatch(
            corner, _BOX_WIDTH, _BOX_HEIGHT, boxstyle="round,pad=0,rounding_size=0.08"
        )
        shape.set(facecolor=_PALE, edgecolor=_BLUE, linewidth=1.2, zorder=2)
        axes.add_patch(shape)
        axes.text(x, y, _wrapped(name), ha="center", va="center", fontsize=9, zorder=3, **PLAIN)
    return figure


def _layered(order: Hasse) -> tuple[list[list], list[list]]:
    """Layers from top to bottom, and lines as lists of points, one in each layer crossed."""
    import networkx as nx

    layers: list[list] = [list(layer) for layer in nx.topological_generations(order.graph)]
    level = {name: depth for depth, layer in enumerate(layers) for name in layer}
    lines = []
    for upper, lower in order.graph.edges:
        crossed = range(level[upper] + 1, level[lower])
        passing = [(upper, lower, depth) for depth in crossed]
        for point, depth in zip(passing, crossed, strict=True):
            layers[depth].append(point)
        lines.append([upper, *passing, lower])
    return layers, lines


def _untangled(layers: list[list], lines: list[list]) -> dict[Any, tuple[float, float]]:
    """Find places with few crossings and short lines: the best of many starts, improved by swaps.

    Large diagrams have fewer starts, because swaps take longer.
    """
    steps = [step for line in lines for step in pairwise(line)]
    shuffle = np.random.default_rng(0).permutation
    n_swaps = sum(len(layer) * (len(layer) - 1) // 2 for layer in layers)
    n_starts = min(_STARTS, _MOST_SWAPS // max(1, n_swaps))
    starts = [layers] + [
        [[layer[i] for i in shuffle(len(layer))] for layer in layers] for _ in range(n_starts)
    ]
    return min((_swapped(start, steps) for start in starts), key=lambda found: found[0])[1]


def _swapped(
    layers: list[list], steps: list[tuple]
) -> tuple[tuple[int, float], dict[Any, tuple[float, float]]]:
    """Swap within layers until no swap lowers the layout cost; return cost and places."""
    places = _places(layers)
    best = _tangle(places, steps)
    improved = True
    while improved:
        improved = False
        for layer in layers:
            for i, j in combinations(range(len(layer)), 2):
                layer[i], layer[j] = layer[j], layer[i]
                candidate = _places(layers)
                tangle = _tangle(candidate, steps)
                if tangle < best:
                    best, places, improved = tangle, candidate, True
                else:
                    layer[i], layer[j] = layer[j], layer[i]
    return best, places


def _places(layers: list[list]) -> dict[Any, tuple[float, float]]:
    places = {}
    for depth, layer in enumerate(layers):
        widths = [
            _PASSAGE if isinstance(point, tuple) else _BOX_WIDTH + _BOX_GAP for point in layer
        ]
        centres = np.cumsum(widths) - np.array(widths) / 2 - sum(widths) / 2
        for point, x in zip(layer, centres.round(6).tolist(), strict=True):
            places[point] = (x, -depth * (_BOX_HEIGHT + _LAYER_GAP))
    return places


def _tangle(places: dict[Any, tuple[float, float]], steps: list[tuple]) -> tuple[int, float]:
    """Layout cost: number of crossings, and total horizontal extent of the lines."""
    if not steps:
        return 0, 0.0
    upper, lower = np.array([[places[point] for point in step] for step in steps]).swapaxes(0, 1)
    left, depth, right = upper[:, 0], upper[:, 1], lower[:, 0]
    crossed = (left[:, None] - left) * (right[:, None] - right) < 0
    crossings = int(np.count_nonzero(crossed & (depth[:, None] == depth))) // 2
    return crossings, round(float(np.abs(left - right).sum()), 6)


def save(figure: Figure | None, path: Path, formats: Sequence[str] | None = None) -> None:
    """Write a figure in each format to ``path`` with its suffix; remove files of earlier figures.

    If the figure is None, nothing is written.
    """
    chosen = BY_DEFAULT if formats is None else formats
    for suffix in FORMATS:
        file = path.with_name(f"{path.name}.{suffix}")
        if figure is not None and suffix in chosen:
            write_atomically(file, drawing(figure, suffix))
        else:
            file.unlink(missing_ok=True)


def drawing(figure: Figure, suffix: str) -> bytes:
    """File content of a figure in one format, the same bytes for the same figure."""
    import matplotlib

    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "rdep", "pdf.fonttype": 42}):
        figure.savefig(buffer, format=suffix, dpi=150, metadata=FORMATS[suffix])
    content = buffer.getvalue()
    return with_palette(content) if suffix == "png" else content


def svg_element(figure: Figure) -> str:
    """Convert a figure to an SVG element of a page."""
    svg = drawing(figure, "svg").decode("utf-8")
    return svg[svg.index("<svg") :]


def with_palette(png: bytes) -> bytes:
    """Reduce a drawing to 256 colours: a third of the size, without a visible difference."""
    from PIL import Image  # a dependency of matplotlib

    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png)) as image:
        few = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        few.save(buffer, "PNG", optimize=True, dpi=image.info["dpi"])
    return buffer.getvalue()


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """Create a figure outside pyplot, which need not be closed."""
    module = optional("matplotlib.figure", "a figure of the report", "cli")
    figure = module.Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _wrapped(classifier: str) -> str:
    return fill(display_name(classifier), 11, break_long_words=False)


def _spread(count: int, width: float) -> np.ndarray:
    """Deterministic offsets that keep neighbours apart: multiples of the golden ratio."""
    return width * (2 * (np.arange(count) * 0.6180339887 % 1) - 1)


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.999 * size:
            return f"{seconds / size:g} {unit}"
    return f"{seconds * 1e6:g} µs"
