"""A layer of morphological/rank/linear (MRL) nodes."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ._ranks import PULSES, rank_product
from ._shapes import check_width, normal


class RankLinear(nn.Module):
    r"""Morphological/rank/linear nodes: a rank and a linear combination of the inputs, combined.

    .. math::

        y_o = \lambda_o \, \mathcal R_{r_o}(x + a_o)
            + (1 - \lambda_o) (b_o \cdot x + \tau_o), \qquad
        r_o = \operatorname{round}\Bigl(n - \frac{n - 1}{1 + e^{-\rho_o}}\Bigr) ,

    where :math:`\mathcal R_r` is the r-th greatest: r = 1 is a dilation, r = n an erosion. After
    the description of Pessoa and Maragos; their text was not at hand.

    The rank is not differentiable. In its place are pulses of the width σ around it, which share
    the gradient out among the inputs near it; as σ goes to 0 they become the mean of the active
    ones, a Clarke subgradient.

    Parameters
    ----------
    in_features, out_features : int
        Numbers of inputs and of outputs.
    pulse : {"gaussian", "sech"}, default="gaussian"
        The pulse, exp(−v²/2) or sech² v.
    width : float, default=0.1
        Width σ of the pulse, in units of the inputs.

    Attributes
    ----------
    rank_weights : Parameter of shape (out_features, in_features)
        Weights a, drawn from the standard normal distribution.
    rank : Parameter of shape (out_features,)
        The parameters ρ, which begin at 0: the median.
    linear : torch.nn.Linear
        The weights b and τ.
    mixing : Parameter of shape (out_features,)
        The shares λ of the rank, which begin at 1/2.

    References
    ----------
    L. F. C. Pessoa and P. Maragos, "Neural networks with hybrid morphological/rank/linear nodes: a
    unifying framework with applications to handwritten character recognition", Pattern Recognition
    33, 2000.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import RankLinear
    >>> layer = RankLinear(3, 1)
    >>> _ = layer.rank_weights.data.fill_(0), layer.mixing.data.fill_(1)
    >>> layer(torch.tensor([[5.0, 1.0, 2.0]])).tolist()  # their median
    [[2.0]]
    """

    __module__ = "rdep.networks.layers"

    def __init__(
        self, in_features: int, out_features: int, *, pulse: str = "gaussian", width: float = 0.1
    ) -> None:
        super().__init__()
        if pulse not in PULSES:
            raise ValueError(f"pulse must be one of {', '.join(PULSES)}; got {pulse!r}")
        if not width > 0:
            raise ValueError(f"width must be positive, got {width}")
        self.in_features, self.out_features = in_features, out_features
        self.pulse, self.width = pulse, float(width)
        self.rank_weights = normal(out_features, in_features)
        self.rank = nn.Parameter(torch.zeros(out_features))
        self.mixing = nn.Parameter(torch.full((out_features,), 0.5))
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x: Tensor) -> Tensor:
        """The outputs for a batch of shape (n_samples, in_features)."""
        check_width(self, x, self.in_features)
        ranked = rank_product(x, self.rank_weights, self.rank, pulse=self.pulse, width=self.width)
        return self.mixing * ranked + (1 - self.mixing) * self.linear(x)

    def extra_repr(self) -> str:
        """What ``repr`` says of it."""
        return f"{self.in_features}, {self.out_features}, pulse={self.pulse!r}, width={self.width}"
