"""Layers of dilations and erosions: max-plus and min-plus products with learned weights."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from ._products import CORRELATION, SUBGRADIENT, max_plus, min_plus
from ._shapes import check_temperature, check_width, normal


class MaxPlus(nn.Module):
    r"""Dilations: :math:`y_o = \max(b_o, \max_i (x_i + w_{oi})) + c_o`.

    Without bias it is increasing, translation-equivariant and non-expansive in the supremum norm,
    and so is every sequence of such layers. Such a network is therefore not a universal
    approximator; put :class:`Diagonal` or linear layers between them.

    The gradient is that of the maximal term (the first one if several are equal): a Clarke
    subgradient, with one entry for each sample and output. Weights of −∞ are never maximal.

    Parameters
    ----------
    in_features, out_features : int
        Numbers of inputs and outputs.
    bias : bool, default=False
        Whether the maximum includes a constant, the weight of a further input that is 0.
    shift : bool, default=False
        Whether a constant is added to the maximum.
    temperature : float, default=0.0
        Temperature T of the soft maximum, T log Σ exp(·/T); 0 is the maximum.
    scale : float, default=1.0
        Standard deviation of the normal distribution of the initial parameters.

    Attributes
    ----------
    weight : Parameter of shape (out_features, in_features)
        Weights.
    bias, shift : Parameter of shape (out_features,) or None
        The constants b and c.
    rule : {"subgradient", "correlation"}
        Gradient of the weights in back-propagation, or its substitute; see
        ``MorphologicalNetworkClassifier(optimiser="correlational")``.

    References
    ----------
    G. X. Ritter and P. Sussner, "An introduction to morphological neural networks", ICPR 1996.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import MaxPlus
    >>> layer = MaxPlus(2, 1)
    >>> _ = layer.weight.data.copy_(torch.tensor([[1.0, -1.0]]))
    >>> layer(torch.tensor([[0.0, 5.0], [3.0, 1.0]])).tolist()
    [[4.0], [4.0]]
    """

    __module__ = "rdep.networks.layers"
    _product = staticmethod(max_plus)
    _sign = 1

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        bias: bool = False,
        shift: bool = False,
        temperature: float = 0.0,
        scale: float = 1.0,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.temperature = check_temperature(temperature)
        self.rule = SUBGRADIENT
        self.weight = normal(out_features, in_features, scale=scale)
        self.shift = normal(out_features, scale=scale) if shift else None
        self.bias = normal(out_features, scale=scale) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        """Compute the outputs for a batch of shape (n_samples, in_features)."""
        check_width(self, x, self.in_features)
        weight = self.weight
        if self.bias is not None:
            x = torch.cat([x, x.new_zeros(len(x), 1)], 1)
            weight = torch.cat([weight, self.bias[:, None]], 1)
        y = self._product(x, weight, temperature=self.temperature, rule=self.rule)
        return y if self.shift is None else y + self.shift

    @torch.no_grad()
    def normalise(self) -> None:
        """Subtract the (soft) maximum from every row of the weights; the minimum for min-plus.

        The multiplicative weights of correlational training, exp w, then have the maximum 1, or the
        sum 1 if there is a temperature.
        """
        rows = self.weight if self.bias is None else torch.cat([self.weight, self.bias[:, None]], 1)
        if self.temperature > 0:
            extreme = self.temperature * (self._sign * rows / self.temperature).logsumexp(1)
        else:
            extreme = (self._sign * rows).amax(1)
        extreme = self._sign * extreme
        self.weight -= extreme[:, None]
        if self.bias is not None:
            self.bias -= extreme

    def train_by_correlation(self, yes: bool = True) -> None:
        """Set whether back-propagation replaces the gradient of the weights by correlations."""
        self.rule = CORRELATION if yes else SUBGRADIENT

    def extra_repr(self) -> str:
        """Parameters in ``repr``."""
        text = f"{self.in_features}, {self.out_features}, bias={self.bias is not None}"
        if self.shift is not None:
            text += ", shift=True"
        return text + (f", temperature={self.temperature:g}" if self.temperature else "")


class MinPlus(MaxPlus):
    r"""Erosions: :math:`y_o = \min(b_o, \min_i (x_i + w_{oi})) + c_o`.

    The dual of :class:`MaxPlus`: :math:`\varepsilon_w(x) = -\delta_{-w}(-x)`. Parameters,
    attributes, gradient and soft version are those of :class:`MaxPlus`.

    References
    ----------
    G. X. Ritter and P. Sussner, "An introduction to morphological neural networks", ICPR 1996.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import MinPlus
    >>> layer = MinPlus(2, 1)
    >>> _ = layer.weight.data.copy_(torch.tensor([[1.0, -1.0]]))
    >>> layer(torch.tensor([[0.0, 5.0], [3.0, 2.0]])).tolist()
    [[1.0], [1.0]]
    """

    __module__ = "rdep.networks.layers"
    _product = staticmethod(min_plus)
    _sign = -1
