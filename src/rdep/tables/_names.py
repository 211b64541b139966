"""Names of columns, and how messages list them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

# Files with more columns than this are mostly not tables with one row per sample.
MAX_COLUMNS = 50_000
_SHOWN = 5


def check_names(names: list[str], source: str) -> None:
    """Refuse headers that do not identify every column."""
    if len(names) > MAX_COLUMNS:
        raise ValueError(
            f"{source} has {len(names):,} columns, at most {MAX_COLUMNS:,} can be used: is the "
            "table transposed, or is its whole content in one line?"
        )
    unnamed = [position for position, name in enumerate(names, 1) if not name.strip()]
    if unnamed:
        raise ValueError(f"column {unnamed[0]} of {source} has no name: give it one in the header")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{source} has two columns called {twice!r}: rename or remove one")


def split_names(asked: Iterable[str], found: Collection[str]) -> tuple[str, ...]:
    """Names of columns, where several may be given with commas between them.

    Names may have commas themselves: a text that is the name of a column is that column.
    """
    return tuple(
        name
        for text in asked
        for name in ([text] if text in found else [part.strip() for part in text.split(",")])
        if name
    )


def has_index(names: list[str]) -> bool:
    """Whether the first column, and no other, lacks a name: the index that pandas and R write."""
    return len(names) > 1 and not names[0] and all(names[1:])


def listed(names: Iterable[object]) -> str:
    """The first names for a message, and how many more there are."""
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and {len(names) - _SHOWN:,} more"
