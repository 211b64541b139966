"""Layer of dilation-erosion perceptrons."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ._products import max_plus, min_plus
from ._shapes import check_temperature, check_width, normal


class DEP(nn.Module):
    r"""Dilation-erosion perceptrons.

    .. math::

        y_o = \beta_o \max_i (x_i + w_{oi}) + (1 - \beta_o) \min_i (x_i + m_{oi}), \qquad
        0 \le \beta_o \le 1 .

    The gradients of w and m are those of the extreme terms, a Clarke subgradient. The gradient of
    β is the difference of both operators.

    Parameters
    ----------
    in_features, out_features : int
        Numbers of inputs and outputs.
    beta : float in [0, 1] or None, default=None
        Weight of the dilation, the same for all outputs and not trained; None learns it, starting
        from 1/2.
    temperature : float, default=0.0
        Temperature of the soft maximum and minimum; 0 is the maximum and the minimum.

    Attributes
    ----------
    dilation_weights, erosion_weights : Parameter of shape (out_features, in_features)
        Weights w and m, drawn from the standard normal distribution.
    beta : Parameter or buffer of shape (out_features,)
        Weights of the dilations. A value outside [0, 1] counts as the nearest end of the interval;
        :meth:`project` moves it there.

    References
    ----------
    R. de A. Araújo, "A class of hybrid morphological perceptrons with application in time series
    forecasting", Knowledge-Based Systems 24(4), 2011.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import DEP
    >>> layer = DEP(2, 1, beta=0.25)
    >>> _ = layer.dilation_weights.data.fill_(0), layer.erosion_weights.data.fill_(0)
    >>> layer(torch.tensor([[0.0, 4.0]])).tolist()
    [[1.0]]
    """

    __module__ = "rdep.networks.layers"

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        beta: float | None = None,
        temperature: float = 0.0,
    ) -> None:
        super().__init__()
        if beta is not None and not 0 <= beta <= 1:
            raise ValueError(f"beta must be between 0 and 1, or None to learn it; got {beta}")
        self.in_features, self.out_features = in_features, out_features
        self.temperature = check_temperature(temperature)
        self.dilation_weights = normal(out_features, in_features)
        self.erosion_weights = normal(out_features, in_features)
        if beta is None:
            self.beta = nn.Parameter(torch.full((out_features,), 0.5))
        else:
            self.register_buffer("beta", torch.full((out_features,), float(beta)))

    def forward(self, x: Tensor) -> Tensor:
        """Compute the outputs for a batch of shape (n_samples, in_features)."""
        check_width(self, x, self.in_features)
        beta = self.beta.clamp(0, 1)
        dilated = max_plus(x, self.dilation_weights, temperature=self.temperature)
        eroded = min_plus(x, self.erosion_weights, temperature=self.temperature)
        return beta * dilated + (1 - beta) * eroded

    @torch.no_grad()
    def project(self) -> None:
        """Move β back into [0, 1]."""
        self.beta.clamp_(0, 1)

    def extra_repr(self) -> str:
        """Parameters in ``repr``."""
        learned = isinstance(self.beta, nn.Parameter)
        return f"{self.in_features}, {self.out_features}, beta {'learned' if learned else 'fixed'}"
