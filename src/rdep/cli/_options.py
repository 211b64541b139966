"""Arguments and options shared by commands, parsing of parameters, and required packages."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from .._registry import classifiers, regressors
from .._utils._imports import optional
from ..orderings import OrderingName

if TYPE_CHECKING:
    from ..tables import ReadOptions

# Optional packages.
TABLES = ("pandas", "pyarrow")
MODEL_FILES = ("skops",)
FIGURES = ("pandas", "matplotlib", "networkx")
REPORT = (*FIGURES, "jinja2")
_WORDS: dict[str, Any] = {"none": None, "null": None, "true": True, "false": False}

# Names of the estimators that can predict a quantile.
QUANTILES = ("linear_dep", "dep")
_SIGNS = {"+": 1, "+1": 1, "1": 1, "-": -1, "-1": -1, "0": 0}

# Parameters of the library that are options of the command, with the same name.
TRANSLATED = frozenset(
    {
        "allow_pickle", "calibrate", "categorical", "class_weight", "data_dir", "decimal", "drop",
        "drop_unlabelled", "encoding", "estimator", "ignore_extra", "ignore_new_categories", "json",
        "keep", "keep_missing", "max_categories", "memory", "na_values", "number", "ordering",
        "pickle", "positive", "sep", "sheet", "skip_rows", "task", "threshold",
    }
)  # fmt: skip
_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b"
_VALUE = rf"""{_QUOTED}|\((?:(?:{_QUOTED}),? ?)+\)|(?:True|None)\b|{_NUMBER}|…"""
# Texts in quotes, such as names of columns, come first: nothing is translated in them. Options
# after --set are not translated either.
_PHRASE = re.compile(
    rf"(?<!\w)(?:{_QUOTED})(?!\w)"
    r"|(?<!--set )(?P<record>ReadOptions\()?"
    rf"\b(?P<name>[A-Za-z]\w*)=(?P<value>{_VALUE})(?(record)\))"
)

Data = Annotated[
    str,
    typer.Argument(
        help="Table as CSV, Parquet, Feather, ARFF, JSON lines or Excel, compressed or not, or `-` "
        "(standard input)."
    ),
]
Model = Annotated[Path, typer.Argument(help="Model file written by `rdep fit`.")]
TrainingData = Annotated[
    str,
    typer.Argument(
        help="Table as CSV, Parquet, Feather, ARFF, JSON lines or Excel, compressed or not, or `-` "
        "(standard input); or a folder of such files, which is read in blocks."
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Read the table in blocks, and stay within this memory, such as `2GB`. For tables "
        "larger than memory, and for folders, where it is `2GB` by default.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="tcp://HOST:PORT",
        help="Train on the Dask cluster of this scheduler, one task for each file of a folder. Its "
        "workers need the same files and the same packages.",
    ),
]
Target = Annotated[
    str, typer.Option("--target", "-t", help="Column of the classes, or of the numbers to predict.")
]
Drop = Annotated[
    list[str] | None,
    typer.Option(help="Column to leave out. Several with commas, or the option repeated."),
]
Categorical = Annotated[
    list[str] | None,
    typer.Option(
        help="Column of numbers to treat as categories. Several with commas, or the option "
        "repeated."
    ),
]
Number = Annotated[
    list[str] | None,
    typer.Option(
        help="Column of numbers with other characters, such as $1,025.74 or 3.1%; the model "
        "reads them as numbers in new tables, too. Several with commas, or the option repeated."
    ),
]
DropUnlabelled = Annotated[
    bool, typer.Option("--drop-unlabelled", help="Leave out rows without a target.")
]
MaxCategories = Annotated[
    int, typer.Option(min=2, help="Maximum number of categories of a column.")
]
Sep = Annotated[
    str | None,
    typer.Option(help="Separator of the cells of a CSV file: one character, `tab` or `space`."),
]
Decimal = Annotated[str | None, typer.Option(help="Decimal mark of numbers: `.` or `,`.")]
Encoding = Annotated[
    str | None, typer.Option(help="Encoding of a text file, such as `latin-1`; UTF-8 by default.")
]
NaValues = Annotated[
    list[str] | None,
    typer.Option(help="Cell that stands for a missing value, such as `n.a.`. May be repeated."),
]
Sheet = Annotated[
    str | None,
    typer.Option(
        help="Sheet of a workbook, by its name or number; the first one with content by default."
    ),
]
SkipRows = Annotated[
    int, typer.Option(min=0, help="Number of lines, or rows of a sheet, above the header.")
]
EstimatorName = Annotated[
    str,
    typer.Option(
        help="A classifier with its defaults: "
        f"{', '.join(classifiers())}. Or `paper`: the r-DEP of the paper's experiment. To predict "
        f"a number: {', '.join(regressors())}.",
        autocompletion=lambda: list(dict.fromkeys([*classifiers(), "paper", *regressors()])),
    ),
]
TaskName = Annotated[
    Literal["auto", "classification", "regression"],
    typer.Option(
        help="Whether to predict classes or a number. `auto` predicts a number if the target has "
        "numbers that are not all whole, or more than 20 different whole numbers."
    ),
]
Quantile = Annotated[
    float | None,
    typer.Option(
        help="Quantile of the number to predict, between 0 and 1, such as 0.9; for the estimators "
        f"{' and '.join(QUANTILES)}."
    ),
]
Monotonic = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN=+,COLUMN=-",
        help="Columns with which the prediction, or the decision value, must grow (+) or fall (-); "
        "`auto` takes all directions from the table. A DEP grows with every column that is not "
        "named. Several with commas.",
    ),
]
Ordering = Annotated[
    OrderingName | None, typer.Option(help="Ordering ρ of an r-DEP that predicts classes.")
]
ClassWeight = Annotated[
    str | None, typer.Option(help="`balanced`, or weights by class: `good=1,bad=5`.")
]
RandomState = Annotated[int | None, typer.Option(help="Seed of the random number generator.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Parameter of the estimator by its name in Python, such as `dep__C=0.1` or "
        "`scale_ordering=false`. The value is none, true, false, a number, several numbers "
        "with commas, or a text. May be repeated.",
    ),
]
Positive = Annotated[
    str | None,
    typer.Option(
        help="Positive class of two, for thresholds, costs and scores such as f1; by default the "
        "second in alphabetical order. The fit does not depend on it."
    ),
]
Threshold = Annotated[
    str | None,
    typer.Option(
        metavar="balanced|cost|NUMBER",
        help="Probability from which on the positive class is predicted: a number such as 0.5; "
        "`balanced`, the share of this class in the table; or `cost`, from --cost. Classifiers "
        "other than rdep and box_score need --calibrate.",
    ),
]
Cost = Annotated[
    str | None,
    typer.Option(
        metavar="fn=NUMBER,fp=NUMBER",
        help="Costs of a missed positive row (fn) and of a false alarm (fp): the threshold of the "
        "lowest expected cost is used.",
    ),
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
        help="Output file. Its ending determines the format: .csv, .csv.gz, .parquet, .json or "
        ".jsonl. Standard output by default.",
    ),
]
Keep = Annotated[
    list[str] | None,
    typer.Option(
        help="Column of the table to copy to the output. Several with commas, or the option "
        "repeated."
    ),
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
        "--allow-pickle", help="Load a pickle, which runs the code in it. Only for your own files."
    ),
]


def read_options(
    sep: str | None,
    decimal: str | None,
    encoding: str | None,
    na_values: list[str] | None,
    sheet: str | None = None,
    skip_rows: int = 0,
) -> ReadOptions:
    """Collect the options for reading a table."""
    from ..tables import ReadOptions

    return ReadOptions(sep, decimal, encoding, tuple(na_values or ()), sheet, skip_rows)


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Parse texts NAME=VALUE into a dictionary of parameters."""
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
    """Parse None, a truth value, a number or a list of numbers; return other texts unchanged."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        if "," in text:  # a comma at the end makes a list of one number
            return [_number(item) for item in text.removesuffix(",").split(",")]
        return _number(text)
    except ValueError:
        return text


def parse_class_weight(text: str) -> str | dict[str, float]:
    """Parse ``balanced``, or weights by class."""
    if text == "balanced":
        return text
    try:
        pairs = [item.rpartition("=") for item in text.split(",")]
        return {label.strip(): float(weight) for label, _, weight in pairs}
    except ValueError as error:
        raise ValueError(
            f"--class-weight {text!r} should be `balanced` or read LABEL=NUMBER,LABEL=NUMBER"
        ) from error


def parse_threshold(text: str | None) -> float | str | None:
    """Parse a number, or return the name of a rule."""
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def parse_cost(text: str | None) -> dict[str, float] | None:
    """Parse costs ``fn=5,fp=1``."""
    if text is None:
        return None
    try:
        pairs = [item.partition("=") for item in text.split(",")]
        return {name.strip(): float(value) for name, _, value in pairs}
    except ValueError as error:
        raise ValueError(f"--cost {text!r} should read fn=NUMBER,fp=NUMBER") from error


def parse_monotonic(text: str | None) -> str | dict[str, int] | None:
    """Parse ``auto``, or signs by column."""
    if text is None or text == "auto":
        return text
    pairs = [item.rpartition("=") for item in text.split(",")]
    signs = {column.strip(): _SIGNS.get(sign.strip()) for column, _, sign in pairs}
    if None in signs.values() or "" in signs:
        raise ValueError(
            f"--monotonic {text!r} should be `auto` or read COLUMN=+,COLUMN=-, such as "
            "--monotonic income=+,debts=-"
        )
    return {column: sign for column, sign in signs.items() if sign is not None}


def quantile_parameters(quantile: float | None, estimator: str, task: str) -> dict[str, Any]:
    """Parameters of a regressor that predicts a quantile."""
    if quantile is None:
        return {}
    if task == "classification":
        raise ValueError("--quantile predicts a number: omit it, or --task classification")
    if not 0 < quantile < 1:
        raise ValueError(f"--quantile must be between 0 and 1, got {quantile:g}")
    if estimator not in QUANTILES:
        raise ValueError(
            f"--quantile needs an estimator that predicts quantiles, not {estimator!r}: choose "
            f"--estimator {' or '.join(QUANTILES)}"
        )
    return {"loss": "quantile", "quantile": quantile}


def merged(flags: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """Merge the parameters given by their own options with those of ``--set``."""
    given = {name: value for name, value in flags.items() if value is not None}
    for name in given:
        if name in settings:
            flag = name.replace("_", "-")
            raise ValueError(f"--{flag} and --set give the parameter {name!r} twice: leave one out")
    return given | settings


def model_parameters(
    settings: list[str] | None,
    ordering: str | None,
    class_weight: str | None,
    random_state: int | None,
    monotonic: str | None = None,
    **others: Any,
) -> dict[str, Any]:
    """Parameters of an estimator, from their own options and from ``--set``."""
    flags = {
        "ordering": ordering,
        "class_weight": None if class_weight is None else parse_class_weight(class_weight),
        "random_state": random_state,
        "monotonic_cst": parse_monotonic(monotonic),
        **others,
    }
    return merged(flags, parse_settings(settings or ()))


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def require(command: str, *packages: str, extra: str = "cli") -> None:
    """Raise an ``ImportError`` that names the extra, if one of the packages is missing."""
    for package in packages:
        optional(package, f"rdep {command}", extra)


def in_options(text: str, *, settings: bool = False) -> str:
    """Translate a message of the library into options: ``drop=('id',)`` becomes ``--drop id``.

    Parameters
    ----------
    text : str
        The message, with parameters as ``name=value``.
    settings : bool, default=False
        Whether parameters that are not options belong to the classifier, and thus to ``--set``.
        Parameters with two underscores always do.
    """

    def translated(phrase: re.Match[str]) -> str:
        name = phrase["name"]
        try:
            value = None if name is None else ast.literal_eval(phrase["value"].replace("…", "..."))
        except (SyntaxError, ValueError):
            return phrase[0]
        if name in TRANSLATED:
            return _option(f"--{name.replace('_', '-')}", value)
        if name is not None and (settings or "__" in name):
            return f"--set {name}={_shell_word(value)}"
        return phrase[0]

    return _PHRASE.sub(translated, text)


def _option(flag: str, value: Any) -> str:
    if value is True:
        return flag
    values = value if isinstance(value, tuple) else (value,)
    return " ".join(f"{flag} {_shell_word(item)}" for item in values)


def _shell_word(value: Any) -> str:
    if value is ...:
        return "…"
    return str(value).lower() if value is True or value is None else shlex.quote(str(value))
