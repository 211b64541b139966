"""Layer of linear activations: every input times a learned factor."""

from __future__ import annotations

from torch import Tensor, nn

from ._shapes import check_width, normal


class Diagonal(nn.Module):
    r"""Linear activations: :math:`y_i = d_i x_i`.

    Between dilations and erosions, they make a network a universal approximator. With a negative
    factor, the network need not increase with its inputs. With a factor beyond 1, it need not be
    non-expansive.

    Parameters
    ----------
    features : int
        Number of inputs and of outputs.
    scale : float, default=1.0
        Standard deviation of the normal distribution of the initial factors.

    Attributes
    ----------
    factors : Parameter of shape (features,)
        The factors d.

    References
    ----------
    K. Fotopoulos and P. Maragos, "Training deep morphological neural networks as universal
    approximators", arXiv:2505.09710, 2025.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import Diagonal
    >>> layer = Diagonal(2)
    >>> _ = layer.factors.data.copy_(torch.tensor([2.0, -1.0]))
    >>> layer(torch.tensor([[1.0, 1.0]])).tolist()
    [[2.0, -1.0]]
    """

    __module__ = "rdep.networks.layers"

    def __init__(self, features: int, *, scale: float = 1.0) -> None:
        super().__init__()
        self.features = features
        self.factors = normal(features, scale=scale)

    def forward(self, x: Tensor) -> Tensor:
        """Compute the outputs for a batch of shape (n_samples, features)."""
        check_width(self, x, self.features)
        return x * self.factors

    def extra_repr(self) -> str:
        """Parameters in ``repr``."""
        return f"{self.features}"
