"""Max-plus products of batches and weights in blocks, with gradients of the maximal terms."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

# Maximum size of a tensor with one entry for each sample, input and output; blocks of this size
# stay in the cache of a processor.
MAX_ELEMENTS = 2**18
# Number of inputs in a group, if compiled code searches for maxima group by group.
GROUP = 56

SUBGRADIENT, CORRELATION = "subgradient", "correlation"


def max_plus(
    x: Tensor, weight: Tensor, *, temperature: float = 0.0, rule: str = SUBGRADIENT
) -> Tensor:
    r"""Max-plus product: :math:`y_{bo} = \max_i (x_{bi} + w_{oi})`.

    With a positive temperature :math:`T` it is the soft maximum,
    :math:`y_{bo} = T \log \sum_i \exp((x_{bi} + w_{oi}) / T)`, which exceeds the maximum by at most
    :math:`T \log n`.

    Parameters
    ----------
    x : Tensor of shape (n_samples, n_inputs)
        Samples.
    weight : Tensor of shape (n_outputs, n_inputs)
        Weights.
    temperature : float, default=0.0
        Temperature of the soft maximum; 0 is the maximum itself.
    rule : {"subgradient", "correlation"}, default="subgradient"
        Gradient with respect to the weights. ``"subgradient"`` is that of the maximal term (the
        first one if several are equal), a Clarke subgradient. ``"correlation"`` replaces it by
        :math:`\sum_b (g_{bo} - \bar g_o)(x_{bi} - y_{bo})`, the correlation of the gradient
        :math:`g` of the output with the distance of each input to the maximum, which trains every
        weight.

    Returns
    -------
    Tensor of shape (n_samples, n_outputs)
        The product.
    """
    if temperature > 0:
        return _SoftMaxPlus.apply(x, weight, temperature, rule)
    return _MaxPlus.apply(x, weight, rule)


def min_plus(
    x: Tensor, weight: Tensor, *, temperature: float = 0.0, rule: str = SUBGRADIENT
) -> Tensor:
    r"""Min-plus product, dual of max-plus: :math:`y_{bo} = \min_i (x_{bi} + w_{oi})`."""
    return -max_plus(-x, -weight, temperature=temperature, rule=rule)


def blocks(n_samples: int, n_inputs: int, n_outputs: int) -> Iterator[tuple[slice, slice]]:
    """Slices of samples and outputs for blocks with at most ``MAX_ELEMENTS`` elements."""
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
    """Correlation of the gradients of a batch with the distances of its inputs to the maxima."""
    centred = gradient - gradient.mean(0)
    return centred.t() @ x - (centred * y).sum(0)[:, None]


def _maxima(x: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Maxima and the first inputs that attain them."""
    if not torch.compiler.is_compiling() or x.shape[1] < 2 * GROUP:
        return (x[:, None] + weight).max(-1)
    # In compiled code, a maximum is much faster without its position: positions are searched for
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
    """Maxima and the inputs that attain them, which get the gradients."""

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
    """Soft maxima; the shares of the terms are recomputed for the gradient."""

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
