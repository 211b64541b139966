"""Layer of boxes: the depth of a sample in each box."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ._products import min_plus
from ._shapes import check_temperature, check_width


class Box(nn.Module):
    r"""Depths in boxes; the output is the largest depth if it has several boxes.

    .. math::

        y_o = \max_k \min_j \{x_j - a_{okj},\; b_{okj} - x_j\} ,

    which is non-negative where :math:`a_{ok} \le x \le b_{ok}` for some :math:`k`. The gradient is
    that of the nearest face of the deepest box.

    Parameters
    ----------
    in_features, out_features : int
        Numbers of inputs and outputs.
    n_boxes : int, default=1
        Number of boxes of each output.
    temperature : float, default=0.0
        Temperature of the soft minimum over faces; 0 is the minimum.

    Attributes
    ----------
    lower, upper : Parameter of shape (out_features * n_boxes, in_features)
        Corners a and b; the boxes of one output follow one another. Initially, the corners are two
        sorted draws from the standard normal distribution, moved apart by 1, so that standardised
        samples are in some of the boxes. Training may move a corner past the other, which makes the
        box empty.

    References
    ----------
    G. Hernández, E. Zamora, H. Sossa, G. Téllez and F. Furlán, "Hybrid neural networks for big data
    classification", Neurocomputing 390, 2020.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import Box
    >>> layer = Box(2, 1)
    >>> _ = layer.lower.data.fill_(0), layer.upper.data.fill_(1)
    >>> layer(torch.tensor([[0.5, 0.75], [2.0, 0.5]])).tolist()
    [[0.25], [-1.0]]
    """

    __module__ = "rdep.networks.layers"

    def __init__(
        self, in_features: int, out_features: int, *, n_boxes: int = 1, temperature: float = 0.0
    ) -> None:
        super().__init__()
        self.in_features, self.out_features, self.n_boxes = in_features, out_features, n_boxes
        self.temperature = check_temperature(temperature)
        draws = torch.randn(2, out_features * n_boxes, in_features).sort(0).values
        self.lower, self.upper = nn.Parameter(draws[0] - 0.5), nn.Parameter(draws[1] + 0.5)

    def forward(self, x: Tensor) -> Tensor:
        """Compute the outputs for a batch of shape (n_samples, in_features)."""
        check_width(self, x, self.in_features)
        depth = min_plus(
            torch.cat([x, -x], 1),
            torch.cat([-self.lower, self.upper], 1),
            temperature=self.temperature,
        )
        if self.n_boxes == 1:
            return depth
        return depth.view(len(x), self.out_features, self.n_boxes).max(-1).values

    def extra_repr(self) -> str:
        """Parameters in ``repr``."""
        return f"{self.in_features}, {self.out_features}, n_boxes={self.n_boxes}"
