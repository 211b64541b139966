"""Display of the boxes of every class on a plane."""

from __future__ import annotations

from itertools import chain

import numpy as np

from .._base._validation import feature_names
from .._utils._typing import Array
from ..hyperboxes import BoxClassifier
from ..lattice import best_boxes
from ._drawing import (
    Display,
    LabelledPoints,
    class_colour,
    draw_points,
    finish_plane,
    require_matplotlib,
)
from ._estimators import check_kind, samples_of
from ._plane import Plane, check_limits, choose_plane, limits_around


class BoxesDisplay(Display):
    """Boxes of a :class:`~rdep.CompetitiveClassifier` or a :class:`~rdep.DendriteClassifier`.

    They are drawn with samples, on two features. With more than two features, the plane is a cut,
    with the others held fixed at ``at``. Boxes that it misses are not drawn. Samples are projected.
    Open boxes that are excluded from a class have dashed faces, and are not shaded.

    Attributes
    ----------
    boxes : dict of label to ndarray of shape (n_boxes, 2, 2)
        Lower and upper corners of the boxes that the plane cuts, by class.
    excluded : dict of label to ndarray of shape (n_boxes, 2, 2)
        Corners of the open boxes excluded from them that the plane cuts, by class.
    n_missed : int
        Number of boxes that the plane misses.
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
    >>> from rdep import CompetitiveClassifier
    >>> from rdep.display import BoxesDisplay
    >>> X, y = [[0, 0], [1, 1], [2, 3], [3, 2]], [0, 0, 1, 1]
    >>> display = BoxesDisplay.from_estimator(CompetitiveClassifier().fit(X, y), X, y)
    >>> display.boxes[1][0]
    array([[2., 2.],
           [3., 3.]])
    """

    __module__ = "rdep.display"

    def __init__(self, *, boxes, excluded, n_missed, limits, samples, feature_names, note):
        self.boxes = boxes
        self.excluded = excluded
        self.n_missed = n_missed
        self.limits = limits
        self.samples = samples
        self.feature_names = feature_names
        self.note = note

    @classmethod
    def from_estimator(
        cls, estimator, X, y=None, *, features=None, at=None, limits=None, ax=None, legend=True
    ):
        """Draw a fitted classifier.

        Parameters
        ----------
        estimator : CompetitiveClassifier or DendriteClassifier
            Fitted classifier.
        X : array-like of shape (n_samples, n_features)
            Samples to show.
        y : array-like of shape (n_samples,), default=None
            Classes of the samples; None draws all samples alike.
        features : pair of int or str, default=None
            The two features to show, by position or name. Required with more than two features.
        at : array-like of shape (n_features,), default=None
            Values at which the features not shown are held fixed; None means the medians of X.
        limits : ((x_low, x_high), (y_low, y_high)), default=None
            Limits of the axes; None fits them to the samples.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        BoxesDisplay
            The display, drawn.
        """
        require_matplotlib()
        check_kind(estimator, cls.__name__, BoxClassifier)
        X = samples_of(estimator, X)
        plane = choose_plane(feature_names(estimator), features, at, X)
        samples = LabelledPoints.from_samples(plane.project(X), y, estimator.classes_)
        both = estimator.boxes_, estimator._excluded()
        cuts, taken_out = ([_cut(plane, of_class) for of_class in boxes] for boxes in both)
        labels = estimator.classes_.tolist()
        return cls(
            boxes=dict(zip(labels, cuts, strict=True)),
            excluded=dict(zip(labels, taken_out, strict=True)),
            n_missed=sum(map(len, chain(*both))) - sum(map(len, chain(cuts, taken_out))),
            limits=limits_around(samples.points) if limits is None else check_limits(limits),
            samples=samples,
            feature_names=plane.shown_names,
            note=plane.note,
        ).plot(ax, legend=legend)

    def _draw(self, legend: bool) -> None:
        from matplotlib.patches import Rectangle

        # Infinite faces are moved beyond the frame.
        extent = self.limits[:, 1] - self.limits[:, 0]
        frame = np.array([self.limits[:, 0] - extent, self.limits[:, 1] + extent])
        for place, (label, boxes) in enumerate(self.boxes.items()):
            colour = class_colour(place)
            excluded = self.excluded[label]
            # If boxes are excluded, the class as a whole is shaded instead of each box.
            shade = "none" if len(excluded) else (colour, 0.12)
            for lower, upper in np.clip(boxes, *frame):
                self.ax_.add_patch(
                    Rectangle(
                        tuple(lower), *(upper - lower), facecolor=shade, edgecolor=colour, lw=1.0
                    )
                )
            if len(excluded):
                self._shade(np.clip(boxes, *frame), np.clip(excluded, *frame), colour)
            if len(boxes) and self.samples.y is None:
                self.ax_.plot([], [], color=colour, label=f"boxes of {label}")
        draw_points(self.ax_, self.samples)
        note = self.note
        if self.n_missed:
            note = f"{note}; {self.n_missed} boxes missed"
        finish_plane(self.ax_, self.limits, self.feature_names, note, legend)

    def _shade(self, boxes: Array, excluded: Array, colour: str) -> None:
        """Shade the boxes without the excluded ones, whose faces are dashed."""
        from matplotlib.colors import ListedColormap
        from matplotlib.patches import Rectangle

        # Outside of the boxes nothing is excluded.
        excluded = np.clip(excluded, boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0))
        excluded = excluded[(excluded[:, 0] < excluded[:, 1]).all(axis=1)]
        both = np.concatenate([boxes, excluded])
        # Membership is constant between neighbouring faces along both axes.
        edges = [np.unique(both[:, :, axis]) for axis in (0, 1)]
        centres = np.meshgrid(*((edge[1:] + edge[:-1]) / 2 for edge in edges))
        points = np.column_stack([grid.ravel() for grid in centres])
        belongs = best_boxes(points, boxes)[0] > 0
        if len(excluded):
            belongs &= best_boxes(points, excluded)[0] < 0
        shaded = np.ma.masked_array(np.ones(len(points)), ~belongs).reshape(centres[0].shape)
        self.ax_.pcolormesh(*edges, shaded, cmap=ListedColormap([colour]), alpha=0.12, lw=0)
        for lower, upper in excluded:
            self.ax_.add_patch(
                Rectangle(
                    tuple(lower), *(upper - lower), fill=False, edgecolor=colour, lw=0.7, ls="--"
                )
            )


def _cut(plane: Plane, boxes: Array) -> Array:
    """Intersections of boxes with a plane, for the boxes that it meets."""
    others = plane.others
    at = plane.at[others]
    met = (boxes[:, 0, others] <= at).all(axis=1) & (boxes[:, 1, others] >= at).all(axis=1)
    return boxes[met][:, :, plane.pair]
