"""Display of the boxes D(w) and E(m) and the boundary, on a plane or in reduced space."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._base._record import FittedOperators
from .._base._validation import feature_names
from .._utils._typing import Array
from ..perceptrons import RDEPClassifier
from ._drawing import (
    BLACK,
    INK,
    PURPLE,
    YELLOW,
    Display,
    LabelledPoints,
    draw_points,
    finish_plane,
    require_matplotlib,
)
from ._estimators import on_plane, samples_of, shown_of
from ._geometry import PlaneDEP
from ._plane import Plane, check_limits, choose_plane, limits_around


class RegionsDisplay(Display):
    """Regions D(w) and E(m), the decision boundary and samples, on a plane of two features.

    Boxes and boundary are computed from the weights, not on a grid, and are exact at any scale.
    With more than two features, the plane is a cut, with the others held fixed at ``at``. Boxes
    and boundary are those of the cut; a box that it misses is not drawn. Samples are projected.

    Make one with :meth:`from_estimator` or :meth:`from_weights`.

    Attributes
    ----------
    dilation_box, erosion_box : ndarray of shape (2, 2) or None
        Lower and upper bounds of D(w), where the dilation is negative, and of E(m), where the
        erosion is non-negative; infinite where the box is unbounded. None if there is no such
        operator or the cut misses the box.
    boundary : ndarray of shape (n_points, 2)
        Corners of the decision boundary; empty if one class is predicted on the whole plane.
    limits : ndarray of shape (2, 2)
        Limits of the axes, ((x_low, x_high), (y_low, y_high)).
    samples : LabelledPoints or None
        The samples shown: ``points`` of shape (n_samples, 2), ``y`` and ``classes``.
    feature_names : pair of str
        Names of the two features shown.
    note : str or None
        Which features are held fixed, and where; None if all features are shown.
    ax_ : matplotlib Axes
        The axes of the last ``plot``.
    figure_ : matplotlib Figure
        The figure of these axes.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep.display import RegionsDisplay
    >>> display = RegionsDisplay.from_weights(w=[2, 1], m=[1, 2.25], beta=0.2)
    >>> display.dilation_box[:, 1]
    array([-2., -1.])
    >>> display.erosion_box[:, 0]
    array([-1.  , -2.25])
    """

    __module__ = "rdep.display"

    def __init__(
        self, *, dilation_box, erosion_box, boundary, limits, samples, feature_names, note
    ):
        self.dilation_box = dilation_box
        self.erosion_box = erosion_box
        self.boundary = boundary
        self.limits = limits
        self.samples = samples
        self.feature_names = feature_names
        self.note = note

    @classmethod
    def from_estimator(
        cls, estimator, X, y=None, *, class_of_interest=None,
        features=None, at=None, limits=None, ax=None, legend=True,
    ):  # fmt: skip
        """Draw a fitted perceptron or DEP.

        Parameters
        ----------
        estimator : MorphologicalPerceptron or DEPClassifier
            Fitted classifier. For an RDEPClassifier see :class:`ReducedSpaceDisplay`.
        X : array-like of shape (n_samples, n_features)
            Samples to show.
        y : array-like of shape (n_samples,), default=None
            Classes of the samples; None draws all samples alike.
        class_of_interest : label, default=None
            Class to show against the rest, if there are more than two.
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
        RegionsDisplay
            The display, drawn.
        """
        require_matplotlib()
        shown = shown_of(estimator, cls.__name__, class_of_interest, but_not=(RDEPClassifier,))
        X = samples_of(estimator, X)
        plane = choose_plane(feature_names(estimator), features, at, X)
        samples = shown.samples(plane.project(X), y)
        operators = on_plane(plane, shown.fitted)
        return cls._of(plane, operators, samples, limits).plot(ax, legend=legend)

    @classmethod
    def from_weights(
        cls, w=None, m=None, beta=None, X=None, y=None, *,
        orientation=None, names=None, features=None, at=None, limits=None, ax=None, legend=True,
    ):  # fmt: skip
        """Draw a DEP, a dilation or an erosion with given weights, without a fit.

        Parameters
        ----------
        w, m : array-like of shape (n_features,), default=None
            Weights of the dilation and of the erosion; one of them may be left out.
        beta : float in [0, 1], default=None
            Weight of the dilation in the decision value. Required if both w and m are given.
        X, y : array-like of shape (n_samples, n_features) and (n_samples,), default=None
            Samples to show, and their classes.
        orientation : array-like of +1 and −1, default=None
            Signs by which the features are multiplied before the operators; None means +1 for all.
        names : sequence of str, default=None
            Names of the features; None means x0, x1 and so on.
        features : pair of int or str, default=None
            The two features to show, by position or name. Required with more than two features.
        at : array-like of shape (n_features,), default=None
            Values at which the features not shown are held fixed; None means the medians of X.
            Required with more than two features and without X.
        limits : ((x_low, x_high), (y_low, y_high)), default=None
            Limits of the axes; None fits them to the samples, or without X to the corners of the
            boxes.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        RegionsDisplay
            The display, drawn.
        """
        require_matplotlib()
        w, m, beta = _check_weights(w, m, beta)
        n_features = len(m if w is None else w)
        signs = np.ones(n_features) if orientation is None else np.asarray(orientation, float)
        if signs.shape != (n_features,) or not np.isin(signs, (-1.0, 1.0)).all():
            raise ValueError(f"orientation must hold +1 or -1 for each of {n_features} features")
        if names is None:
            names = [f"x{j}" for j in range(n_features)]
        elif len(names) != n_features:
            raise ValueError(f"there are {len(names)} names for {n_features} features")
        samples = None
        if X is not None:
            X = np.asarray(X, dtype=float)
            if X.ndim != 2 or X.shape[1] != n_features:
                raise ValueError(
                    f"X must have shape (n_samples, {n_features}), like the weights, got {X.shape}"
                )
        plane = choose_plane(names, features, at, X)
        if X is not None:
            samples = LabelledPoints.from_samples(plane.project(X), y)
            if len(samples.classes) > 2:
                raise ValueError(
                    f"weights decide between two classes, but y has {len(samples.classes)}"
                )
        fitted = FittedOperators(
            title="",
            classes=(0, 1),
            names=np.asarray(names, dtype=object),
            features=np.arange(n_features),
            orientation=signs,
            weights={
                name: weights
                for name, weights in (("dilation", w), ("erosion", m))
                if weights is not None
            },
            beta=beta,
        )
        operators = on_plane(plane, fitted)
        return cls._of(plane, operators, samples, limits).plot(ax, legend=legend)

    @classmethod
    def _of(
        cls,
        plane: Plane,
        operators: PlaneDEP,
        samples: LabelledPoints | None,
        limits: ArrayLike | None,
    ):
        if limits is not None:
            frame = check_limits(limits)
        elif samples is not None:
            frame = limits_around(samples.points)
        else:
            frame = _limits_around_corners(operators)
        return cls(
            dilation_box=operators.dilation_box(),
            erosion_box=operators.erosion_box(),
            boundary=operators.boundary(frame),
            limits=frame,
            samples=samples,
            feature_names=plane.shown_names,
            note=plane.note,
        )

    def _draw(self, legend: bool) -> None:
        # D(w) is open and E(m) is closed; the line styles of their edges show it.
        self._draw_box(self.dilation_box, "D(w)", PURPLE, "//", "--")
        self._draw_box(self.erosion_box, "E(m)", YELLOW, "..", "-")
        if self.samples is not None:
            draw_points(self.ax_, self.samples)
        if len(self.boundary):
            self.ax_.plot(
                *self.boundary.T, color=BLACK, lw=1.8, label="decision boundary", zorder=4
            )
        finish_plane(self.ax_, self.limits, self.feature_names, self.note, legend)

    def _draw_box(self, box: Array | None, label: str, colour: str, hatch: str, edge: str) -> None:
        if box is None:
            return
        from matplotlib.patches import Rectangle

        # Clip slightly beyond the axes, so that only true edges are visible.
        room = 0.1 * np.diff(self.limits, axis=1).ravel()
        low = np.maximum(box[:, 0], self.limits[:, 0] - room)
        high = np.minimum(box[:, 1], self.limits[:, 1] + room)
        if (low < high).all():
            corner, sides = (low[0], low[1]), high - low
            # Two patches, because a hatch has the colour of its patch's edge.
            self.ax_.add_patch(
                Rectangle(
                    corner, *sides, label=label, zorder=1,
                    facecolor=(colour, 0.35), edgecolor=colour, hatch=hatch, linewidth=0,
                )
            )  # fmt: skip
            outline = Rectangle(corner, *sides, fill=False, edgecolor=INK, linewidth=0.8)
            outline.set(linestyle=edge, zorder=2)
            self.ax_.add_patch(outline)


def _check_weights(w, m, beta) -> tuple[Array | None, Array | None, float]:
    if w is None and m is None:
        raise ValueError("pass the weights w of a dilation, m of an erosion, or both")
    w, m = (None if weights is None else np.asarray(weights, dtype=float) for weights in (w, m))
    given = [weights for weights in (w, m) if weights is not None]
    if any(weights.ndim != 1 or not np.isfinite(weights).all() for weights in given):
        raise ValueError("w and m must be vectors of finite numbers, one for each feature")
    if len({len(weights) for weights in given}) > 1:
        raise ValueError(f"w has {len(w)} weights and m has {len(m)}: lengths must be equal")
    if w is None or m is None:
        if beta is not None:
            raise ValueError("beta is for a DEP, which needs both w and m")
        return w, m, 0.0 if w is None else 1.0
    if beta is None or not 0 <= beta <= 1:
        raise ValueError(f"with w and m, beta must be a number in [0, 1], got {beta!r}")
    return w, m, float(beta)


def _limits_around_corners(operators: PlaneDEP) -> Array:
    corners = np.array(
        [
            -weights * operators.signs
            for weights in (operators.w, operators.m)
            if weights is not None
        ]
    )
    low, high = corners.min(axis=0), corners.max(axis=0)
    # Room on every side for the boxes, which begin at these corners.
    room = 0.75 * (high - low).max() or np.abs(corners).max() or 1.0
    return np.column_stack([low - room, high + room])


def _deciding_most(fitted: FittedOperators, X: Array) -> tuple[int, int] | None:
    """The two coordinates that decide most samples, weighted by operator; None if there is one."""
    coordinates = fitted.values(X)
    extremes = {"dilation": (np.argmax, fitted.beta), "erosion": (np.argmin, 1 - fitted.beta)}
    n_decided = np.zeros(coordinates.shape[1])
    for operator, weights in fitted.weights.items():
        extreme, share = extremes[operator]
        decisive = extreme(coordinates + weights, axis=1)
        n_decided += share * np.bincount(decisive, minlength=len(n_decided))
    if len(n_decided) < 2:
        return None
    first, second = np.sort(np.argsort(-n_decided, kind="stable")[:2]).tolist()
    return first, second


class ReducedSpaceDisplay(RegionsDisplay):
    """Reduced space of an r-DEP: the points ρ(x), the regions of its DEP and the boundary.

    The attributes are those of :class:`RegionsDisplay`; the features are the components of ρ.
    With more than two components, the plane is a cut through the reduced space.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep import RDEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.display import ReducedSpaceDisplay
    >>> X, _, y, _ = load_ripley()
    >>> rdep = RDEPClassifier("ensemble").fit(X, y)
    >>> display = ReducedSpaceDisplay.from_estimator(rdep, X, y, features=("rbf", "linear"))
    >>> display.note
    'cut with poly at its median; samples projected'
    """

    __module__ = "rdep.display"

    @classmethod
    def from_estimator(
        cls, estimator, X, y=None, *, class_of_interest=None,
        features=None, at=None, limits=None, ax=None, legend=True,
    ):  # fmt: skip
        """Draw the reduced space of a fitted r-DEP.

        Parameters
        ----------
        estimator : RDEPClassifier
            Fitted classifier.
        X : array-like of shape (n_samples, n_features)
            Samples in the original space.
        y : array-like of shape (n_samples,), default=None
            Classes of the samples; None draws all samples alike.
        class_of_interest : label, default=None
            Class to show against the rest, if there are more than two.
        features : pair of int or str, default=None
            The two members of the ordering to show; None shows the two that decide most samples.
        at : array-like of shape (n_members,), default=None
            Values at which the other components of ρ are held fixed; None means the medians of
            ρ(X).
        limits : ((x_low, x_high), (y_low, y_high)), default=None
            Limits of the axes; None fits them to the samples.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        ReducedSpaceDisplay
            The display, drawn.
        """
        require_matplotlib()
        shown = shown_of(estimator, cls.__name__, class_of_interest, RDEPClassifier)
        fitted, reduced = shown.fitted, shown.estimator.reduced_space(X)
        if features is None:
            features = _deciding_most(fitted, reduced)
        plane = choose_plane(fitted.names, features, at, reduced)
        samples = shown.samples(plane.project(reduced), y)
        operators = on_plane(plane, fitted)
        return cls._of(plane, operators, samples, limits).plot(ax, legend=legend)
