"""Suggestions for unknown names: "Did you mean …?"."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LIMIT = 3


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Known names that resemble a name, ignoring case, the nearest first."""
    lower = {candidate.lower(): candidate for candidate in known}
    return [lower[match] for match in get_close_matches(name.lower(), lower, n=_LIMIT, cutoff=0.5)]


def did_you_mean(names: list[str]) -> str:
    """Question that suggests names."""
    return f"did you mean {' or '.join(map(repr, names))}?"


def unknown_name(what: str, name: str, known: Iterable[str]) -> str:
    """Message that suggests the nearest known names, or lists all of them."""
    known = list(known)
    near = nearest_names(name, known)
    hint = did_you_mean(near) if near else f"known: {', '.join(known)}"
    return f"unknown {what} {name!r}; {hint}"
