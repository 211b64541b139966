"""Displays of the training objective at each step, and of a network's loss in each epoch."""

from __future__ import annotations

from ..networks import MorphologicalNetworkClassifier
from ._drawing import BLUE, INK, VERMILLION, Display, add_legend, require_matplotlib
from ._estimators import check_kind, shown_of

_LOOKS = {"dilation": (BLUE, "-", "o"), "erosion": (VERMILLION, "--", "^")}


class ObjectiveDisplay(Display):
    """Objective after every step of the convex-concave procedure, with escapes marked.

    Attributes
    ----------
    histories : dict of str to ndarray
        Objective at the start and after every step, by operator.
    escapes : dict of str to tuple of int
        Positions in the history that a coordinate search reached, by operator.
    statuses : dict of str to str
        Status of the training, "converged" or "iteration limit", by operator.
    ax_ : matplotlib Axes
        The axes of the last ``plot``.
    figure_ : matplotlib Figure
        The figure of these axes.

    References
    ----------
    A. L. Yuille and A. Rangarajan, "The concave-convex procedure", Neural Computation 15(4), 2003.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.display import ObjectiveDisplay
    >>> X, _, y, _ = load_ripley()
    >>> display = ObjectiveDisplay.from_estimator(DEPClassifier(escape=True).fit(X, y))
    >>> sorted(display.histories)
    ['dilation', 'erosion']
    """

    __module__ = "rdep.display"

    def __init__(self, *, histories, escapes, statuses):
        self.histories = histories
        self.escapes = escapes
        self.statuses = statuses

    @classmethod
    def from_estimator(cls, estimator, *, class_of_interest=None, ax=None, legend=True):
        """Draw the training of the operators of a fitted estimator.

        Parameters
        ----------
        estimator : MorphologicalPerceptron, DEPClassifier or RDEPClassifier
            Fitted classifier.
        class_of_interest : label, default=None
            Class to show against the rest, if there are more than two.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        ObjectiveDisplay
            The display, drawn.
        """
        require_matplotlib()
        results = shown_of(estimator, cls.__name__, class_of_interest).fitted.results
        if not results:
            raise TypeError(
                f"{cls.__name__} shows iterative training, but a {type(estimator).__name__} is "
                "trained in closed form"
            )
        return cls(
            histories={operator: result.history for operator, result in results.items()},
            escapes={operator: result.escapes for operator, result in results.items()},
            statuses={operator: result.status for operator, result in results.items()},
        ).plot(ax, legend=legend)

    def _draw(self, legend: bool) -> None:
        from matplotlib.ticker import MaxNLocator

        escapes = []
        for operator, history in self.histories.items():
            colour, style, marker = _LOOKS[operator]
            label = f"{operator}: {history[-1]:.3g}, {self.statuses[operator]}"
            self.ax_.plot(
                history, color=colour, linestyle=style, marker=marker, ms=4, lw=1.4, label=label
            )
            escapes += [(step, history[step]) for step in self.escapes[operator]]
        if escapes:
            steps, objectives = zip(*escapes, strict=True)
            self.ax_.scatter(
                steps, objectives, s=110, marker="o", facecolors="none", edgecolors=INK,
                linewidths=1.4, zorder=5, label="escape",
            )  # fmt: skip
        self.ax_.set(xlabel="step", ylabel="objective")
        self.ax_.xaxis.set_major_locator(MaxNLocator(integer=True))
        if legend:
            add_legend(self.ax_)


class LossDisplay(Display):
    """Training loss and validation loss of a network after every epoch, and the best epoch.

    Attributes
    ----------
    training : ndarray of shape (n_epochs,)
        Mean training loss of every epoch.
    validation : ndarray of shape (n_epochs,)
        Loss of the samples held out after every epoch; empty without them.
    best_epoch : int
        The epoch, counted from 1, whose weights are kept.
    ax_ : matplotlib Axes
        The axes of the last ``plot``.
    figure_ : matplotlib Figure
        The figure of these axes.

    References
    ----------
    R. Mondal, S. Santra and B. Chanda, "Dense morphological networks: an universal function
    approximator", arXiv:1901.00109, 2019.
    """

    __module__ = "rdep.display"

    def __init__(self, *, training, validation, best_epoch):
        self.training = training
        self.validation = validation
        self.best_epoch = best_epoch

    @classmethod
    def from_estimator(cls, estimator, *, ax=None, legend=True):
        """Draw the training of a fitted network.

        Parameters
        ----------
        estimator : MorphologicalNetworkClassifier
            Fitted network.
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes.

        Returns
        -------
        LossDisplay
            The display, drawn.
        """
        require_matplotlib()
        check_kind(estimator, cls.__name__, MorphologicalNetworkClassifier)
        return cls(
            training=estimator.loss_curve_,
            validation=estimator.validation_loss_curve_,
            best_epoch=estimator.best_epoch_,
        ).plot(ax, legend=legend)

    def _draw(self, legend: bool) -> None:
        from matplotlib.ticker import MaxNLocator

        epochs = range(1, len(self.training) + 1)
        self.ax_.plot(epochs, self.training, color=BLUE, lw=1.4, label="training loss")
        if len(self.validation):
            self.ax_.plot(
                epochs, self.validation, color=VERMILLION, ls="--", lw=1.4, label="validation loss"
            )
            self.ax_.axvline(
                self.best_epoch, color=INK, ls=":", lw=1.2, label=f"kept: epoch {self.best_epoch}"
            )
        self.ax_.set(xlabel="epoch", ylabel="loss")
        self.ax_.xaxis.set_major_locator(MaxNLocator(integer=True))
        if legend:
            add_legend(self.ax_)
