"""Display of the decision boundaries of several classifiers on one plane."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from .._base._validation import feature_names
from .._utils._imports import optional
from .._utils._typing import Array
from ._drawing import LINES, Display, LabelledPoints, draw_points, finish_plane, require_matplotlib
from ._estimators import as_given, exact_boundary
from ._plane import Plane, check_limits, choose_plane, limits_around


class BoundariesDisplay(Display):
    """Decision boundaries of one or more classifiers on a plane of two features.

    The boundary of a perceptron or a DEP between two classes is exact. For other classifiers it is
    computed on a grid: the boundary is where the class with the largest decision value changes. If
    the prediction does not follow from the decision values, as in a hard vote, it is where the
    prediction changes. With more than two features, the plane is a cut, with the others held fixed
    at ``at``; samples are projected.

    Attributes
    ----------
    boundaries : dict of str to list of ndarray of shape (n_points, 2)
        Pieces of the boundary of each classifier, by its name; empty if it predicts one class on
        the whole plane.
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
    >>> from sklearn.svm import SVC
    >>> from rdep import RDEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.display import BoundariesDisplay
    >>> X, _, y, _ = load_ripley()
    >>> classifiers = {"r-DEP": RDEPClassifier("ensemble").fit(X, y), "SVC": SVC().fit(X, y)}
    >>> display = BoundariesDisplay.from_estimators(classifiers, X, y)
    >>> list(display.boundaries)
    ['r-DEP', 'SVC']
    """

    __module__ = "rdep.display"

    def __init__(self, *, boundaries, limits, samples, feature_names, note):
        self.boundaries = boundaries
        self.limits = limits
        self.samples = samples
        self.feature_names = feature_names
        self.note = note

    @classmethod
    def from_estimator(cls, estimator, X, y=None, **options):
        """Draw one classifier, under the name of its class.

        Parameters
        ----------
        estimator : classifier
            Fitted classifier.
        X : array-like of shape (n_samples, n_features)
            Samples to show.
        y : array-like of shape (n_samples,), default=None
            Classes of the samples; None draws all samples alike.
        **options
            Keyword parameters of :meth:`from_estimators`.

        Returns
        -------
        BoundariesDisplay
            The display, drawn.
        """
        return cls.from_estimators({type(estimator).__name__: estimator}, X, y, **options)

    @classmethod
    def from_estimators(
        cls, estimators, X, y=None, *,
        features=None, at=None, limits=None, grid_resolution=200, ax=None, legend=True,
    ):  # fmt: skip
        """Draw several fitted classifiers.

        Parameters
        ----------
        estimators : dict of str to classifier
            Classifiers by name, fitted on the same classes and the same features.
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
        grid_resolution : int, default=200
            Number of grid points along each axis.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        BoundariesDisplay
            The display, drawn.
        """
        require_matplotlib()
        _check_classifiers(estimators)
        names, classes = _common_ground(estimators)
        given, X = X, check_array(X, dtype=np.float64)
        if X.shape[1] != len(names):
            raise ValueError(
                f"X has {X.shape[1]} features, but the classifiers were fitted on {len(names)}"
            )
        plane = choose_plane(names, features, at, X)
        samples = LabelledPoints.from_samples(plane.project(X), y, classes)
        frame = limits_around(samples.points) if limits is None else check_limits(limits)
        return cls(
            boundaries={
                str(name): _boundary(estimator, plane, frame, grid_resolution, given)
                for name, estimator in estimators.items()
            },
            limits=frame,
            samples=samples,
            feature_names=plane.shown_names,
            note=plane.note,
        ).plot(ax, legend=legend)

    def _draw(self, legend: bool) -> None:
        draw_points(self.ax_, self.samples)
        for place, (name, pieces) in enumerate(self.boundaries.items()):
            colour, style = LINES[place % len(LINES)]
            # One line with gaps gives one entry in the legend, even without any pieces.
            gap = np.full((1, 2), np.nan)
            line = np.concatenate([part for piece in [*pieces, gap] for part in (piece, gap)])
            # Thinner lines over broader ones, so that both are visible where they coincide.
            width = max(2.4 - 0.3 * place, 1.2)
            self.ax_.plot(
                *line.T, color=colour, linestyle=style, lw=width, label=name, zorder=4 + place
            )
        finish_plane(self.ax_, self.limits, self.feature_names, self.note, legend)


def _check_classifiers(estimators) -> None:
    if not isinstance(estimators, Mapping) or not estimators:
        raise TypeError(
            "estimators must be a dict of names and fitted classifiers, got "
            f"{'an empty one' if isinstance(estimators, Mapping) else type(estimators).__name__}"
        )
    for name, estimator in estimators.items():
        if isinstance(estimator, type) or not is_classifier(estimator):
            raise TypeError(f"{name} must be a fitted classifier, got {estimator!r}")
        check_is_fitted(estimator)


def _common_ground(estimators: Mapping) -> tuple[NDArray, NDArray]:
    first, *others = estimators.values()
    for other in others:
        if not np.array_equal(other.classes_, first.classes_):
            raise ValueError(
                "the classifiers were fitted on different classes: "
                f"{first.classes_.tolist()} and {other.classes_.tolist()}"
            )
        if other.n_features_in_ != first.n_features_in_:
            raise ValueError(
                "the classifiers were fitted on different numbers of features: "
                f"{first.n_features_in_} and {other.n_features_in_}"
            )
    return feature_names(first), first.classes_


def _boundary(estimator, plane: Plane, limits: Array, resolution: int, given) -> list[Array]:
    exact = exact_boundary(estimator, plane, limits)
    if exact is not None:
        return exact
    contourpy = optional("contourpy", "a decision boundary on a grid", "plot")
    x0, x1, X = plane.grid(limits, resolution)
    values = _values_by_class(estimator, as_given(X, given))
    lines = []
    for k in range(values.shape[1] - 1):
        later = values[:, k + 1 :].max(axis=1)
        # Boundaries with earlier classes are already drawn.
        before = values[:, :k].max(axis=1, initial=-np.inf) > np.maximum(values[:, k], later)
        margin = np.where(before, np.nan, later - values[:, k]).reshape(resolution, resolution)
        contours = contourpy.contour_generator(
            x0, x1, margin, line_type=contourpy.LineType.Separate
        )
        lines += [np.asarray(line) for line in contours.lines(0.0)]
    return lines


def _values_by_class(estimator, X) -> Array:
    """Decision values if the largest one is the prediction, else 1 for the predicted class."""
    predicted = np.searchsorted(estimator.classes_, estimator.predict(X))
    if hasattr(estimator, "decision_function"):
        values = estimator.decision_function(X)
        if values.ndim == 1:
            values = np.column_stack([-values, values])
        if values.shape[1] == len(estimator.classes_) and np.array_equal(
            values.argmax(axis=1), predicted
        ):
            return values
    return np.eye(len(estimator.classes_))[predicted]
