"""Layers of dilations and erosions of images with learned structuring functions."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from ._shapes import check_temperature


class Dilation2d(nn.Module):
    r"""Dilation of every channel of an image by its own structuring function.

    .. math::

        y_c(p) = \max_o \bigl(x_c(s p - o) + w_c(o)\bigr)

    with the offsets :math:`o` of the structuring function and the stride :math:`s`. With a stride
    it is a learned pooling, and max-pooling if the weights are 0. Its values at stride 1 are those
    of ``scipy.ndimage.grey_dilation``, for even sizes too. Pixels outside the image are −∞.

    The gradient is that of the first maximal term, a Clarke subgradient. The packages serron and
    morphocore have layers that combine channels, with kernels for graphics cards.

    Parameters
    ----------
    channels : int
        Number of channels.
    size : int or pair of int
        Height and width of the structuring function.
    stride : int or pair of int, default=1
        Distance between neighbouring outputs, in pixels of the input.
    temperature : float, default=0.0
        Temperature T of the soft maximum, T log Σ exp(·/T); 0 is the maximum.

    Attributes
    ----------
    weight : Parameter of shape (channels, height, width)
        The structuring functions; they are initially 0, that is, flat.

    References
    ----------
    G. Franchi, A. Fehri and A. Yao, "Deep morphological networks", Pattern Recognition 102, 2020.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import Dilation2d
    >>> image = torch.tensor([[[[0.0, 1.0, 0.0, 0.0]]]])
    >>> Dilation2d(1, (1, 3))(image).tolist()
    [[[[1.0, 1.0, 1.0, 0.0]]]]
    """

    __module__ = "rdep.networks.layers"
    _sign = 1

    def __init__(
        self,
        channels: int,
        size: int | tuple[int, int],
        *,
        stride: int | tuple[int, int] = 1,
        temperature: float = 0.0,
    ) -> None:
        super().__init__()
        self.channels = channels
        self.size, self.stride = _pair(size, "size"), _pair(stride, "stride")
        self.temperature = check_temperature(temperature)
        self.weight = nn.Parameter(torch.zeros(channels, *self.size))

    def forward(self, x: Tensor) -> Tensor:
        """Compute the outputs for images of shape (n_samples, channels, height, width)."""
        if x.ndim != 4 or x.shape[1] != self.channels:
            raise ValueError(
                f"{type(self).__name__} takes images of shape (n, {self.channels}, height, width), "
                f"got {tuple(x.shape)}"
            )
        # A dilation reflects the structuring function. An erosion is −max(w − x).
        weight = self.weight.flip(1, 2) if self._sign > 0 else self.weight
        # SciPy's origin is size // 2; reflection makes the other side the longer one.
        before = [(n - 1) // 2 if self._sign > 0 else n // 2 for n in self.size]
        (top, left), (height, width) = before, self.size
        around = (left, width - 1 - left, top, height - 1 - top)
        padded = pad(self._sign * x, around, value=-torch.inf)
        return self._sign * _Dilation.apply(padded, weight, self.stride, self.temperature)

    def extra_repr(self) -> str:
        """Parameters in ``repr``."""
        return f"{self.channels}, size={self.size}, stride={self.stride}"


class Erosion2d(Dilation2d):
    r"""Erosion of every channel of an image by its own structuring function.

    .. math::

        y_c(p) = \min_o \bigl(x_c(s p + o) - w_c(o)\bigr) ,

    the adjoint of :class:`Dilation2d`, with the values of ``scipy.ndimage.grey_erosion`` at stride
    1. Pixels outside the image are ∞. Parameters, attributes and gradient are those of
    :class:`Dilation2d`.

    References
    ----------
    G. Franchi, A. Fehri and A. Yao, "Deep morphological networks", Pattern Recognition 102, 2020.

    Examples
    --------
    >>> import torch
    >>> from rdep.networks.layers import Erosion2d
    >>> image = torch.tensor([[[[1.0, 2.0, 2.0, 2.0]]]])
    >>> Erosion2d(1, (1, 3))(image).tolist()
    [[[[1.0, 1.0, 2.0, 2.0]]]]
    """

    __module__ = "rdep.networks.layers"
    _sign = -1


class _Dilation(torch.autograd.Function):
    """Dilation offset by offset, so that no tensor has an axis of offsets beside the pixels."""

    @staticmethod
    def forward(ctx, x: Tensor, weight: Tensor, stride, temperature: float) -> Tensor:
        best = where = None
        for k, (part, w) in enumerate(_shifted(x, weight, stride)):
            value = part + w
            if best is None:
                best, where = value.clone(), torch.zeros(value.shape, dtype=torch.int64)
            elif temperature > 0:
                best = temperature * torch.logaddexp(best / temperature, value / temperature)
            else:
                where = torch.where(value > best, k, where)
                best = torch.maximum(best, value)
        ctx.stride, ctx.temperature = stride, temperature
        ctx.save_for_backward(x, weight, best, where)
        return best

    @staticmethod
    def backward(ctx, gradient: Tensor):
        x, weight, y, where = ctx.saved_tensors
        of_x, of_weight = torch.zeros_like(x), torch.zeros_like(weight)
        parts = zip(
            _shifted(x, weight, ctx.stride), _shifted(of_x, of_weight, ctx.stride), strict=True
        )
        for k, ((part, w), (of_part, of_w)) in enumerate(parts):
            if ctx.temperature > 0:
                share = gradient * ((part + w - y) / ctx.temperature).exp()
            else:
                share = gradient * (where == k)
            of_part += share
            of_w += share.sum((0, 2, 3))[:, None, None]
        return of_x, of_weight, None, None


def _shifted(x: Tensor, weight: Tensor, stride) -> Iterator[tuple[Tensor, Tensor]]:
    """Shifted pixels and the value of the structuring function, for each offset."""
    height, width = weight.shape[1:]
    for i in range(height):
        for j in range(width):
            rows = slice(i, x.shape[2] - height + 1 + i, stride[0])
            columns = slice(j, x.shape[3] - width + 1 + j, stride[1])
            yield x[:, :, rows, columns], weight[:, i, j][:, None, None]


def _pair(value: int | tuple[int, int], what: str) -> tuple[int, int]:
    height, width = (value, value) if isinstance(value, int) else value
    if height < 1 or width < 1:
        raise ValueError(f"{what} must be positive, got {value}")
    return height, width
