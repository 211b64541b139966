"""Checks of batches and temperatures, and random weights, for all layers."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def check_width(layer: nn.Module, x: Tensor, n_inputs: int) -> None:
    """Refuse a batch that does not fit the layer."""
    if x.ndim != 2 or x.shape[1] != n_inputs:
        raise ValueError(
            f"{type(layer).__name__} expects batches of shape (n, {n_inputs}), got "
            f"{tuple(x.shape)}: the layer before it must have {n_inputs} outputs"
        )


def check_temperature(temperature: float) -> float:
    """Raise an error if a temperature is negative or not finite."""
    if not 0 <= temperature < math.inf:
        raise ValueError(f"temperature must be 0 or a positive number, got {temperature}")
    return float(temperature)


def normal(*shape: int, scale: float = 1.0) -> nn.Parameter:
    """Draw a parameter from the normal distribution with mean 0."""
    return nn.Parameter(scale * torch.randn(*shape))
