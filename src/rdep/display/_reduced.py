"""The reduced space of an r-DEP, with its DEP in it."""

from __future__ import annotations

from ..perceptrons._reduced import RDEPClassifier
from ._drawing import LabelledPoints, require_matplotlib
from ._estimators import fitted_operators, on_plane
from ._plane import choose_plane
from ._regions import RegionsDisplay


class ReducedSpaceDisplay(RegionsDisplay):
    """The points ρ(x) that the DEP of an r-DEP sees, with its regions and boundary.

    All attributes are those of :class:`RegionsDisplay`; the features are the members of the
    ordering. With more than two members the picture is a cut through the reduced space.

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

    @classmethod
    def from_estimator(
        cls, estimator, X, y=None, *, features=None, at=None, limits=None, ax=None, legend=True
    ):
        """Draw the reduced space of a fitted r-DEP.

        Parameters
        ----------
        estimator : RDEPClassifier
            Fitted on two classes.
        X : array-like of shape (n_samples, n_features)
            Samples in the original space.
        y : array-like of shape (n_samples,), default=None
        features : pair of int or str, default=None
            The two members of the ordering to show. Needed where there are more than two.
        at : array-like of shape (n_members,), default=None
            Where the values of the other members are held fixed; None means the medians of ρ(X).
        limits, ax, legend
            As in :meth:`RegionsDisplay.from_estimator`.

        Returns
        -------
        ReducedSpaceDisplay
        """
        require_matplotlib()
        fitted = fitted_operators(estimator, cls.__name__, RDEPClassifier)
        reduced = estimator.reduced_space(X)
        plane = choose_plane(fitted.names, features, at, reduced)
        samples = LabelledPoints.from_samples(plane.project(reduced), y, estimator.classes_)
        operators = on_plane(plane, fitted)
        return cls._of(plane, operators, samples, limits).plot(ax, legend=legend)
