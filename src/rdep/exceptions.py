"""Warnings of this package."""

import os
import sys
import warnings

import sklearn

__all__ = ["DegenerateFitWarning"]


class DegenerateFitWarning(UserWarning):
    """A fit ended where it tells little: one class for all samples, or many at the boundary."""


_OURS = (os.path.dirname(__file__), os.path.dirname(sklearn.__file__))


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn at the line, outside this package and scikit-learn, that led here."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
