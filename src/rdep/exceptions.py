"""Warning categories of this package."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sklearn

__all__ = ["DegenerateFitWarning"]


class DegenerateFitWarning(UserWarning):
    """Degenerate fit: one class is predicted for all samples, or many lie on the boundary.

    Parameters
    ----------
    trouble : str
        What is wrong with the fit.
    settings : mapping
        Parameters of the estimator that was fitted, with values that can help.
    others : iterable of str
        What can help besides.
    """

    def __init__(
        self, trouble: str, settings: Mapping[str, Any] | None = None, others: Iterable[str] = ()
    ):
        self.trouble = trouble
        self.settings = dict(settings or {})
        self.others = tuple(others)
        super().__init__(self.text(lambda name, value: f"{name}={value!r}"))

    def text(self, setting: Callable[[str, Any], str]) -> str:
        """The warning in the words of an interface.

        Parameters
        ----------
        setting : callable
            Text of a parameter, given its name and value.

        Returns
        -------
        str
        """
        helps = [setting(name, value) for name, value in self.settings.items()]
        helps += self.others
        advice = (
            f"What can help: {'; '.join(helps)}."
            if helps
            else "The features may say little about the classes, at least in the direction in "
            "which they are increasing."
        )
        return f"Degenerate fit: {self.trouble}. {advice}"


_OURS = (os.path.dirname(__file__), os.path.dirname(sklearn.__file__))


def warn_caller(message: str | Warning, category: type[Warning] | None = None) -> None:
    """Warn with the location of the caller outside this package and scikit-learn.

    Parameters
    ----------
    message : str or Warning
        Text of the warning, or the warning itself.
    category : type or None, default=None
        Category of the warning, where only its text is given.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
