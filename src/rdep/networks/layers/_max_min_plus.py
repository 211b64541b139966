"""Layer of sums of a dilation and an erosion with the same weights."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ._products import max_plus, min_plus
from ._shapes import check_temperature, check_width, normal


class MaxMinPlus(nn.Module):
    r"""Sums of a dilation and an erosion that share their weights.

    .. math::

        y_o = \max\bigl(a_o, \max_i (x_i + w_{oi})\bigr)
            + \min\bigl(b_o, \min_i (x_i + w_{oi})\bigr)

    Both the maximal and the minimal term contribute to the gradient, which is twice as dense as
    that of a :class:`MaxPlus` layer.

    Parameters
    ----------
    in_features, out_features : int
        Numbers of inputs and outputs.
    zero_weights : bool, default=False
        Whether the initial weights are 0, as in the first layer of a network. Otherwise they are
        drawn from the standard normal distribution.
    temperature : float, default=0.0
        Temperature of the soft maximum and minimum; 0 is the maximum and the minimum.

    Attributes
    ----------
    weight : Parameter of shape (out_features, in_features)
        Weights.
    max_bias, min_bias : Parameter of shape (out_features,)
        The constants a and b, drawn from the standard normal distribution.

    References
    ----------
    K. Fotopoulos and P. Maragos, "Training deep morphological neural networks as universal
    approximators", arXiv:2505.09710, 2025.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import MaxMinPlus
    >>> layer = MaxMinPlus(2, 1, zero_weights=True)
    >>> _ = layer.max_bias.data.fill_(-9), layer.min_bias.data.fill_(9)
    >>> layer(torch.tensor([[1.0, 3.0]])).tolist()
    [[4.0]]
    """

    __module__ = "rdep.networks.layers"

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        zero_weights: bool = False,
        temperature: float = 0.0,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.temperature = check_temperature(temperature)
        self.weight = normal(out_features, in_features)
        if zero_weights:
            nn.init.zeros_(self.weight)
        self.max_bias, self.min_bias = normal(out_features), normal(out_features)

    def forward(self, x: Tensor) -> Tensor:
        """Compute the outputs for a batch of shape (n_samples, in_features)."""
        check_width(self, x, self.in_features)
        x = torch.cat([x, x.new_zeros(len(x), 1)], 1)
        upper = torch.cat([self.weight, self.max_bias[:, None]], 1)
        lower = torch.cat([self.weight, self.min_bias[:, None]], 1)
        return max_plus(x, upper, temperature=self.temperature) + min_plus(
            x, lower, temperature=self.temperature
        )

    def extra_repr(self) -> str:
        """Parameters in ``repr``."""
        return f"{self.in_features}, {self.out_features}"
