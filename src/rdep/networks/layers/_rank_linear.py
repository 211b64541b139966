"""Layer of morphological/rank/linear (MRL) nodes; pulses replace the gradient of the rank."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from ._products import blocks
from ._shapes import check_width, normal


def _gaussian(v: Tensor) -> Tensor:
    return (-0.5 * v * v).exp()


def _sech(v: Tensor) -> Tensor:
    return 1 / v.cosh() ** 2


PULSES: dict[str, Callable[[Tensor], Tensor]] = {"gaussian": _gaussian, "sech": _sech}


def rank_position(rank_parameter: Tensor, n_inputs: int) -> Tensor:
    """Rank r of the parameter ρ: n − (n − 1) / (1 + exp(−ρ)), rounded; 1 is the largest."""
    return (n_inputs - (n_inputs - 1) * rank_parameter.sigmoid()).round().to(torch.int64)


def rank_product(
    x: Tensor, weight: Tensor, rank_parameter: Tensor, *, pulse: str, width: float
) -> Tensor:
    r"""Compute the :math:`r_o`-th largest of :math:`x_i + w_{oi}`.

    The gradient is distributed among the sums near the output, by pulses :math:`q` of their
    distances. With :math:`Q_i = q((y - x_i - w_i)/\sigma)`, the gradient of the weights is
    :math:`Q_i / \sum_k Q_k`. The gradient of the parameter ρ of the rank is
    :math:`(1 - \sum_k Q_k / n)` times the derivative of the rank with respect to ρ.

    Parameters
    ----------
    x : Tensor of shape (n_samples, n_inputs)
        Samples.
    weight : Tensor of shape (n_outputs, n_inputs)
        Weights.
    rank_parameter : Tensor of shape (n_outputs,)
        The parameters ρ of the ranks.
    pulse : {"gaussian", "sech"}
        The pulse q, exp(−v²/2) or sech² v.
    width : float
        The width σ of the pulse, in units of x.

    Returns
    -------
    Tensor of shape (n_samples, n_outputs)
        The sums of the given rank.
    """
    return _RankProduct.apply(x, weight, rank_parameter, pulse, width)


class _RankProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, rank_parameter, pulse, width) -> Tensor:
        y = x.new_empty(len(x), len(weight))
        position = rank_position(rank_parameter, x.shape[1]) - 1
        for b, o in blocks(len(x), x.shape[1], len(weight)):
            ordered = (x[b, None] + weight[o]).sort(-1, descending=True).values
            at = position[o].expand(len(ordered), -1)[..., None]
            y[b, o] = ordered.gather(-1, at)[..., 0]
        ctx.pulse, ctx.width = pulse, width
        ctx.save_for_backward(x, weight, rank_parameter, y)
        return y

    @staticmethod
    def backward(ctx, gradient: Tensor):
        x, weight, rank_parameter, y = ctx.saved_tensors
        n = x.shape[1]
        of_x, of_weight = torch.zeros_like(x), torch.zeros_like(weight)
        of_rank = torch.zeros_like(rank_parameter)
        share = rank_parameter.sigmoid()
        speed = (n - 1) * share * (1 - share)
        for b, o in blocks(len(x), n, len(weight)):
            pulses = PULSES[ctx.pulse]((y[b, o, None] - x[b, None] - weight[o]) / ctx.width)
            total = pulses.sum(-1)  # at least 1: the pulse of the output itself is 1
            shares = pulses * (gradient[b, o] / total)[..., None]
            of_x[b] += shares.sum(1)
            of_weight[o] += shares.sum(0)
            of_rank[o] += (gradient[b, o] * (1 - total / n)).sum(0) * speed[o]
        return of_x, of_weight, of_rank, None, None


class RankLinear(nn.Module):
    r"""Morphological/rank/linear nodes: mixtures of a rank and a linear function of the inputs.

    .. math::

        y_o = \lambda_o \, \mathcal R_{r_o}(x + a_o)
            + (1 - \lambda_o) (b_o \cdot x + \tau_o), \qquad
        r_o = \operatorname{round}\Bigl(n - \frac{n - 1}{1 + e^{-\rho_o}}\Bigr) ,

    where :math:`\mathcal R_r` is the r-th largest value: r = 1 is a dilation, r = n an erosion. The
    layer follows descriptions of the nodes of Pessoa and Maragos; their paper was not at hand.

    The rank is not differentiable. Pulses of width σ around the output distribute the gradient
    among the inputs near it. As σ goes to 0, the gradient becomes the mean over the active inputs,
    a Clarke subgradient.

    Parameters
    ----------
    in_features, out_features : int
        Numbers of inputs and outputs.
    pulse : {"gaussian", "sech"}, default="gaussian"
        The pulse, exp(−v²/2) or sech² v.
    width : float, default=0.1
        Width σ of the pulse, in units of the inputs.

    Attributes
    ----------
    rank_weights : Parameter of shape (out_features, in_features)
        Weights a, drawn from the standard normal distribution.
    rank : Parameter of shape (out_features,)
        The parameters ρ, initially 0: the median.
    linear : torch.nn.Linear
        The weights b and τ.
    mixing : Parameter of shape (out_features,)
        The shares λ of the rank, initially 1/2.

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
        """Compute the outputs for a batch of shape (n_samples, in_features)."""
        check_width(self, x, self.in_features)
        ranked = rank_product(x, self.rank_weights, self.rank, pulse=self.pulse, width=self.width)
        return self.mixing * ranked + (1 - self.mixing) * self.linear(x)

    def extra_repr(self) -> str:
        """Parameters in ``repr``."""
        return f"{self.in_features}, {self.out_features}, pulse={self.pulse!r}, width={self.width}"
