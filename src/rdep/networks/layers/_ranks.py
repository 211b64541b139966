"""The r-th greatest of sums of inputs and weights, with gradients by pulse functions."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ._products import blocks


def _gaussian(v: Tensor) -> Tensor:
    return (-0.5 * v * v).exp()


def _sech(v: Tensor) -> Tensor:
    return 1 / v.cosh() ** 2


PULSES: dict[str, Callable[[Tensor], Tensor]] = {"gaussian": _gaussian, "sech": _sech}


def rank_position(rank_parameter: Tensor, n_inputs: int) -> Tensor:
    """The rank r, 1 for the greatest, of the parameter ρ: n − (n − 1) / (1 + exp(−ρ)), rounded."""
    return (n_inputs - (n_inputs - 1) * rank_parameter.sigmoid()).round().to(torch.int64)


def rank_product(
    x: Tensor, weight: Tensor, rank_parameter: Tensor, *, pulse: str, width: float
) -> Tensor:
    r"""The :math:`r_o`-th greatest of :math:`x_i + w_{oi}`.

    The gradient shares out among the sums that are near it, by pulses :math:`q` of their distances:
    with :math:`Q_i = q((y - x_i - w_i)/\sigma)` that of the weights is :math:`Q_i / \sum_k Q_k`,
    and that of the parameter ρ of the rank is :math:`(1 - \sum_k Q_k / n)` times how fast the rank
    changes with ρ.

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
            total = pulses.sum(-1)  # at least 1, at the output itself
            shares = pulses * (gradient[b, o] / total)[..., None]
            of_x[b] += shares.sum(1)
            of_weight[o] += shares.sum(0)
            of_rank[o] += (gradient[b, o] * (1 - total / n)).sum(0) * speed[o]
        return of_x, of_weight, of_rank, None, None
