"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str,
    typer.Argument(help="Table as CSV, Parquet or ARFF, gzipped or not, or `-` (standard input)."),
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
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonLines = Annotated[bool, typer.Option("--json", help="Write JSON lines instead of CSV.")]
OutputFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Output file; standard output by default."),
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
