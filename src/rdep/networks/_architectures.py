"""Architectures of networks by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from .layers import DEP, Box, Diagonal, MaxMinPlus, MaxPlus, MinPlus, RankLinear

# Standard deviation of the factors between max-min-plus layers, as of a uniform distribution of
# width 1.
_SCALE = 1 / 12**0.5


@dataclass(frozen=True)
class Shape:
    """Widths of the layers of a network, and temperature of its extrema."""

    n_inputs: int
    units: Sequence[int]
    n_outputs: int
    n_boxes: int
    temperature: float


class Parallel(nn.Module):
    """Parallel layers on the same input."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x: Tensor) -> Tensor:
        """Concatenate the outputs of all layers."""
        return torch.cat([layer(x) for layer in self.layers], 1)


class Mirrored(nn.Module):
    """Every input and its negative."""

    def forward(self, x: Tensor) -> Tensor:
        """(x, −x)."""
        return torch.cat([x, -x], 1)


def build(architecture: str, shape: Shape) -> nn.Module:
    """Build a network with random weights."""
    return nn.Sequential(*ARCHITECTURES[architecture](shape))


def _dense(shape: Shape) -> list[nn.Module]:
    """Blocks of dilations and as many erosions, each followed by a linear layer."""
    layers: list[nn.Module] = []
    n_inputs = shape.n_inputs
    for k, units in enumerate(shape.units):
        # Glorot's scale: larger weights would outweigh the inputs, and most terms would never be
        # maximal.
        soft: dict[str, Any] = {
            "bias": True,
            "temperature": shape.temperature,
            "scale": (2 / (n_inputs + units)) ** 0.5,
        }
        eroding = units // 2
        last = k + 1 == len(shape.units)
        n_outputs = shape.n_outputs if last else units
        layers += [
            Parallel(MaxPlus(n_inputs, units - eroding, **soft), MinPlus(n_inputs, eroding, **soft))
            if eroding
            else MaxPlus(n_inputs, units, **soft),
            nn.Linear(units, n_outputs, bias=False),
        ]
        n_inputs = n_outputs
    return layers


def _hybrid_box_linear(shape: Shape) -> list[nn.Module]:
    """Boxes, then linear layers."""
    first, *others = shape.units
    layers: list[nn.Module] = [Box(shape.n_inputs, first, temperature=shape.temperature)]
    widths = [first, *others, shape.n_outputs]
    return layers + _linear(widths)


def _hybrid_linear_box(shape: Shape) -> list[nn.Module]:
    """Linear layers, then boxes of every class."""
    widths = [shape.n_inputs, *shape.units]
    boxes = Box(widths[-1], shape.n_outputs, n_boxes=shape.n_boxes, temperature=shape.temperature)
    return [*_linear(widths), boxes]


def _linear(widths: list[int]) -> list[nn.Module]:
    """Linear layers, with rectifiers between them."""
    layers: list[nn.Module] = []
    for n_inputs, n_outputs in pairwise(widths):
        layers += [nn.Linear(n_inputs, n_outputs), nn.ReLU()]
    return layers[:-1]


def _max_min_plus(shape: Shape) -> list[nn.Module]:
    """Sums of a dilation and an erosion with the same weights, with factors between layers."""
    layers: list[nn.Module] = []
    widths = [shape.n_inputs, *shape.units, shape.n_outputs]
    for k, (n_inputs, n_outputs) in enumerate(pairwise(widths)):
        layers += [
            MaxMinPlus(n_inputs, n_outputs, zero_weights=k == 0, temperature=shape.temperature),
            Diagonal(n_outputs, scale=_SCALE),
        ]
    return layers[:-1]


def _min_max_plus(shape: Shape) -> list[nn.Module]:
    """Dilations of (x, −x), then erosions, with factors before each."""
    layers: list[nn.Module] = []
    n_inputs = shape.n_inputs
    soft: dict[str, Any] = {"shift": True, "temperature": shape.temperature}
    for k, units in enumerate(shape.units):
        n_outputs = shape.n_outputs if k + 1 == len(shape.units) else units
        layers += [
            Mirrored(),
            Diagonal(2 * n_inputs),
            MaxPlus(2 * n_inputs, units, **soft),
            Diagonal(units),
            MinPlus(units, n_outputs, **soft),
        ]
        n_inputs = n_outputs
    return layers


def _mrl(shape: Shape) -> list[nn.Module]:
    """Morphological/rank/linear nodes with a sigmoid between layers."""
    layers: list[nn.Module] = []
    widths = [shape.n_inputs, *shape.units, shape.n_outputs]
    for n_inputs, n_outputs in pairwise(widths):
        layers += [RankLinear(n_inputs, n_outputs), nn.Tanh()]
    return layers[:-1]


def _dep(shape: Shape) -> list[nn.Module]:
    """One dilation-erosion perceptron for two classes, or one for each of more than two."""
    return [DEP(shape.n_inputs, shape.n_outputs, temperature=shape.temperature)]


ARCHITECTURES: dict[str, Callable[[Shape], list[nn.Module]]] = {
    "dense": _dense,
    "hybrid-box-linear": _hybrid_box_linear,
    "hybrid-linear-box": _hybrid_linear_box,
    "max-min-plus": _max_min_plus,
    "min-max-plus": _min_max_plus,
    "mrl": _mrl,
    "dep": _dep,
}
