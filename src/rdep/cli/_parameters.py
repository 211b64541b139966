"""Parameters of a classifier as they are typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_WORDS: dict[str, Any] = {"none": None, "null": None, "true": True, "false": False}


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Parameters by name, from texts NAME=VALUE."""
    parameters: dict[str, Any] = {}
    for text in settings:
        name, found, value = (part.strip() for part in text.partition("="))
        if not name or not found:
            raise ValueError(f"--set {text!r} should read NAME=VALUE, such as --set dep__C=0.1")
        if name in parameters:
            raise ValueError(f"--set gives the parameter {name!r} twice: leave one out")
        parameters[name] = parse_value(value)
    return parameters


def parse_value(text: str) -> Any:
    """None, a truth value, a number, a list of numbers, or else the text itself."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        if "," in text:  # a comma at the end makes a list of one number
            return [_number(item) for item in text.removesuffix(",").split(",")]
        return _number(text)
    except ValueError:
        return text


def parse_class_weight(text: str) -> str | dict[str, float]:
    """``balanced``, or weights by class."""
    if text == "balanced":
        return text
    try:
        pairs = [item.rpartition("=") for item in text.split(",")]
        return {label.strip(): float(weight) for label, _, weight in pairs}
    except ValueError as error:
        raise ValueError(
            f"--class-weight {text!r} should be `balanced` or read LABEL=NUMBER,LABEL=NUMBER"
        ) from error


def merged(flags: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Parameters with flags of their own, where given, and those of ``--set``."""
    given = {name: value for name, value in flags.items() if value is not None}
    for name in given:
        if name in settings:
            flag = name.replace("_", "-")
            raise ValueError(f"--{flag} and --set give the parameter {name!r} twice: leave one out")
    return given | settings


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
