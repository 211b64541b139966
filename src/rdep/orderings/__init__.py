"""Reduced orderings: the mapping ρ of an r-DEP as scikit-learn transformers."""

from ._members import DrawnMember

__all__ = ["DrawnMember"]
