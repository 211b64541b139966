"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    str, typer.Argument(help="A table: CSV, Parquet or ARFF, gzipped or not; `-`: standard input.")
]
Model = Annotated[Path, typer.Argument(help="A model file that `rdep fit` has written.")]
Target = Annotated[str, typer.Option("--target", "-t", help="Column of the classes.")]
Drop = Annotated[list[str] | None, typer.Option(help="A column to leave out. May be repeated.")]
Categorical = Annotated[
    list[str] | None,
    typer.Option(help="A column of numbers that are categories. May be repeated."),
]
MaxCategories = Annotated[
    int, typer.Option(min=2, help="Refuse columns with more different texts than this.")
]
Json = Annotated[bool, typer.Option("--json", help="JSON, for programs.")]
JsonLines = Annotated[bool, typer.Option("--json", help="JSON lines instead of CSV.")]
OutputFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="File to write; it appears when all is done."),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(help="A column of the table to write as well. May be repeated."),
]
IgnoreExtra = Annotated[
    bool, typer.Option("--ignore-extra", help="Leave aside columns that the model does not know.")
]
IgnoreNewCategories = Annotated[
    bool,
    typer.Option("--ignore-new-categories", help="Accept categories that the model has not seen."),
]
AllowPickle = Annotated[
    bool,
    typer.Option("--allow-pickle", help="Load a pickle, running its code: only if it is yours."),
]
