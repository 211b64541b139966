"""Arguments and options of several commands, parameters as typed, and the packages needed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .._utils._imports import optional

if TYPE_CHECKING:
    from ..tables import ReadOptions

# Optional packages.
TABLES = ("pandas", "pyarrow")
MODEL_FILES = ("skops",)
FIGURES = ("pandas", "matplotlib", "networkx")
REPORT = (*FIGURES, "jinja2")
_WORDS: dict[str, Any] = {"none": None, "null": None, "true": True, "false": False}

Data = Annotated[
    str,
    typer.Argument(
        help="Table as CSV, Parquet, Feather, ARFF or Excel, compressed or not, or `-` (standard "
        "input)."
    ),
]
Model = Annotated[Path, typer.Argument(help="Model file written by `rdep fit`.")]
Target = Annotated[str, typer.Option("--target", "-t", help="Column with the class labels.")]
Drop = Annotated[
    list[str] | None,
    typer.Option(help="Column to leave out. Several with commas, or the option repeated."),
]
Categorical = Annotated[
    list[str] | None,
    typer.Option(
        help="Column of numbers to be treated as categories. Several with commas, or the option "
        "repeated."
    ),
]
MaxCategories = Annotated[
    int, typer.Option(min=2, help="Maximum number of categories of a column.")
]
Sep = Annotated[
    str | None,
    typer.Option(help="What separates the cells of a CSV file: one character, `tab` or `space`."),
]
Decimal = Annotated[str | None, typer.Option(help="Decimal mark of numbers: `.` or `,`.")]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of a text file, such as `latin-1`; UTF-8 by default.")
]
NaValues = Annotated[
    list[str] | None,
    typer.Option(help="Cell that stands for a missing value, such as `n.a.`. May be repeated."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonLines = Annotated[
    bool, typer.Option("--json", help="Write JSON lines instead of CSV to standard output.")
]
OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Output file, whose ending tells the format: .csv, .csv.gz, .parquet, .json or "
        ".jsonl; standard output by default.",
    ),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(help="Column of the table to copy to the output. May be repeated."),
]
IgnoreExtra = Annotated[
    bool, typer.Option("--ignore-extra", help="Ignore columns that the model does not know.")
]
IgnoreNewCategories = Annotated[
    bool,
    typer.Option(
        "--ignore-new-categories", help="Accept categories that are not in the training table."
    ),
]
AllowPickle = Annotated[
    bool,
    typer.Option(
        "--allow-pickle", help="Load a pickle, which runs the code in it: for your own files only."
    ),
]


def read_options(
    sep: str | None, decimal: str | None, encoding: str | None, na_values: list[str] | None
) -> ReadOptions:
    """How to read the table, as the four options say."""
    from ..tables import ReadOptions

    return ReadOptions(sep, decimal, encoding, tuple(na_values or ()))


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


def require(command: str, *packages: str, extra: str = "cli") -> None:
    """Raise an ``ImportError`` that names the extra, if one of the packages is missing."""
    for package in packages:
        optional(package, f"rdep {command}", extra)
