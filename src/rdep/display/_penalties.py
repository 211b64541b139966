"""Display of the penalty weight ν of each training sample, as the area of its point."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sklearn.utils import check_consistent_length

from .._base._validation import check_weights
from ..training import penalty_weights
from ._drawing import Display, draw_points, finish_plane, require_matplotlib
from ._estimators import samples_of_operators, shown_of
from ._plane import choose_plane, limits_around

# Areas of points with weight 1 and with weight (nearly) 0.
_LARGEST, _SMALLEST = 120.0, 2.0


class PenaltyWeightsDisplay(Display):
    """Penalty weights ν of the training samples, as areas of points.

    Samples far from the mean of their class have smaller weights. For an r-DEP the weights are
    those of ρ(x), and the reduced space is shown.

    Attributes
    ----------
    weights : ndarray of shape (n_samples,)
        Penalty weight ν of each sample, at most 1; 0 for samples with zero sample weight.
    samples : LabelledPoints
        The samples shown: ``points`` of shape (n_samples, 2), ``y`` and ``classes``.
    limits : ndarray of shape (2, 2)
        Limits of the axes, ((x_low, x_high), (y_low, y_high)).
    feature_names : pair of str
        Names of the two features shown.
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
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.display import PenaltyWeightsDisplay
    >>> X, _, y, _ = load_ripley()
    >>> display = PenaltyWeightsDisplay.from_estimator(DEPClassifier().fit(X, y), X, y)
    >>> float(display.weights.max())
    1.0
    """

    __module__ = "rdep.display"

    def __init__(self, *, weights, samples, limits, feature_names):
        self.weights = weights
        self.samples = samples
        self.limits = limits
        self.feature_names = feature_names

    @classmethod
    def from_estimator(
        cls, estimator, X, y, *, class_of_interest=None,
        sample_weight=None, features=None, ax=None, legend=True,
    ):  # fmt: skip
        """Draw the samples that an estimator was fitted on.

        Parameters
        ----------
        estimator : MorphologicalPerceptron, DEPClassifier or RDEPClassifier
            Fitted classifier.
        X : array-like of shape (n_samples, n_features)
            The training samples.
        y : array-like of shape (n_samples,)
            Classes of the training samples.
        class_of_interest : label, default=None
            Class to show against the rest, if there are more than two.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights of the fit; None means 1 for every sample.
        features : pair of int or str, default=None
            The two features, or members of an r-DEP's ordering, to show. Required with more than
            two. ν depends on all of them.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        PenaltyWeightsDisplay
            The display, drawn.
        """
        require_matplotlib()
        shown = shown_of(estimator, cls.__name__, class_of_interest)
        fitted, X = shown.fitted, samples_of_operators(shown.estimator, X)
        plane = choose_plane(fitted.names, features, None, X)
        if y is None:
            raise ValueError("ν depends on the classes: pass y as in the fit")
        check_consistent_length(X, y)
        samples = shown.samples(plane.project(X), y)
        if sample_weight is not None:
            sample_weight = check_weights(sample_weight, X)
        sample_weight = np.ones(len(X)) if sample_weight is None else sample_weight
        weights = np.zeros(len(X))
        for label in samples.classes:
            chosen = (samples.y == label) & (sample_weight > 0)
            if not chosen.any():
                name = samples.names[int(label == samples.classes[1])]
                raise ValueError(f"there is no sample of class {name}: pass all training samples")
            weights[chosen] = (
                1.0
                if fitted.weighting is None
                else penalty_weights(fitted.values(X[chosen]), sample_weight[chosen])
            )
        return cls(
            weights=weights,
            samples=samples,
            limits=limits_around(samples.points),
            feature_names=plane.shown_names,
        ).plot(ax, legend=legend)

    def _draw(self, legend: bool) -> None:
        used = self.weights > 0
        samples = replace(self.samples, points=self.samples.points[used], y=self.samples.y[used])
        draw_points(self.ax_, samples, np.maximum(_LARGEST * self.weights[used], _SMALLEST))
        for weight in (1.0, 0.25, 0.05):
            self.ax_.scatter(
                [], [], s=_LARGEST * weight, facecolors="none", edgecolors="#777777",
                label=f"ν = {weight:g}",
            )  # fmt: skip
        finish_plane(self.ax_, self.limits, self.feature_names, None, legend)
