"""The loss of a network, epoch by epoch."""

from __future__ import annotations

from ..networks import MorphologicalNetworkClassifier
from ._display import Display
from ._drawing import BLUE, INK, VERMILLION, add_legend, require_matplotlib
from ._estimators import check_kind


class LossDisplay(Display):
    """The training loss of a network after every epoch, the validation loss, and the best epoch.

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
        """Draw how a fitted network was trained.

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
