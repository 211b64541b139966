"""The reduced space of an r-DEP, with its DEP in it."""

from __future__ import annotations

from ..perceptrons import RDEPClassifier
from ._drawing import require_matplotlib
from ._estimators import on_plane, shown_of
from ._plane import choose_plane
from ._regions import RegionsDisplay


class ReducedSpaceDisplay(RegionsDisplay):
    """The reduced space of an r-DEP: the points ρ(x), the regions of its DEP and the boundary.

    The attributes are those of :class:`RegionsDisplay`, where the features are the components of ρ.
    With more than two components the plane is a cut through the reduced space.

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
    >>> rdep = RDEPClassifier().fit(X, y)
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
            With more than two classes, the one to show against the rest.
        features : pair of int or str, default=None
            The two members of the ordering to show. Required with more than two members.
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
        plane = choose_plane(fitted.names, features, at, reduced)
        samples = shown.samples(plane.project(reduced), y)
        operators = on_plane(plane, fitted)
        return cls._of(plane, operators, samples, limits).plot(ax, legend=legend)
