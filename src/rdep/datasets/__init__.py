"""Data sets of the paper."""

from ._embedded import TrainTestSplit, load_ripley, make_double_moon

__all__ = ["TrainTestSplit", "load_ripley", "make_double_moon"]
