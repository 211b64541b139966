"""Display of rules and explanations, and the digits of their numbers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

_MOST_DIGITS = 17
_SHOWN_ROWS = 10


class PrintedRules:
    """Base of rules: one line at a prompt, their text in a notebook and by ``print``."""

    @property
    @abstractmethod
    def n_conditions(self) -> int:
        """Number of conditions."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return the rules as a pandas data frame."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.n_conditions} conditions; print() shows them>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


class PrintedExplanation:
    """Base of explanations: one line at a prompt, a table of the first rows in a notebook."""

    @abstractmethod
    def __len__(self) -> int:
        """Number of samples."""

    @abstractmethod
    def to_frame(self) -> pd.DataFrame:
        """Return the explanation as a pandas data frame."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} samples; to_frame() shows it>"

    def _repr_html_(self) -> str:
        return self.to_frame().to_html(max_rows=_SHOWN_ROWS, escape=True)


def shortest(number: float, is_good: Callable[[float], bool]) -> float:
    """Round to the fewest digits that are good; keep all digits if none are."""
    if not np.isfinite(number):
        return number
    if is_good(0.0):
        return 0.0
    for digits in range(1, _MOST_DIGITS):
        rounded = float(f"{number:.{digits}g}")
        if is_good(rounded):
            return rounded
    return number


def within(number: float, error: float) -> float:
    """Round to the fewest digits that keep the number within an error."""
    return shortest(number, lambda rounded: abs(rounded - number) <= error)


def digits(number: float) -> str:
    """Format a number with all its digits."""
    return repr(float(number)).removesuffix(".0")


def signed(number: float) -> str:
    """Format a number with all its digits and its sign."""
    text = digits(number)
    return text if text.startswith("-") else f"+{text}"
