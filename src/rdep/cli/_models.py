"""Commands around models: fit, predict, explain, inspect, export."""

from __future__ import annotations

import json as json_format
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ._app import app
from ._options import (
    AllowPickle,
    Categorical,
    Data,
    Drop,
    IgnoreExtra,
    IgnoreNewCategories,
    Json,
    JsonLines,
    Keep,
    MaxCategories,
    Model,
    OutputFile,
    Target,
)
from ._progress import rows_done, working


@app.command()
def fit(
    data: Data,
    target: Target,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    estimator: Annotated[
        Literal["rdep", "recommended", "dep"],
        typer.Option(
            help="An r-DEP as in the paper, one chosen for its accuracy, or a DEP on the columns "
            "themselves."
        ),
    ] = "rdep",
    drop: Drop = None,
    categorical: Categorical = None,
    max_categories: MaxCategories = 100,
    pickle: Annotated[
        bool, typer.Option("--pickle", help="Write a Python pickle: unsafe to load for others.")
    ] = False,
    json: Json = False,
    ordering: Annotated[
        Literal["ensemble", "bagging", "mixed", "large", "signed", "boxes"] | None,
        typer.Option(help="Members of the r-DEP; by default an ensemble."),
    ] = None,
    scale_input: Annotated[bool | None, typer.Option(help="Standardise before ρ.")] = None,
    scale_ordering: Annotated[bool | None, typer.Option(help="Standardise after ρ.")] = None,
    class_weight: Annotated[
        str | None, typer.Option(help="`balanced`, or weights: `good=1,bad=5`.")
    ] = None,
    c: Annotated[
        float | None, typer.Option("--C", help="Strength of the *penalty*; by default 0.01.")
    ] = None,
    weighting: Annotated[
        Literal["distance", "none"] | None, typer.Option(help="Samples far from their mean.")
    ] = None,
    reference: Annotated[
        Literal["extreme", "mean", "opposite", "zero"] | None,
        typer.Option(help="What the penalty pulls to."),
    ] = None,
    margin: Annotated[float | None, typer.Option(help="Around the boundary.")] = None,
    monotonic_cst: Annotated[
        Literal["auto"] | None, typer.Option(help="Turn each feature the way it grows.")
    ] = None,
    beta: Annotated[float | None, typer.Option(help="Weight of the dilation, not learned.")] = None,
    beta_loss: Annotated[Literal["hinge", "squared_hinge"] | None, typer.Option()] = None,
    beta_holdout: Annotated[
        float | None, typer.Option(help="Share of the rows on which β is learned.")
    ] = None,
    joint: Annotated[bool | None, typer.Option(help="Train w, m and β jointly at last.")] = None,
    escape: Annotated[
        bool | None, typer.Option(help="Leave critical points by searches along coordinates.")
    ] = None,
    n_init: Annotated[int | None, typer.Option(help="Number of starts.")] = None,
    solver: Annotated[Literal["descent", "highs"] | None, typer.Option()] = None,
    max_iter: Annotated[int | None, typer.Option(help="Convex-concave steps.")] = None,
    tol: Annotated[float | None, typer.Option(help="When to stop.")] = None,
    random_state: Annotated[int | None, typer.Option(help="Seed of all random choices.")] = None,
    n_jobs: Annotated[int | None, typer.Option(help="Members to fit at the same time.")] = None,
) -> None:
    """Fit a model on a table and write it to a file.

    Texts are categories, gaps are filled, numbers standardised; the file does the same with new
    tables. Options from `--ordering` on are the parameters of the classifier.

    Examples
    --------
        rdep fit churn.csv --target left -o churn.rdep

        rdep fit churn.parquet -t left --drop name --ordering bagging --random-state 0 -o churn.rdep

        zcat churn.csv.gz | rdep fit - -t left -o churn.rdep
    """
    from ..model_files._files import save_model
    from ..tables import fit_table

    parameters = {
        "ordering": ordering, "scale_input": scale_input, "scale_ordering": scale_ordering,
        "class_weight": class_weight, "C": c, "weighting": weighting, "reference": reference,
        "margin": margin, "monotonic_cst": monotonic_cst, "beta": beta, "beta_loss": beta_loss,
        "beta_holdout": beta_holdout, "joint": joint, "escape": escape, "n_init": n_init,
        "solver": solver, "max_iter": max_iter, "tol": tol, "random_state": random_state,
        "n_jobs": n_jobs,
    }  # fmt: skip
    given: dict[str, Any] = {name: value for name, value in parameters.items() if value is not None}
    if weighting == "none":
        given["weighting"] = None
    if class_weight is not None and class_weight != "balanced":
        given["class_weight"] = _weights(class_weight)
    with working(f"Fitting on {data}"):
        model = fit_table(
            data,
            target,
            estimator=estimator,
            drop=tuple(drop or ()),
            categorical=tuple(categorical or ()),
            max_categories=max_categories,
            **given,
        )
    with _warnings_on_stderr():
        save_model(model, output, pickle=pickle)
    for warning in model.summary["warnings"]:
        typer.echo(f"rdep: warning: {warning}", err=True)
    if json:
        typer.echo(json_format.dumps({"model": str(output), **model.summary}, indent=1))
    else:
        typer.echo(
            f"{model.summary['classifier']} fitted on {model.summary['rows']} rows in "
            f"{model.summary['fit_seconds']:.1f} s; balanced accuracy on these rows "
            f"{model.summary['training_balanced_accuracy']:.3f} (for others see rdep evaluate)"
        )
        typer.echo(f"Model: {output}")


@app.command()
def predict(
    model: Model,
    data: Data,
    output: OutputFile = None,
    json: JsonLines = False,
    keep: Keep = None,
    ignore_extra: IgnoreExtra = False,
    ignore_new_categories: IgnoreNewCategories = False,
    allow_pickle: AllowPickle = False,
) -> None:
    """Predict the class of every row of a table.

    Columns go by their names, in any order. The table may be larger than memory. The score is the
    decision value: of two classes the second one is predicted where it is 0 or more; of more
    classes the one with the greatest score.

    Examples
    --------
        rdep predict churn.rdep new.csv -o predictions.csv

        cat new.csv | rdep predict churn.rdep - --json | jq .prediction

        rdep predict churn.rdep new.parquet --keep customer -o predictions.csv
    """
    from ..tables._scoring import predictions

    _score(
        predictions, model, data, output, json, keep, ignore_extra, ignore_new_categories,
        allow_pickle,
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
    allow_pickle: AllowPickle = False,
) -> None:
    """Show what every prediction rests on: two members of the r-DEP, or two columns of a DEP.

    `dilation_by` and `erosion_by` name them, `dilation_share` and `erosion_share` are their parts
    of the decision value.

    Examples
    --------
        rdep explain churn.rdep new.csv

        rdep explain churn.rdep new.csv --json --keep customer -o reasons.jsonl
    """
    from ..tables._scoring import explanations

    _score(
        explanations, model, data, output, json, keep, ignore_extra, ignore_new_categories,
        allow_pickle,
    )  # fmt: skip


@app.command()
def inspect(model: Model, json: Json = False) -> None:
    """Show what a model file says: its columns, classes, training and versions. Nothing is loaded.

    Examples
    --------
        rdep inspect churn.rdep

        rdep inspect churn.rdep --json | jq .schema.classes
    """
    from ..model_files._files import read_description
    from ..tables._describing import description_text

    description = read_description(model)
    if json:
        typer.echo(json_format.dumps(description, indent=1, ensure_ascii=False))
    else:
        typer.echo(description_text(description))


@app.command()
def export(
    model: Model,
    onnx: Annotated[Path, typer.Option(help="ONNX file to write.")],
    allow_pickle: AllowPickle = False,
) -> None:
    """Write a model with its preprocessing as an ONNX graph, for use without this package.

    Example:

        rdep export churn.rdep --onnx churn.onnx
    """
    from .._utils._files import write_atomically
    from ..model_files._files import load_model
    from ..onnx import to_onnx

    with _warnings_on_stderr():
        loaded = load_model(model, allow_pickle=allow_pickle)
    write_atomically(onnx, to_onnx(loaded).SerializeToString())
    typer.echo(f"ONNX: {onnx}")


def _score(
    compute, model, data, output, json, keep, ignore_extra, ignore_new_categories, allow_pickle
) -> None:
    from ..model_files._files import load_model
    from ..tables._scoring import score_table

    with _warnings_on_stderr():
        loaded = load_model(model, allow_pickle=allow_pickle)
    with rows_done() as progress:
        n_rows = score_table(
            compute,
            loaded,
            data,
            output,
            json=json or (output is not None and output.suffix == ".jsonl"),
            keep=tuple(keep or ()),
            ignore_extra=ignore_extra,
            ignore_new_categories=ignore_new_categories,
            progress=progress,
        )
    if output is not None:
        typer.echo(f"{n_rows} rows: {output}", err=True)


def _weights(text: str) -> dict[str, float]:
    try:
        pairs = [item.rpartition("=") for item in text.split(",")]
        return {label.strip(): float(weight) for label, _, weight in pairs}
    except ValueError as error:
        raise ValueError(
            f"--class-weight {text!r} should be `balanced` or read LABEL=NUMBER,LABEL=NUMBER"
        ) from error


@contextmanager
def _warnings_on_stderr() -> Iterator[None]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for warning in caught:
        typer.echo(f"rdep: warning: {warning.message}", err=True)
