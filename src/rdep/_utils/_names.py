"""Names that are not known: which of the known ones may be meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LIMIT = 3


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """The known names that resemble a name, in upper or lower case, the nearest first."""
    lower = {candidate.lower(): candidate for candidate in known}
    return [lower[match] for match in get_close_matches(name.lower(), lower, n=_LIMIT, cutoff=0.5)]


def did_you_mean(names: list[str]) -> str:
    """The question that offers names."""
    return f"did you mean {' or '.join(map(repr, names))}?"


def unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    """A message that offers the nearest of the known names, or lists them."""
    known = list(known)
    near = nearest_names(name, known)
    hint = did_you_mean(near) if near else f"known: {', '.join(known)}"
    return f"unknown {what} {name!r}; {hint}"
