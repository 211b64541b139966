"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..tables import ReadOptions

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
