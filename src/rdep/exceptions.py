"""Warnings of this package."""

__all__ = ["DegenerateFitWarning"]


class DegenerateFitWarning(UserWarning):
    """A fit ended where it tells little: one class for all samples, or many at the boundary."""
