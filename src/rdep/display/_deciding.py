"""Display of the feature, or member of an ordering, that decides at each point of a plane."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._base._validation import feature_names
from ..inspection import ExplainedClassifier
from ._drawing import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    YELLOW,
    Display,
    draw_points,
    finish_plane,
    require_matplotlib,
)
from ._estimators import as_given, samples_of, shown_of
from ._plane import check_limits, choose_plane, limits_around

OPERATORS = ("larger", "dilation", "erosion")
_COLOURS = (SKY, ORANGE, GREEN, PURPLE, YELLOW, BLUE, VERMILLION)
_HATCHES = {"dilation": "///", "erosion": ".."}


class DecidingDisplay(Display):
    """The plane divided by the coordinate that determines the decision, as in ``explain``.

    A coordinate is a feature of a DEP or a member of an r-DEP's ordering. Regions of the dilation
    are hatched, those of the erosion dotted, and each coordinate has its colour. With more than two
    features, the plane is a cut, with the others held fixed at ``at``; samples are projected.

    Attributes
    ----------
    x0, x1 : ndarray of shape (grid_resolution,)
        Values of the two features along the axes of the grid.
    deciding : ndarray of shape (grid_resolution, grid_resolution)
        Position in ``labels`` for every point of the grid; rows follow ``x1``.
    labels : list of (operator, coordinate)
        The pairs that determine a decision somewhere on the grid, both by name.
    coordinates : list of str
        Names of all coordinates, whether or not they determine a decision on the grid.
    decision : ndarray of shape (grid_resolution, grid_resolution)
        Decision values on the grid.
    limits : ndarray of shape (2, 2)
        Limits of the axes, ((x_low, x_high), (y_low, y_high)).
    samples : LabelledPoints
        The samples shown: ``points`` of shape (n_samples, 2), ``y`` and ``classes``.
    feature_names : pair of str
        Names of the two features shown.
    note : str or None
        Which features are held fixed, and where; None if all features are shown.
    ax_ : matplotlib Axes
        The axes of the last ``plot``.
    figure_ : matplotlib Figure
        The figure of these axes.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.display import DecidingDisplay
    >>> X, _, y, _ = load_ripley()
    >>> dep = DEPClassifier().fit(X, y)
    >>> DecidingDisplay.from_estimator(dep, X, y, operator="erosion").labels
    [('erosion', 'x0'), ('erosion', 'x1')]
    """

    __module__ = "rdep.display"

    def __init__(
        self, *, x0, x1, deciding, labels, decision, limits, samples, coordinates, feature_names,
        note,
    ):  # fmt: skip
        self.x0 = x0
        self.x1 = x1
        self.deciding = deciding
        self.labels = labels
        self.decision = decision
        self.limits = limits
        self.samples = samples
        self.coordinates = coordinates
        self.feature_names = feature_names
        self.note = note

    @classmethod
    def from_estimator(
        cls, estimator, X, y=None, *, class_of_interest=None, operator="larger",
        features=None, at=None, limits=None, grid_resolution=200, ax=None, legend=True,
    ):  # fmt: skip
        """Draw which coordinate determines the decisions of a fitted DEP or r-DEP.

        Parameters
        ----------
        estimator : DEPClassifier or RDEPClassifier
            Fitted classifier.
        X : array-like of shape (n_samples, n_features)
            Samples to show.
        y : array-like of shape (n_samples,), default=None
            Classes of the samples; None draws all samples alike.
        class_of_interest : label, default=None
            Class to show against the rest, if there are more than two.
        operator : {"larger", "dilation", "erosion"}, default="larger"
            Operator whose coordinate is shown. "larger" is the operator with the larger share of
            the decision value at each point, which determines its sign.
        features : pair of int or str, default=None
            The two features to show, by position or name. Required with more than two features.
        at : array-like of shape (n_features,), default=None
            Values at which the features not shown are held fixed; None means the medians of X.
        limits : ((x_low, x_high), (y_low, y_high)), default=None
            Limits of the axes; None fits them to the samples.
        grid_resolution : int, default=200
            Number of grid points along each axis.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        DecidingDisplay
            The display, drawn.
        """
        require_matplotlib()
        shown = shown_of(estimator, cls.__name__, class_of_interest, ExplainedClassifier)
        if operator not in OPERATORS:
            raise ValueError(f"operator must be one of {', '.join(OPERATORS)}, got {operator!r}")
        given, X = X, samples_of(estimator, X)
        plane = choose_plane(feature_names(estimator), features, at, X)
        samples = shown.samples(plane.project(X), y)
        frame = limits_around(samples.points) if limits is None else check_limits(limits)
        x0, x1, grid = plane.grid(frame, grid_resolution)
        if hasattr(estimator, "feature_names_in_"):
            grid = as_given(grid, given)
        explained = shown.estimator.explain(grid)
        by_dilation = np.abs(explained.dilation_share) >= np.abs(explained.erosion_share)
        if operator != "larger":
            by_dilation[:] = operator == "dilation"
        n_coordinates = len(explained.names)
        codes = np.where(
            by_dilation, explained.dilation_index, n_coordinates + explained.erosion_index
        )
        found, deciding = np.unique(codes, return_inverse=True)
        shape = (grid_resolution, grid_resolution)
        return cls(
            x0=x0,
            x1=x1,
            deciding=deciding.reshape(shape),
            labels=[
                (
                    "dilation" if code < n_coordinates else "erosion",
                    str(explained.names[code % n_coordinates]),
                )
                for code in found
            ],
            decision=explained.decision.reshape(shape),
            limits=frame,
            samples=samples,
            coordinates=[str(name) for name in explained.names],
            feature_names=plane.shown_names,
            note=plane.note,
        ).plot(ax, legend=legend)

    def _draw(self, legend: bool) -> None:
        # Only coordinates that decide somewhere get a colour, in their order.
        seen = [name for name in self.coordinates if any(name == by for _, by in self.labels)]
        for place, (operator, name) in enumerate(self.labels):
            colour = _COLOURS[seen.index(name) % len(_COLOURS)]
            hatch = _HATCHES[operator]
            look: dict[str, Any] = {"facecolor": (colour, 0.4), "edgecolor": colour, "linewidth": 0}
            region = self.ax_.contourf(
                self.x0, self.x1, (self.deciding == place).astype(float),
                levels=[0.5, 1.5], colors=[look["facecolor"]], hatches=[hatch], zorder=0,
            )  # fmt: skip
            region.set(edgecolor=colour, linewidth=0)
            # Contours do not add entries to a legend.
            self.ax_.fill([], [], hatch=hatch, label=f"{operator}: {name}", **look)
        draw_points(self.ax_, self.samples)
        if self.decision.min() < 0 <= self.decision.max():
            self.ax_.contour(
                self.x0, self.x1, self.decision, levels=[0.0], colors=BLACK, linewidths=2, zorder=5
            )
            self.ax_.plot([], [], color=BLACK, lw=2, label="decision boundary")
        finish_plane(self.ax_, self.limits, self.feature_names, self.note, legend)
