"""Data sets of the paper."""

from ._embedded import load_ripley, make_double_moon

__all__ = ["load_ripley", "make_double_moon"]
