"""Warning categories of this package."""

import os
import sys
import warnings

import sklearn

__all__ = ["DegenerateFitWarning"]


class DegenerateFitWarning(UserWarning):
    """Degenerate fit: one class is predicted for all samples, or many lie on the boundary."""


_OURS = (os.path.dirname(__file__), os.path.dirname(sklearn.__file__))


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn with the location of the caller outside this package and scikit-learn.

    Parameters
    ----------
    message : str
        Text of the warning.
    category : type
        Category of the warning.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
