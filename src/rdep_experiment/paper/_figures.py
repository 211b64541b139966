"""The paper's Figures 1 to 6: the first drawn from given weights, the others from fits.

Each is written as PNG, SVG and PDF, with its numbers as CSV, and a page compares the paper's
captions with the figures drawn here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._utils._files import write_atomically
from rdep._utils._imports import optional

from ._captions import accuracies, called, captions_page, compared
from ._worked_examples import DATASETS, WorkedExample, worked_examples

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N_FIGURES = 6
CAPTIONS = "captions.md"

_TITLES = {"ripley": "Ripley", "double_moon": "Double-moon"}
_WEIGHTS_OF_FIGURE_1: dict[str, Any] = {"w": [2, 1], "m": [1, 2.25], "beta": 0.2}
_POINTS = "panel,series,piece,x,y"
# Inches. A panel is as wide as a printed column.
_PANEL = 8.5 / 2.54
PRINT_STYLE: dict[Any, Any] = {"font.size": 8, "axes.titlesize": "medium"}


@dataclass(frozen=True)
class PaperFigure:
    """A figure, its numbers as lines of a CSV file, and findings for its caption."""

    figure: Figure
    header: str
    numbers: list[str]
    findings: list[str]


def draw_paper_figures(
    output: Path,
    run: Path,
    only: list[int] | None = None,
    formats: tuple[str, ...] | None = None,
) -> Path:
    """Draw the paper's figures and write a page that shows them.

    Parameters
    ----------
    output : Path
        Folder for all files.
    run : Path
        Folder of a run of the experiment, for Figures 5 and 6.
    only : list of int or None, default=None
        Numbers of the figures to draw; None means all.
    formats : tuple of {"png", "svg", "pdf"} or None, default=None
        Formats of the files; None means PNG.

    Returns
    -------
    Path
        The page.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    matplotlib = optional("matplotlib", "a figure of the paper", "cli")
    from ..report._figures import save

    numbers = list(range(1, N_FIGURES + 1)) if only is None else sorted(set(only))
    unknown = [number for number in numbers if not 1 <= number <= N_FIGURES]
    if unknown:
        raise ValueError(f"the paper has Figures 1 to {N_FIGURES}, not {unknown}")
    if {5, 6} & set(numbers) and not run.is_dir():
        raise ValueError(
            f"{run} is not a folder: Figures 5 and 6 show a run of the experiment, made by "
            "`rdep reproduce --output DIR`; pass it with --run, or omit these figures with "
            "--only 1,2,3,4"
        )
    output.mkdir(parents=True, exist_ok=True)
    makers = _makers(run)
    findings = {}
    for number in numbers:
        with matplotlib.rc_context(PRINT_STYLE):
            drawn = makers[number - 1]()
            save(drawn.figure, output / f"figure-{number}", formats)
        table = "\n".join([drawn.header, *drawn.numbers]) + "\n"
        write_atomically(output / f"figure-{number}.csv", table)
        findings[number] = drawn.findings
    write_atomically(output / CAPTIONS, captions_page(findings))
    return output / CAPTIONS


def _makers(run: Path) -> list[Callable[[], PaperFigure]]:
    @cache
    def fitted() -> dict[tuple[str, str], WorkedExample]:
        return {(example.dataset, example.classifier): example for example in worked_examples()}

    @cache
    def table():
        from .._reproduce import read_run
        from ..analysis._tables import cross_validated_scores

        rows, protocol, _ = read_run(run)
        return cross_validated_scores(rows, protocol)

    return [
        figure_1,
        lambda: figure_2(fitted()),
        lambda: reduced_figure("ripley", fitted()),
        lambda: reduced_figure("double_moon", fitted()),
        lambda: figure_5(table()),
        lambda: figure_6(table()),
    ]


def figure_1() -> PaperFigure:
    """Draw D(w), E(m) and the boundary of a DEP, from the weights in the paper."""
    from rdep.display import RegionsDisplay

    figure, axes = _panels(1, 1)
    display = RegionsDisplay.from_weights(
        **_WEIGHTS_OF_FIGURE_1, limits=((-4, 2), (-4, 2)), names=("x₁", "x₂"), ax=axes[0, 0]
    )
    return PaperFigure(figure, _POINTS, list(_region_lines("", display)), [])


def figure_2(fitted: dict[tuple[str, str], WorkedExample]) -> PaperFigure:
    """Draw the DEP on both data sets, with the test samples."""
    from rdep.display import RegionsDisplay

    figure, axes = _panels(1, 2)
    numbers: list[str] = []
    findings: list[str] = []
    for panel, dataset, ax in zip("ab", DATASETS, axes[0], strict=True):
        _, X, _, y = DATASETS[dataset]()
        example = fitted[dataset, "dep"]
        display = RegionsDisplay.from_estimator(example.model, X, y, ax=ax)
        ax.set_title(f"{panel}) {_TITLES[dataset]}, test samples")
        numbers += _region_lines(panel, display)
        findings.append(f"{panel}) {compared(example)}")
    return PaperFigure(figure, _POINTS, numbers, findings)


def reduced_figure(dataset: str, fitted: dict[tuple[str, str], WorkedExample]) -> PaperFigure:
    """Draw Figure 3 or 4: both r-DEPs in the reduced space and in the original space."""
    from rdep.display import BoundariesDisplay, ReducedSpaceDisplay

    rivals = {
        "ensemble_rdep": ("rbf_svc", "linear_svc", "voting_svc"),
        "bagging_rdep": ("rbf_svc_1", "rbf_svc_2", "bagging_svc"),
    }
    X_train, X_test, y_train, y_test = DATASETS[dataset]()
    figure, axes = _panels(2, 2)
    numbers: list[str] = []
    findings: list[str] = []
    for panels, (name, others), (left, right) in zip(
        ("ab", "cd"), rivals.items(), axes, strict=True
    ):
        example = fitted[dataset, name]
        reduced = ReducedSpaceDisplay.from_estimator(example.model, X_train, y_train, ax=left)
        left.set_title(f"{panels[0]}) {called(name)}: reduced space")
        boundaries = BoundariesDisplay.from_estimators(
            {called(other): fitted[dataset, other].model for other in (name, *others)},
            X_test, y_test, grid_resolution=250, ax=right,
        )  # fmt: skip
        right.set_title(f"{panels[1]}) {called(name)} and others: test samples")
        numbers += [*_region_lines(panels[0], reduced), *_boundary_lines(panels[1], boundaries)]
        findings.append(f"{panels[0]}) {compared(example)}")
        findings += [
            f"{panels[1]}) {called(other)}: {accuracies(fitted[dataset, other])}"
            for other in others
        ]
    return PaperFigure(figure, _POINTS, numbers, findings)


def figure_5(table) -> PaperFigure:
    """Draw the Hasse diagram of the t-tests on the means of a run."""
    from ..analysis import _statistics as statistics
    from ..analysis._names import display_name
    from ..report._figures import hasse_diagram
    from ..report._page import CONFIDENCE

    tests = statistics.one_sided_t(table.complete, CONFIDENCE)
    order = statistics.hasse(tests.beats)
    edges = sorted(order.graph.edges)
    return PaperFigure(
        hasse_diagram(order),
        "better,worse,p_value",
        [f"{better},{worse},{tests.p_values.loc[better, worse]:.6g}" for better, worse in edges],
        [f"{display_name(better)} above {display_name(worse)}" for better, worse in edges],
    )


def figure_6(table) -> PaperFigure:
    """Draw the box plot of the means of a run."""
    from ..analysis._names import display_name
    from ..analysis._tables import csv_text
    from ..report._figures import box_plot

    means = table.complete
    header, *lines = csv_text(means.reset_index(names="dataset")).splitlines()
    averages = (f"{display_name(name)} {mean:.3f}" for name, mean in means.mean().items())
    findings = ["Averages: " + ", ".join(averages)]
    if "dep" in means:
        highest = means["dep"].nlargest(3).items()
        named = ", ".join(f"{dataset} {score:.2f}" for dataset, score in highest)
        findings.append(f"The highest of the DEP: {named}")
    figure = box_plot(means, table.metric)
    figure.set_size_inches(2 * _PANEL, _PANEL)
    return PaperFigure(figure, header, lines, findings)


def _panels(n_rows: int, n_columns: int) -> tuple[Figure, np.ndarray[Any, np.dtype[Any]]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_PANEL * n_columns, 0.95 * _PANEL * n_rows), layout="constrained")
    return figure, figure.subplots(n_rows, n_columns, squeeze=False)


def _region_lines(panel: str, display) -> Iterator[str]:
    yield from _sample_lines(panel, display.samples)
    for name, box in (("D(w)", display.dilation_box), ("E(m)", display.erosion_box)):
        # Opposite corners, infinite where the region is unbounded.
        yield from (_line(panel, name, 0, corner) for corner in box.T)
    yield from (_line(panel, "decision boundary", 0, point) for point in display.boundary)


def _boundary_lines(panel: str, display) -> Iterator[str]:
    yield from _sample_lines(panel, display.samples)
    for name, pieces in display.boundaries.items():
        for number, piece in enumerate(pieces):
            yield from (_line(panel, name, number, point) for point in piece)


def _sample_lines(panel: str, samples) -> Iterator[str]:
    if samples is not None:
        for point, label in zip(samples.points, samples.y, strict=True):
            yield _line(panel, f"class {label}", 0, point)


def _line(panel: str, series: str, piece: int, point) -> str:
    return f"{panel},{series},{piece},{point[0]:.5g},{point[1]:.5g}"
