"""How the text of a file is to be read, where that cannot be seen from the file itself."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

_NAMED_SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " "}


@dataclass(frozen=True)
class ReadOptions:
    """How to read a table that does not explain itself.

    The options describe one file, not a model: a model that was fitted on a file with decimal
    commas predicts a Parquet file as well. Files that are not text have no use for the first three.

    Parameters
    ----------
    sep : str or None, default=None
        What separates the cells of a line: one character, ``"tab"`` or ``"space"``. None finds
        out which of comma, semicolon, tab and bar it is.
    decimal : {".", ","} or None, default=None
        The decimal mark of numbers. None takes a comma where cells are not separated by commas
        and the first rows leave no doubt, else a point.
    encoding : str or None, default=None
        A name of an encoding that Python knows, such as ``"latin-1"``. None is UTF-8, or what a
        byte order mark says.
    na_values : tuple of str, default=()
        Further cells that stand for a missing value, such as ``"n.a."`` or ``"-999"``.

    Examples
    --------
    >>> from rdep.tables import ReadOptions
    >>> ReadOptions(sep="space", decimal=",").sep
    ' '
    """

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    na_values: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.sep is not None:
            object.__setattr__(self, "sep", _NAMED_SEPARATORS.get(self.sep, self.sep))
            if len(self.sep) != 1 or not self.sep.isascii() or self.sep in '"\r\n\0':
                raise ValueError(
                    f"sep (--sep) must be one ASCII character, 'tab' or 'space', got {self.sep!r}"
                )
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"decimal (--decimal) must be '.' or ',', got {self.decimal!r}")
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
                codecs.getincrementaldecoder(self.encoding)
            except (LookupError, UnicodeError, ValueError) as error:
                raise ValueError(
                    f"encoding (--encoding) {self.encoding!r} is not known: try utf-8, utf-16, "
                    "latin-1 or cp1252"
                ) from error
