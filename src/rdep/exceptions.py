"""Warning categories of this package."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import sklearn

__all__ = ["DegenerateFitWarning", "DirectionWarning", "ExtremeValueWarning", "LongFitWarning"]


class DegenerateFitWarning(UserWarning):
    """Degenerate fit: one class is predicted for all samples, or many lie on the boundary.

    Parameters
    ----------
    trouble : str
        Description of the problem.
    settings : mapping
        Parameters of the fitted estimator, with values that can help.
    is_reduced : bool
        Whether the estimator was fitted in the space of an ordering, as in an r-DEP.
    """

    _head = "Degenerate fit"

    def __init__(
        self, trouble: str, settings: Mapping[str, Any] | None = None, is_reduced: bool = False
    ):
        self.trouble = trouble
        self.settings = dict(settings or {})
        self.is_reduced = is_reduced
        super().__init__(self.text(lambda name, value: f"{name}={value!r}", "RDEPClassifier"))

    def inside(
        self, part: str, besides: Mapping[str, Any] | None = None, chosen: tuple[str, ...] = ()
    ) -> DegenerateFitWarning:
        """Return the same warning with the parameters of the outer estimator.

        Parameters
        ----------
        part : str
            Parameter of the outer estimator that holds the fitted estimator.
        besides : mapping or None, default=None
            Further parameters of the outer estimator, with values that can help.
        chosen : tuple of str, default=()
            Parameters of the fitted estimator that the outer estimator chooses itself.

        Returns
        -------
        DegenerateFitWarning
        """
        # The features of an inner estimator are not the user's: advice on their signs is useless.
        left_out = ("monotonic_cst", *chosen)
        own = {f"{part}__{k}": value for k, value in self.settings.items() if k not in left_out}
        return DegenerateFitWarning(self.trouble, {**own, **(besides or {})}, is_reduced=True)

    def against_the_rest(self, label: Any) -> DegenerateFitWarning:
        """Return the same warning for a fit on one class (True) against all others (False)."""
        trouble = self.trouble.replace("as class True", f"as class {label!r}")
        trouble = trouble.replace("as class False", "as one of the others")
        trouble = f"class {label!r} against the rest: {trouble}"
        return DegenerateFitWarning(trouble, self.settings, self.is_reduced)

    def text(self, setting: Callable[[str, Any], str], reduced: str) -> str:
        """The warning in the words of an interface.

        Parameters
        ----------
        setting : callable
            Text of a parameter, given its name and value.
        reduced : str
            Name of an r-DEP.

        Returns
        -------
        str
        """
        # One of the parameters alone seldom helps: benchmarks/degenerate.py.
        settings = ", ".join(setting(name, value) for name, value in self.settings.items())
        helps = [f"{settings}, all together" if len(self.settings) > 1 else settings]
        helps = helps if settings else []
        if not self.is_reduced:
            helps.insert(0, f"{reduced}, which learns features that grow with the positive class")
        advice = (
            f"What can help: {'; '.join(helps)}."
            if helps
            else "The features may say little about the classes, at least in the direction in "
            "which they are increasing."
        )
        return f"{self._head}: {self.trouble}. {advice}"


class DirectionWarning(DegenerateFitWarning):
    """Warning that features fall with the positive class and would do clearly better negated."""

    _head = "The features fall with the positive class"


class ExtremeValueWarning(UserWarning):
    """Warning of a decision value far beyond all others, with the sample that has it."""


class LongFitWarning(UserWarning):
    """Warning before a fit that is expected to take long.

    Parameters
    ----------
    n_samples : int
        Number of training samples.
    seconds : float
        Estimated duration of the fit, from the size of the data alone.
    faster_seconds : float or None, default=None
        Estimated duration with the ordering ``"mixed"``, if that is much shorter.
    """

    def __init__(self, n_samples: int, seconds: float, faster_seconds: float | None = None):
        self.n_samples = n_samples
        self.seconds = seconds
        self.faster_seconds = faster_seconds
        advice = "verbose=1 shows the progress"
        super().__init__(f"{self.text('samples', 'ordering={!r}'.format)}; {advice}")

    def text(self, samples: str, faster: Callable[[str], str]) -> str:
        """The warning in the words of an interface.

        Parameters
        ----------
        samples : str
            Word for the samples.
        faster : callable
            Text of an ordering as a setting, given its name.

        Returns
        -------
        str
        """
        text = (
            f"fitting on {self.n_samples:,} {samples} will take {_in_words(self.seconds)}, by a "
            "rough estimate from the size of the data"
        )
        if self.faster_seconds is not None:
            text += f"; with {faster('mixed')} {_in_words(self.faster_seconds)}"
        return text


def _in_words(seconds: float) -> str:
    if seconds < 90:
        return f"about {10 * max(1, round(seconds / 10))} seconds"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} minutes"
    return f"about {round(seconds / 3600)} hours"


_OURS = (os.path.dirname(__file__), os.path.dirname(sklearn.__file__))


def warn_caller(message: str | Warning, category: type[Warning] | None = None) -> None:
    """Warn with the location of the caller outside this package and scikit-learn.

    Parameters
    ----------
    message : str or Warning
        Text of the warning, or the warning itself.
    category : type or None, default=None
        Category of the warning, if ``message`` is a text.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
