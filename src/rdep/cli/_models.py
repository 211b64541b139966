"""Commands around models: fit, predict, explain, inspect, export."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ._app import app
from ._blocks import fit_in_blocks
from ._options import (
    MODEL_FILES,
    TABLES,
    AllowPickle,
    Categorical,
    ClassWeight,
    Cost,
    Data,
    Decimal,
    Drop,
    DropUnlabelled,
    Encoding,
    EstimatorName,
    IgnoreExtra,
    IgnoreNewCategories,
    Json,
    JsonLines,
    Keep,
    MaxCategories,
    Memory,
    Model,
    Monotonic,
    NaValues,
    Number,
    Ordering,
    OutputFile,
    Positive,
    Quantile,
    RandomState,
    Scheduler,
    Sep,
    Settings,
    Sheet,
    SkipRows,
    Target,
    TaskName,
    Threshold,
    TrainingData,
    in_options,
    model_parameters,
    parse_cost,
    parse_threshold,
    quantile_parameters,
    read_options,
    require,
)
from ._terminal import (
    end_at_once,
    interruptible,
    leaving_nothing_behind,
    passes_done,
    rows_done,
    warning_text,
    warnings_on_stderr,
    working,
)

if TYPE_CHECKING:
    from ..tables import TableModel

_SHOWN_CLASSES = 8
# File endings of tables, pages and graphs, which would be misleading for a model.
_NO_MODELS = (
    *(".csv", ".tsv", ".txt", ".parquet", ".feather", ".arrow", ".arff", ".json", ".jsonl"),
    *(".xlsx", ".xls", ".ods", ".gz", ".zip", ".onnx", ".html", ".md", ".png", ".py"),
)


@app.command()
def fit(
    data: TrainingData,
    target: Target,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    memory: Memory = None,
    scheduler: Scheduler = None,
    estimator: EstimatorName = "rdep",
    task: TaskName = "auto",
    drop: Drop = None,
    categorical: Categorical = None,
    number: Number = None,
    drop_unlabelled: DropUnlabelled = False,
    max_categories: MaxCategories = 100,
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    na_values: NaValues = None,
    sheet: Sheet = None,
    skip_rows: SkipRows = 0,
    ordering: Ordering = None,
    class_weight: ClassWeight = None,
    random_state: RandomState = None,
    monotonic: Monotonic = None,
    quantile: Quantile = None,
    n_jobs: Annotated[
        int | None, typer.Option(help="Number of members, classes or folds to fit in parallel.")
    ] = None,
    keep_missing: Annotated[
        bool,
        typer.Option(
            "--keep-missing",
            help="Leave missing numbers missing instead of the mean of their column. For the "
            "estimators `dep`, `dep_cv` and `perceptron`, and for `rdep` with the orderings "
            "`signed` and `boxes`.",
        ),
    ] = False,
    calibrate: Annotated[
        Literal["sigmoid", "isotonic", "temperature"] | None,
        typer.Option(
            help="Predict the probability of each class, by scikit-learn's calibration in 5 folds. "
            "`--calibrate` alone means `sigmoid`; `isotonic` needs some thousand rows, "
            "`temperature` needs scikit-learn 1.8."
        ),
    ] = None,
    positive: Positive = None,
    threshold: Threshold = None,
    cost: Cost = None,
    folds: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Number of folds, each a further fit, for the score on held-out rows; 0 skips it. "
            "By default 5, or with more than 1,000 rows one fifth of them, held out once.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            help="HTML file to write: the page of `rdep explore` on this table, with scores on "
            "held-out rows, importance and partial dependence."
        ),
    ] = None,
    settings: Settings = None,
    pickle: Annotated[
        bool, typer.Option("--pickle", help="Write a Python pickle: unsafe to load for others.")
    ] = False,
    json: Json = False,
) -> None:
    """Fit a classifier or a regressor on a table and write it to a model file.

    Missing values are imputed, unless `--keep-missing` is given, categories encoded and numbers
    standardised. The model file stores this preprocessing and applies it to new tables.

    Examples
    --------
        rdep fit churn.csv --target left -o churn.rdep

        rdep fit churn.parquet -t left --drop name --ordering bagging --random-state 0 -o churn.rdep

        rdep fit churn.csv -t left --estimator dep --set C=0.1 --set weighting=none -o churn.rdep

        rdep fit churn.csv -t left --report churn.html -o churn.rdep

        rdep fit churn.csv -t left --calibrate sigmoid -o churn.rdep

        rdep fit churn.csv -t left --calibrate --positive yes --cost fn=5,fp=1 -o churn.rdep

        rdep fit churn.xlsx --sheet 2023 -t left --number price,rate --drop-unlabelled -o churn.rdep

        zcat churn.csv.gz | rdep fit - -t left -o churn.rdep

        rdep fit parts/ -t left -o churn.rdep --memory 2GB
        rdep fit cars.csv -t price -o price.rdep

        rdep fit cars.csv -t price --estimator linear_dep --quantile 0.9 -o high.rdep

        rdep fit cars.csv -t price --estimator dep --monotonic power=+,age=- -o price.rdep
    """
    require("fit", *TABLES, *(() if pickle else MODEL_FILES))
    from .._registry import REGRESSION
    from .._utils._files import as_private_as, check_output, write_atomically
    from ..model_files import save_model
    from ..scoring import held_out_answers
    from ..tables import fit_table
    from ._fit_time import said_before

    if folds == 1:
        raise ValueError("--folds must be at least 2, or 0 for no score on held-out rows")

    def tell(classifier, table):
        if table.remark:
            typer.echo(f"rdep: {in_options(table.remark)}", err=True)
        for text in said_before(classifier, table.schema, len(table.y)):
            further = "Ctrl-C" in text and folds != 0
            more = "; --folds 0 saves the further fits that score held-out rows" if further else ""
            typer.echo(f"rdep: {text}{more}", err=True)

    costs = parse_cost(cost)
    of_quantile = quantile_parameters(quantile, estimator, task)
    parameters = model_parameters(
        settings, ordering, class_weight, random_state, monotonic, n_jobs=n_jobs, **of_quantile
    )
    check_output(output, [data])
    _check_ending(output, output.suffix.lower() not in _NO_MODELS, "a model file", ".rdep")
    if report is not None:
        check_output(report, [data, output])
        _check_page(report)
    answered: list[Any] = []

    def answer(pipeline, table):
        if report is not None and table.task == REGRESSION:
            raise ValueError(
                f"--report shows classes, but {target!r} is predicted as a number: omit --report"
            )
        answered[:] = table, held_out_answers(pipeline, table, folds)
        return answered[1].summary

    in_blocks = memory is not None or scheduler is not None or Path(data).is_dir()
    if in_blocks:
        _check_in_blocks(
            estimator=None if estimator == "rdep" else estimator,
            calibrate=calibrate,
            keep_missing=keep_missing or None,
            task=task if task == "regression" else None,
            quantile=quantile,
            positive=positive,
            threshold=threshold,
            cost=cost,
            folds=folds,
            report=report,
        )

    def work(progress=None):
        if in_blocks:
            return fit_in_blocks(
                data,
                target,
                memory=memory,
                scheduler=scheduler,
                progress=progress,
                drop=tuple(drop or ()),
                categorical=tuple(categorical or ()),
                number=tuple(number or ()),
                drop_unlabelled=drop_unlabelled,
                max_categories=max_categories,
                options=read_options(sep, decimal, encoding, na_values, sheet, skip_rows),
                **parameters,
            )
        return fit_table(
            data,
            target,
            estimator,
            task="regression" if of_quantile else task,
            drop=tuple(drop or ()),
            categorical=tuple(categorical or ()),
            number=tuple(number or ()),
            drop_unlabelled=drop_unlabelled,
            max_categories=max_categories,
            keep_missing=keep_missing,
            calibrate=calibrate,
            positive=positive,
            threshold=parse_threshold(threshold),
            cost=costs,
            options=read_options(sep, decimal, encoding, na_values, sheet, skip_rows),
            before_fit=tell,
            after_fit=answer,
            **parameters,
        )

    with leaving_nothing_behind():
        try:
            if in_blocks:
                with passes_done() as progress:
                    model = interruptible(lambda: work(progress))
            else:
                with working(f"Fitting on {data}"):
                    model = interruptible(work)
        except (KeyboardInterrupt, SystemExit) as signalled:
            typer.echo("Interrupted: no model is written.", err=True)
            end_at_once(signalled)
        files = Path(data).iterdir() if Path(data).is_dir() else [data]
        with warnings_on_stderr(), as_private_as(*files):
            save_model(model, output, pickle=pickle)
            if report is not None:
                from ..explorer import fit_report

                write_atomically(report, fit_report(model, *answered))
    _say_fitted(model, output, json)
    if report is not None:
        typer.echo(f"Report: {report}", err=True)


def _say_fitted(model: TableModel, output: Path, json: bool) -> None:
    from .._registry import REGRESSION
    from .._utils._files import is_stream
    from ..tables import held_out_text, passes_text, score_text, target_text, training_text

    # The model itself may go to standard output.
    err = is_stream(output)
    for warning in sorted(set(map(warning_text, model.noticed))):
        typer.echo(f"rdep: warning: {warning}", err=True)
    if json:
        content = {"model": str(output), **model.summary, "fit_seconds": model.fit_seconds}
        typer.echo(json_format.dumps(content, indent=1), err=err)
    else:
        if model.summary["task"] == REGRESSION:
            about = f"Predicts {target_text(model.summary, str(model.schema.target))}"
            name, on_training = model.summary["regressor"], training_text(model.summary)
        else:
            about = _classes_text(model)
            name = model.summary["classifier"]
            on_training = f"balanced accuracy {score_text(model.summary)}"
        typer.echo(about, err=err)
        typer.echo(
            f"{name} fitted on {model.summary['rows']} rows in {model.fit_seconds:.1f} s; "
            f"{on_training}",
            err=err,
        )
        if "passes" in model.summary:
            typer.echo(passes_text(model.summary), err=err)
        for text in held_out_text(model.summary):
            typer.echo(f"Held out: {text}. Other models: rdep evaluate", err=err)
        typer.echo(f"Model: {output}", err=err)


def _check_in_blocks(**given: object) -> None:
    """Refuse options that need all rows in memory."""
    asked = [f"--{name.replace('_', '-')}" for name, value in given.items() if value is not None]
    if asked:
        raise ValueError(
            f"{', '.join(asked)} cannot be used if the table is read in blocks (a folder, --memory "
            "or --scheduler), which is for the estimator rdep on classes, with its own "
            "probabilities: omit this, or fit on one file without --memory"
        )


def _classes_text(model: TableModel) -> str:
    """Classes with their numbers of rows."""
    counts = model.summary["class_counts"]
    shown = [f"{label} {count:,}" for label, count in counts.items()][:_SHOWN_CLASSES]
    more = f" and {len(counts) - len(shown)} more" if len(counts) > len(shown) else ""
    positive = model.summary["positive"]
    sought = "" if positive is None else f"; positive: {positive}"
    return f"Classes of {model.schema.target}: {', '.join(shown)}{more}{sought}"


@app.command()
def predict(
    model: Model,
    data: Data,
    output: OutputFile = None,
    json: JsonLines = False,
    keep: Keep = None,
    ignore_extra: IgnoreExtra = False,
    ignore_new_categories: IgnoreNewCategories = False,
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    na_values: NaValues = None,
    sheet: Sheet = None,
    skip_rows: SkipRows = 0,
    allow_pickle: AllowPickle = False,
) -> None:
    """Predict the class of every row of a table, or the number.

    Columns are found by name, in any order. The table may be larger than memory. The score of a
    classifier is its decision value. With two classes, the second is predicted if its score is
    positive; with more than two, the class with the largest score is predicted. A model fitted
    with --calibrate returns the probability of each class instead, and predicts the most probable
    class.

    Examples
    --------
        rdep predict churn.rdep new.csv -o predictions.csv

        cat new.csv | rdep predict churn.rdep - --json | jq .prediction

        rdep predict churn.rdep new.parquet --keep customer -o predictions.csv
    """
    require("predict", *TABLES, *(() if allow_pickle else MODEL_FILES))
    from ..tables import predictions

    _score(
        predictions, model, data, output, json, keep, ignore_extra, ignore_new_categories,
        allow_pickle, read_options(sep, decimal, encoding, na_values, sheet, skip_rows),
    )  # fmt: skip


@app.command()
def explain(
    model: Model,
    data: Data,
    output: OutputFile = None,
    json: JsonLines = False,
    keep: Keep = None,
    ignore_extra: IgnoreExtra = False,
    ignore_new_categories: IgnoreNewCategories = False,
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    na_values: NaValues = None,
    sheet: Sheet = None,
    skip_rows: SkipRows = 0,
    allow_pickle: AllowPickle = False,
    robust: Annotated[
        bool,
        typer.Option(
            "--robust",
            help="Give the radius within which the prediction cannot change, and a counterfactual.",
        ),
    ] = False,
    features: Annotated[
        bool,
        typer.Option(
            "--features", help="For an r-DEP with members: name the columns that moved the member."
        ),
    ] = False,
) -> None:
    """Explain every prediction by two members of an r-DEP, or two features of a DEP.

    `dilation_by` and `erosion_by` name the two, `dilation_share` and `erosion_share` are their
    shares of the decision value. With more than two classes, these columns explain the predicted
    class, and further columns explain the runner-up. The shares of a predicted number add up to
    it; those of an r-DEP add up to `dep_prediction`, that of its DEP alone, which is a quarter of
    the prediction. The rest is the stack of its members.

    With --robust, `radius` is the share of its range by which every number of the row may change,
    all at once and with the same categories, before the prediction can change; `counterfactual`
    is a change of few columns that changes the prediction. This is for some tens of rows.

    With --features, `member` is the member with the larger share, and `moved_by_1`, `change_1` and
    so on are the columns that moved its value most: the value of the member minus its mean value
    if this column alone is replaced by that of 20 other rows of the table. It describes the fitted
    model, is no part of the decision, and takes some hundred predictions for each row.

    Examples
    --------
        rdep explain churn.rdep new.csv

        rdep explain churn.rdep new.csv --robust --keep customer

        rdep explain churn.rdep new.csv --features --keep customer

        rdep explain churn.rdep new.csv --json --keep customer -o reasons.jsonl
    """
    require("explain", *TABLES, *(() if allow_pickle else MODEL_FILES))
    from ..guarantees import robustness
    from ..scoring import moved_by
    from ..tables import explanations

    if robust and features:
        raise ValueError("--robust and --features exclude each other")
    compute = robustness if robust else moved_by if features else explanations
    _score(
        compute, model, data, output, json, keep, ignore_extra,
        ignore_new_categories, allow_pickle,
        read_options(sep, decimal, encoding, na_values, sheet, skip_rows),
    )  # fmt: skip


@app.command()
def inspect(model: Model, json: Json = False) -> None:
    """Show the columns, classes, training and versions of a model file without loading the model.

    Examples
    --------
        rdep inspect churn.rdep

        rdep inspect churn.rdep --json | jq .schema.classes
    """
    from ..model_files import read_description
    from ..tables import description_text

    description = read_description(model)
    if json:
        typer.echo(json_format.dumps(description, indent=1, ensure_ascii=False))
    else:
        typer.echo(description_text(description, warning_text))


@app.command()
def export(
    model: Model,
    onnx: Annotated[Path, typer.Option(help="ONNX file to write.")],
    allow_pickle: AllowPickle = False,
) -> None:
    """Export a model with its preprocessing as an ONNX graph, for use without this package.

    Example:

        rdep export churn.rdep --onnx churn.onnx
    """
    require("export", "onnx", extra="onnx")
    require("export", *TABLES, *(() if allow_pickle else MODEL_FILES))
    from .._utils._files import as_private_as, check_output, is_stream, write_atomically
    from ..model_files import load_model
    from ..onnx import to_onnx

    check_output(onnx, [model])
    _check_ending(onnx, onnx.suffix.lower() == ".onnx", "an ONNX graph", ".onnx")
    with warnings_on_stderr():
        loaded = load_model(model, allow_pickle=allow_pickle)
    with leaving_nothing_behind(), as_private_as(model):
        write_atomically(onnx, to_onnx(loaded).SerializeToString())
    typer.echo(f"ONNX: {onnx}", err=is_stream(onnx))


@app.command()
def explore(
    model: Model,
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="HTML file to write.")],
    title: Annotated[str | None, typer.Option(help="Heading of the page.")] = None,
    max_rows: Annotated[
        int, typer.Option(min=1, help="Maximum number of rows; of more, a random sample is shown.")
    ] = 100_000,
    importance: Annotated[
        bool,
        typer.Option(
            "--importance",
            help="Show how much the score falls if a column is shuffled, and what the four "
            "most important columns do.",
        ),
    ] = False,
    front: Annotated[
        str | None,
        typer.Option(
            help="Numbers of conditions, such as `2,4,8`: further box scores, fitted to the table, "
            "to compare in the page."
        ),
    ] = None,
    robust: Annotated[
        int,
        typer.Option(
            min=0,
            help="Number of rows, those nearest to the boundary, for which the radius is shown "
            "within which the decision cannot change; up to a second for each.",
        ),
    ] = 0,
    ignore_extra: IgnoreExtra = False,
    ignore_new_categories: IgnoreNewCategories = False,
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    na_values: NaValues = None,
    sheet: Sheet = None,
    skip_rows: SkipRows = 0,
    allow_pickle: AllowPickle = False,
) -> None:
    """Write a page to look at a model with the rows of a table, to try it and to edit it.

    The page is one file that opens from disk and sends nothing. The rows of the table are in it. If
    the table has the target, the page compares decisions with classes. If the model is made of
    boxes, points or pieces, bounds and points can be changed in the page; `rdep edit` applies the
    saved edits to the model.

    Examples
    --------
        rdep explore churn.rdep churn.csv -o churn.html

        rdep edit churn.rdep edits.json -o edited.rdep
    """
    require("explore", *TABLES, *(() if allow_pickle else MODEL_FILES))
    from .._utils._files import as_private_as, check_output, write_atomically
    from ..explorer import check_has_classes, to_html
    from ..model_files import load_model
    from ..tables import labelled_rows

    check_output(output, [data, model])
    _check_page(output)
    with warnings_on_stderr(), leaving_nothing_behind(), as_private_as(data, model):
        loaded = load_model(model, allow_pickle=allow_pickle)
        check_has_classes(loaded)
        rows, labels = labelled_rows(
            data,
            loaded.schema,
            ignore_extra=ignore_extra,
            ignore_new_categories=ignore_new_categories,
            options=read_options(sep, decimal, encoding, na_values, sheet, skip_rows),
        )
        page = to_html(
            loaded,
            rows,
            labels,
            title=title,
            max_rows=max_rows,
            importance=_importance(loaded, rows, labels) if importance else None,
            front=_numbers(front),
            robust=robust,
            ignore_new_categories=ignore_new_categories,
        )
        write_atomically(output, page)
    without = "" if labels is not None else ", without classes, as the table lacks the target"
    typer.echo(f"Page on {len(rows)} rows{without}: {output}", err=True)


def _importance(model: TableModel, rows, labels):
    """Importance of columns on the rows that have a class."""
    from ..scoring import importance

    if labels is None:
        raise ValueError("--importance needs the classes, but the table lacks the target")
    known = [label == label for label in labels]
    of_text = {str(label): label for label in model.schema.classes}
    classes = [of_text.get(label, label) for label in labels[known]]
    return importance(model, rows[known], classes)


def _numbers(text: str | None) -> list[int]:
    try:
        found = [int(number) for number in (text or "").split(",") if number.strip()]
    except ValueError:
        found = [0]
    if any(number < 1 for number in found):
        raise ValueError(f"--front {text!r} should be whole numbers from 1, such as --front 2,4,8")
    return found


@app.command()
def edit(
    model: Model,
    edits: Annotated[Path, typer.Argument(help="Edits that a page of `rdep explore` saved.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
) -> None:
    """Apply the edits that were saved in a page of `rdep explore` to its model.

    The new model file records the edits, and `rdep inspect` shows them.

    Example:

        rdep edit churn.rdep edits.json -o edited.rdep
    """
    require("edit", *TABLES, *MODEL_FILES)
    from .._utils._files import as_private_as, check_output
    from ..explorer import apply_edits
    from ..model_files import load_model, save_model

    check_output(output, [model, edits])
    _check_ending(output, output.suffix.lower() not in _NO_MODELS, "a model file", ".rdep")
    try:
        content = json_format.loads(edits.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{edits} is not a file of edits: it is not valid JSON") from error
    with warnings_on_stderr(), leaving_nothing_behind(), as_private_as(model, edits):
        changed = apply_edits(load_model(model), content)
        save_model(changed, output)
    typer.echo(f"{len(content['edits'])} edits: {output}", err=True)


def _check_page(output: Path) -> None:
    _check_ending(output, output.suffix.lower() in (".html", ".htm"), "a page", ".html")


def _check_ending(output: Path, is_right: bool, what: str, ending: str) -> None:
    """Refuse a file name whose ending belongs to another format; streams have no ending."""
    from .._utils._files import is_stream

    if not is_right and not is_stream(output):
        raise ValueError(
            f"the name {str(output)!r} is not that of {what}: use the ending {ending}, as in "
            f"{output.with_suffix(ending).name}"
        )


def _score(
    compute,
    model,
    data,
    output,
    json,
    keep,
    ignore_extra,
    ignore_new_categories,
    allow_pickle,
    options,
) -> None:
    from .._utils._files import as_private_as, check_output
    from ..model_files import load_model
    from ..tables import output_format, score_table

    output_format(output, json)
    check_output(output, [data, model])
    with warnings_on_stderr():
        loaded = load_model(model, allow_pickle=allow_pickle)
    with (
        warnings_on_stderr(),
        leaving_nothing_behind(),
        as_private_as(data, model),
        rows_done() as progress,
    ):
        n_rows = score_table(
            compute,
            loaded,
            data,
            output,
            json=json,
            keep=tuple(keep or ()),
            ignore_extra=ignore_extra,
            ignore_new_categories=ignore_new_categories,
            options=options,
            progress=progress,
        )
    if output is not None:
        typer.echo(f"{n_rows} rows: {output}", err=True)
