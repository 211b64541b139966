"""Losses of a network's outputs, sample by sample: one output for two classes, or one for each."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional


def cross_entropy(values: Tensor, codes: Tensor) -> Tensor:
    """Negative logarithm of the probability of the class; one output is its log-odds."""
    if values.shape[1] == 1:
        return functional.binary_cross_entropy_with_logits(
            values[:, 0], codes.to(values.dtype), reduction="none"
        )
    return functional.cross_entropy(values, codes, reduction="none")


def hinge(values: Tensor, codes: Tensor) -> Tensor:
    """How far the outputs are from being 1 for the class and −1 for others, where they are less."""
    return (1 - values * _signs(values, codes)).clamp(min=0).sum(1)


def squared(values: Tensor, codes: Tensor) -> Tensor:
    """Squared differences of the outputs from 1 for the class and −1 for others."""
    return ((values - _signs(values, codes)) ** 2).sum(1)


def _signs(values: Tensor, codes: Tensor) -> Tensor:
    if values.shape[1] == 1:
        return 2 * codes.to(values.dtype)[:, None] - 1
    return 2 * functional.one_hot(codes, values.shape[1]).to(values.dtype) - 1


LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "cross-entropy": cross_entropy,
    "hinge": hinge,
    "squared": squared,
}


def predicted_codes(values: Tensor) -> Tensor:
    """The code of the class that is predicted."""
    if values.shape[1] == 1:
        return (values[:, 0] > 0).to(torch.int64)
    return values.argmax(1)
