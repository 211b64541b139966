"""Max-plus products of batches and weights in blocks, with gradients by the maximal terms."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

# Elements of the largest tensor with one entry for each sample, input and output; blocks of this
# size stay in the cache of a processor.
MAX_ELEMENTS = 2**18
# Inputs of a group, where the compiler looks for maxima group by group.
GROUP = 56

SUBGRADIENT, CORRELATION = "subgradient", "correlation"


def max_plus(
    x: Tensor, weight: Tensor, *, temperature: float = 0.0, rule: str = SUBGRADIENT
) -> Tensor:
    r"""Max-plus product: :math:`y_{bo} = \max_i (x_{bi} + w_{oi})`.

    With a positive temperature :math:`T` its soft version,
    :math:`y_{bo} = T \log \sum_i \exp((x_{bi} + w_{oi}) / T)`, which is between it and
    :math:`T \log n` more.

    Parameters
    ----------
    x : Tensor of shape (n_samples, n_inputs)
        Samples.
    weight : Tensor of shape (n_outputs, n_inputs)
        Weights.
    temperature : float, default=0.0
        Temperature of the soft maximum; 0 is the maximum itself.
    rule : {"subgradient", "correlation"}, default="subgradient"
        What stands for the gradient with respect to the weights: one of the maximal terms (of
        equal ones the first; a Clarke subgradient), or the correlation
        :math:`\sum_b (g_{bo} - \bar g_o)(x_{bi} - y_{bo})` of the gradient :math:`g` of the output
        with how far each input is from the maximum, by which every weight is trained.

    Returns
    -------
    Tensor of shape (n_samples, n_outputs)
    """
    if temperature > 0:
        return _SoftMaxPlus.apply(x, weight, temperature, rule)
    return _MaxPlus.apply(x, weight, rule)


def min_plus(
    x: Tensor, weight: Tensor, *, temperature: float = 0.0, rule: str = SUBGRADIENT
) -> Tensor:
    r"""Min-plus product, the dual: :math:`y_{bo} = \min_i (x_{bi} + w_{oi})`."""
    return -max_plus(-x, -weight, temperature=temperature, rule=rule)


def blocks(n_samples: int, n_inputs: int, n_outputs: int) -> Iterator[tuple[slice, slice]]:
    """Samples and outputs of every block with at most ``MAX_ELEMENTS`` elements."""
    if torch.compiler.is_compiling():  # the compiler fuses sums and maxima, so nothing is stored
        yield slice(n_samples), slice(n_outputs)
        return
    most = max(1, MAX_ELEMENTS // max(1, n_inputs))
    rows = min(n_samples, most)
    columns = max(1, most // max(1, rows))
    for b in range(0, n_samples, max(1, rows)):
        for o in range(0, n_outputs, columns):
            yield slice(b, b + rows), slice(o, o + columns)


def correlation(gradient: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """The correlation of a batch's gradients with the distances of its inputs to the maxima."""
    centred = gradient - gradient.mean(0)
    return centred.t() @ x - (centred * y).sum(0)[:, None]


def _maxima(x: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Maxima and the first inputs that attain them."""
    if not torch.compiler.is_compiling() or x.shape[1] < 2 * GROUP:
        return (x[:, None] + weight).max(-1)
    # Compiled, a maximum alone is much faster than one with its place: the places are looked for
    # in the best group of inputs only.
    n_groups = x.shape[1] // GROUP
    whole = n_groups * GROUP
    grouped = x[:, :whole].reshape(-1, n_groups, GROUP)
    weights = weight[:, :whole].reshape(-1, n_groups, GROUP)
    y, group = (grouped[:, None] + weights).amax(-1).max(-1)
    samples = torch.arange(len(x), device=x.device)[:, None]
    outputs = torch.arange(len(weight), device=x.device)
    where = group * GROUP + (grouped[samples, group] + weights[outputs, group]).argmax(-1)
    if whole == x.shape[1]:
        return y, where
    rest, at = (x[:, None, whole:] + weight[:, whole:]).max(-1)
    return torch.maximum(y, rest), torch.where(rest > y, whole + at, where)


class _MaxPlus(torch.autograd.Function):
    """The maxima and where they are attained; their gradients go there and nowhere else."""

    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, rule: str) -> Tensor:
        y = x.new_empty(len(x), len(weight))
        where = torch.empty(y.shape, dtype=torch.int64, device=x.device)
        for b, o in blocks(len(x), x.shape[1], len(weight)):
            y[b, o], where[b, o] = _maxima(x[b], weight[o])
        ctx.rule = rule
        ctx.save_for_backward(x, weight, y, where)
        return y

    @staticmethod
    def backward(ctx, gradient: Tensor):
        x, weight, y, where = ctx.saved_tensors
        of_x = of_weight = None
        if ctx.needs_input_grad[0]:
            of_x = torch.zeros_like(x).scatter_add(1, where, gradient)
        if ctx.needs_input_grad[1]:
            if ctx.rule == CORRELATION:
                of_weight = correlation(gradient, x, y)
            else:
                of_weight = torch.zeros_like(weight).scatter_add(1, where.t(), gradient.t())
        return of_x, of_weight, None


class _SoftMaxPlus(torch.autograd.Function):
    """Logarithms of sums; the shares of the terms are computed again for the gradient."""

    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, temperature: float, rule: str) -> Tensor:
        y = x.new_empty(len(x), len(weight))
        for b, o in blocks(len(x), x.shape[1], len(weight)):
            y[b, o] = temperature * ((x[b, None] + weight[o]) / temperature).logsumexp(-1)
        ctx.temperature, ctx.rule = temperature, rule
        ctx.save_for_backward(x, weight, y)
        return y

    @staticmethod
    def backward(ctx, gradient: Tensor):
        x, weight, y = ctx.saved_tensors
        of_x, of_weight = torch.zeros_like(x), torch.zeros_like(weight)
        for b, o in blocks(len(x), x.shape[1], len(weight)):
            terms = x[b, None] + weight[o] - y[b, o, None]
            shares = gradient[b, o, None] * (terms / ctx.temperature).exp()
            of_x[b] += shares.sum(1)
            of_weight[o] += shares.sum(0)
        if ctx.rule == CORRELATION:
            of_weight = correlation(gradient, x, y)
        return of_x, of_weight, None, None
