"""Certified accuracy by radius, as a curve."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_consistent_length

from ._drawing import LINES, Display, add_legend, require_matplotlib


class CertifiedAccuracyDisplay(Display):
    """Share of samples that are predicted correctly, and stay so within a radius.

    The curve begins at the accuracy and falls by one sample at the radius of each correct sample.
    If the radii are bounds, the curve is a lower bound.

    Attributes
    ----------
    radii : ndarray of shape (n_steps,)
        Radii at which the curve falls, from 0 on.
    accuracy : ndarray of shape (n_steps,)
        Certified accuracy from each of these radii to the next.
    name : str or None
        Name of the curve in the legend.
    ax_ : matplotlib Axes
        The axes of the last ``plot``.
    figure_ : matplotlib Figure
        The figure of these axes.

    See Also
    --------
    rdep.guarantees.certified_accuracy : The share at given radii.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.display import CertifiedAccuracyDisplay
    >>> from rdep.guarantees import robustness_radius
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifier().fit(X_train, y_train)
    >>> radii = robustness_radius(dep, X_test).radii
    >>> display = CertifiedAccuracyDisplay.from_predictions(y_test, dep.predict(X_test), radii)
    >>> float(display.accuracy[0])
    0.902
    """

    __module__ = "rdep.display"

    def __init__(self, *, radii, accuracy, name=None):
        self.radii = radii
        self.accuracy = accuracy
        self.name = name

    @classmethod
    def from_predictions(cls, y_true, y_pred, radii, *, name=None, ax=None, legend=True):
        """Draw the curve of samples whose radii are known.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Classes of the samples.
        y_pred : array-like of shape (n_samples,)
            Predicted classes.
        radii : array-like of shape (n_samples,)
            Radii of :func:`rdep.guarantees.robustness_radius`.
        name : str or None, default=None
            Name of the curve in the legend.
        ax : matplotlib Axes, default=None
            Axes to draw into, which may hold other curves; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes, if the curve has a name.

        Returns
        -------
        CertifiedAccuracyDisplay
            The display, drawn.
        """
        require_matplotlib()
        radii = np.asarray(radii, dtype=float)
        check_consistent_length(y_true, y_pred, radii)
        of_correct = np.sort(radii[np.asarray(y_true) == np.asarray(y_pred)])
        steps, counts = np.unique(of_correct, return_counts=True)
        left = (len(of_correct) - np.cumsum(counts)) / len(radii)
        return cls(
            radii=np.concatenate([[0.0], steps]),
            accuracy=np.concatenate([[len(of_correct) / len(radii)], left]),
            name=name,
        ).plot(ax, legend=legend)

    def _draw(self, legend: bool) -> None:
        colour, style = LINES[len(self.ax_.lines) % len(LINES)]
        finite = np.isfinite(self.radii)
        self.ax_.step(
            self.radii[finite], self.accuracy[finite], where="post", color=colour,
            linestyle=style, label=self.name,
        )  # fmt: skip
        self.ax_.set(xlabel="radius", ylabel="certified accuracy", ylim=(0, 1.02))
        self.ax_.set_xlim(left=0)
        if legend and self.name is not None:
            add_legend(self.ax_)
