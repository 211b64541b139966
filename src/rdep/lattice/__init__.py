"""The lattice operators: dilation and erosion on the extended reals."""

from ._operators import dilation, erosion

__all__ = ["dilation", "erosion"]
