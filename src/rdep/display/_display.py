"""What all displays share: drawing into axes that are given or new."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

from ._drawing import axes_for


class Display(metaclass=ABCMeta):
    """Base of the displays; subclasses hold the numbers and draw them."""

    def plot(self, ax=None, *, legend=True):
        """Draw the display into axes.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw into; None makes a new figure.
        legend : bool, default=True
            Whether to add a legend below the axes. Without it,
            ``ax.get_legend_handles_labels()`` returns its entries.

        Returns
        -------
        self
            The display, with ``ax_`` and ``figure_`` set.
        """
        self.ax_ = axes_for(ax)
        self.figure_ = self.ax_.figure
        self._draw(legend)
        return self

    @abstractmethod
    def _draw(self, legend: bool) -> None:
        """Draw into ``ax_``."""
