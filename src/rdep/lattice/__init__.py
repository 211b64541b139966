"""The lattice operators on the extended reals: dilation, erosion, and products of matrices."""

from ._operators import dilation, erosion
from ._products import max_plus, min_plus

__all__ = ["dilation", "erosion", "max_plus", "min_plus"]
