"""Commands of the paper's experiment, for its data sets and for tables of the user."""

from __future__ import annotations

import json as json_format
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from rdep._registry import REGRESSION
from rdep.cli import (
    FIGURES,
    REPORT,
    TABLES,
    Categorical,
    ClassWeight,
    Cost,
    Data,
    Decimal,
    Drop,
    DropUnlabelled,
    Encoding,
    EstimatorName,
    Json,
    MaxCategories,
    Monotonic,
    NaValues,
    Number,
    Ordering,
    Positive,
    Quantile,
    RandomState,
    Sep,
    Settings,
    Sheet,
    SkipRows,
    Target,
    TaskName,
    Threshold,
    model_parameters,
    new_app,
    parse_cost,
    parse_threshold,
    quantile_parameters,
    read_options,
    require,
    warnings_on_stderr,
)

from ._suite import all_suites, find_suite
from .models import listed_classifiers
from .models._names import PAPER
from .run._protocol import (
    BY_DEFAULT,
    METRICS,
    REGRESSION_METRICS,
    Protocol,
    choose,
)

app = new_app()
CLASSIFIERS = tuple(listed_classifiers())
REGRESSORS = tuple(listed_classifiers(REGRESSION))
_SUITES = "; ".join(f"`{suite.name}`: {suite.summary}" for suite in all_suites())


def _completing(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Completion of names separated by commas."""

    def complete(incomplete: str) -> list[str]:
        before, comma, begun = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in names if name.startswith(begun)]

    return complete


DataDir = Annotated[
    Path | None,
    typer.Option(
        help="Folder of the data sets' ARFF files; others are fetched from OpenML.",
        envvar="RDEP_DATA_DIR",
    ),
]


Classifiers = Annotated[
    list[str] | None,
    typer.Option(
        help="Names of classifiers, with commas or the option repeated; those of the suite, or a "
        f"few common ones, by default. Known: {', '.join(CLASSIFIERS)}. To predict a number: "
        f"{', '.join(REGRESSORS)}.",
        autocompletion=_completing(tuple(dict.fromkeys((*CLASSIFIERS, *REGRESSORS)))),
    ),
]
AddClassifier = Annotated[
    list[str] | None,
    typer.Option(
        help="Additional classifier, NAME=package.module:object. The module may be a file in the "
        "current folder. May be repeated."
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        help="Names of scikit-learn's metrics, the main one first, with commas or the option "
        f"repeated: {', '.join(METRICS)} and others; for numbers {', '.join(REGRESSION_METRICS)}.",
        autocompletion=_completing((*METRICS, *REGRESSION_METRICS)),
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(min=0.1, help="Time limit in seconds for one classifier on one fold."),
]
RetryFailed = Annotated[bool, typer.Option("--retry-failed", help="Compute failed cells again.")]
Repair = Annotated[
    bool,
    typer.Option("--repair", help="Compute damaged rows again; a copy of the file is kept."),
]
Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh",
        help="Start again in a folder with results of another comparison; its rows are kept in "
        "`rows.jsonl.earlier-1`. Do not use it to resume an interrupted run.",
    ),
]
Folds = Annotated[int, typer.Option(min=2, help="Number of folds.")]
Repeats = Annotated[
    int, typer.Option(min=1, help="Number of cross-validations, with different seeds.")
]


FORMATS = ("png", "svg", "pdf")
Formats = Annotated[
    list[str] | None,
    typer.Option(
        help="Formats of the figures' files, with commas or the option repeated: "
        f"{', '.join(FORMATS)}; png by default.",
        autocompletion=_completing(FORMATS),
    ),
]


def _names(texts: list[str] | None) -> list[str] | None:
    """Names from an option that may be repeated, each time with names separated by commas."""
    if texts is None:
        return None
    return [name.strip() for text in texts for name in text.split(",") if name.strip()]


def _formats(texts: list[str] | None) -> tuple[str, ...] | None:
    names = _names(texts)
    return None if names is None else tuple(choose(names, list(FORMATS), "format of figures"))


@app.command()
def reproduce(
    output: Annotated[Path, typer.Option(help="Folder for rows, tables, figures and report.")],
    suite: Annotated[
        str,
        typer.Option(help=f"Classifiers and data sets to compare. {_SUITES}."),
    ] = "paper",
    data_dir: DataDir = None,
    data_home: Annotated[
        Path | None, typer.Option(help="scikit-learn's cache of data sets fetched from OpenML.")
    ] = None,
    datasets: Annotated[
        list[str] | None,
        typer.Option(
            help="Names of data sets, with commas or the option repeated; all by default."
        ),
    ] = None,
    classifiers: Classifiers = None,
    add_data: Annotated[
        list[str] | None,
        typer.Option(help="Additional table, FILE:TARGET (CSV or Parquet). May be repeated."),
    ] = None,
    add_classifier: AddClassifier = None,
    margin: Annotated[float, typer.Option(help="Margin of the DEPs; 0 is the paper's.")] = 1e-6,
    impute: Annotated[
        str | None,
        typer.Option(
            help="Mean imputation over the whole `dataset`, as in the paper, or over each training "
            "`fold`, without leakage, as in the extended suite."
        ),
    ] = None,
    metrics: Metrics = None,
    folds: Annotated[
        int | None,
        typer.Option(min=2, help="Number of folds; 10, or 5 in the family's suite, by default."),
    ] = None,
    repeats: Repeats = 1,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Number of processes on this machine; 1 by default.")
    ] = None,
    backend: Annotated[
        str, typer.Option(help="`processes` on this machine, or `dask`.")
    ] = "processes",
    scheduler: Annotated[
        str | None,
        typer.Option(help="Address of the scheduler of a running Dask cluster: tcp://HOST:PORT."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Number of workers of a Dask cluster to start on this machine."),
    ] = None,
    time_limit: TimeLimit = None,
    retry_failed: RetryFailed = False,
    repair: Repair = False,
    fresh: Fresh = False,
) -> None:
    """Run or resume the paper's comparison of classifiers, and write the report.

    The run can be interrupted at any time: the same command resumes it. If the folder holds results
    of other data, classifiers or settings, the command stops and says what differs.

    Examples
    --------
        rdep reproduce --suite quick --output results

        rdep reproduce --suite paper --data-dir openml --jobs 2 --output results/paper

        rdep reproduce --suite extended --data-dir openml --jobs 2 --output results/extended

        rdep reproduce --suite family --data-dir data --jobs 2 --output results/family

        rdep reproduce --datasets Titanic,Sonar --add-data churn.csv:left --output mine

        rdep reproduce --backend dask --scheduler tcp://10.0.0.5:8786 --output results/paper
    """
    require("reproduce", *REPORT)
    from ._reproduce import Choice
    from ._reproduce import reproduce as run
    from .run._dask_cluster import chosen_cluster
    from .run._progress import progress_for_person

    tables = tuple(_split(item, ":", "--add-data", "FILE:TARGET") for item in add_data or [])
    protocol = find_suite(suite).protocol.changed(
        impute=impute,
        metrics=None if metrics is None else tuple(_names(metrics) or ()),
        margin=margin,
        n_folds=folds,
        extra=_added(add_classifier),
    )
    with _interruptible(fresh), warnings_on_stderr():
        outcome = run(
            Choice(
                suite=suite,
                datasets=_names(datasets),
                classifiers=_names(classifiers),
                data_dir=data_dir,
                data_home=data_home,
                tables=tuple((Path(file), target) for file, target in tables),
            ),
            output,
            protocol,
            repeats=repeats,
            jobs=jobs or 1,
            cluster=chosen_cluster(backend, scheduler, workers, jobs),
            time_limit=time_limit,
            retry_failed=retry_failed,
            repair=repair,
            fresh=fresh,
            progress=progress_for_person(),
            command=_command(),
        )
    typer.echo(
        f"{outcome.n_computed} cells computed, {len(outcome.rows) - outcome.n_failed} complete"
        + (f", {outcome.n_failed} failed (see the report)" if outcome.n_failed else "")
    )
    typer.echo(f"Report: {output / 'report.html'}")
    if outcome.n_failed:
        raise typer.Exit(1)


@app.command()
def evaluate(
    data: Data,
    target: Target,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder for rows, tables, figures and report.")
    ],
    task: TaskName = "auto",
    drop: Drop = None,
    categorical: Categorical = None,
    number: Number = None,
    drop_unlabelled: DropUnlabelled = False,
    max_categories: MaxCategories = 100,
    groups: Annotated[
        str | None,
        typer.Option(
            help="Column of groups, not used as a feature: rows with the same value are never in "
            "both training and test of a fold."
        ),
    ] = None,
    time_order: Annotated[
        str | None,
        typer.Option(
            help="Column of numbers or dates, not used as a feature: every fold is trained on "
            "earlier rows than it is tested on."
        ),
    ] = None,
    sep: Sep = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    na_values: NaValues = None,
    sheet: Sheet = None,
    skip_rows: SkipRows = 0,
    estimator: EstimatorName = "rdep",
    ordering: Ordering = None,
    class_weight: ClassWeight = None,
    random_state: RandomState = None,
    monotonic: Monotonic = None,
    quantile: Quantile = None,
    settings: Settings = None,
    positive: Positive = None,
    threshold: Threshold = None,
    cost: Cost = None,
    classifiers: Classifiers = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Compare with the paper's eight classifiers, too.")
    ] = False,
    add_classifier: AddClassifier = None,
    calibrate: Annotated[
        Literal["sigmoid", "isotonic", "temperature"] | None,
        typer.Option(
            help="Calibrate every classifier, so that it predicts probabilities, for neg_log_loss "
            "and neg_brier_score. `--calibrate` alone means `sigmoid`."
        ),
    ] = None,
    readable: Annotated[
        bool,
        typer.Option(
            "--readable",
            help="Compare readable models with 4, 8, 16 and 32 conditions instead of other "
            "classifiers: a table and a picture of accuracy against size. For two classes.",
        ),
    ] = False,
    robust: Annotated[
        bool,
        typer.Option(
            "--robust",
            help="Show the share of held-out rows that are predicted correctly and stay so if "
            "every feature changes by 0.1, 0.25 or 0.5 standard deviations, and its curve.",
        ),
    ] = False,
    metrics: Metrics = None,
    folds: Folds = 10,
    repeats: Repeats = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    time_limit: TimeLimit = None,
    retry_failed: RetryFailed = False,
    repair: Repair = False,
    fresh: Fresh = False,
    json: Json = False,
) -> None:
    """Cross-validate the model of `rdep fit`, with its options, and common others on a table.

    The command prints mean scores and writes a report with a statistical test and figures, made
    from the rows that each fold holds out: confusion matrix, ROC and precision-recall curve,
    calibration, costs, and importance of columns; for a number, predictions, residuals and
    importance. With --classifiers, only these are compared,
    and the model of `rdep fit` if an option describes it. The command can
    be interrupted at any time: the same command resumes the run. If the table, target, columns or
    settings differ from those of the folder, the command stops and says what differs.

    Examples
    --------
        rdep evaluate churn.csv --target left -o churn-report

        rdep evaluate churn.csv -t left --estimator box_score --set max_conditions=8 -o report

        rdep evaluate churn.csv -t left --positive yes --calibrate --cost fn=5,fp=1 -o report

        rdep evaluate churn.csv --target left --classifiers ensemble_rdep,rbf_svc -o quick

        rdep evaluate churn.csv -t left --groups customer --metrics balanced_accuracy,f1 -o report

        rdep evaluate churn.csv -t left --calibrate sigmoid --metrics neg_log_loss -o report

        rdep evaluate churn.csv -t left --readable -o front

        rdep evaluate cars.csv -t price --metrics neg_mean_absolute_error,r2 -o price-report
    """
    require("evaluate", *TABLES, *REPORT)
    from ._evaluate import OWN_TABLE, Table
    from ._evaluate import evaluate as run
    from .run._progress import progress_for_person
    from .run._runner import Request

    chosen = tuple(_names(classifiers) or ())
    if paper:
        chosen = (*(chosen or find_suite(OWN_TABLE).classifiers), *PAPER)
    of_quantile = quantile_parameters(quantile, estimator, task)
    parameters = model_parameters(
        settings, ordering, class_weight, random_state, monotonic, **of_quantile
    )
    given = estimator != "rdep" or bool(parameters) or (paper and not classifiers)
    with _interruptible(fresh), warnings_on_stderr():
        evaluation = run(
            Table(
                data,
                target,
                drop=tuple(drop or ()),
                categorical=tuple(categorical or ()),
                number=tuple(number or ()),
                drop_unlabelled=drop_unlabelled,
                max_categories=max_categories,
                task=REGRESSION if of_quantile else task,
                groups=groups,
                time_order=time_order,
                positive=positive,
                options=read_options(sep, decimal, encoding, na_values, sheet, skip_rows),
            ),
            Request(
                output,
                classifiers=chosen,
                protocol=Protocol(
                    n_folds=folds,
                    metrics=BY_DEFAULT if metrics is None else tuple(_names(metrics) or ()),
                    extra=_added(add_classifier),
                    calibrate=calibrate,
                    model={"estimator": estimator, "parameters": parameters} if given else None,
                    threshold=parse_threshold(threshold),
                    cost=parse_cost(cost),
                    robust=robust,
                    quantile=quantile,
                ),
                repeats=repeats,
                jobs=jobs,
                time_limit=time_limit,
                retry_failed=retry_failed,
                repair=repair,
                fresh=fresh,
            ),
            readable=readable,
            progress=progress_for_person(),
            command=_command(),
        )
    if json:
        typer.echo(json_format.dumps(evaluation.to_dict(), indent=1))
    else:
        # The table of a front has models by size, instead of a line for each classifier.
        text = (output / "front.md").read_text("utf-8") if readable else evaluation.as_text()
        typer.echo(text.rstrip())
        if readable:
            typer.echo(f"Picture: {output / 'figures' / 'front.png'}")
        typer.echo(f"Report: {output / 'report.html'}")
    if evaluation.n_failed:
        raise typer.Exit(1)


@app.command()
def report(
    output: Annotated[Path, typer.Argument(help="Folder with the rows of a run.")],
    everything: Annotated[
        bool,
        typer.Option(
            "--all",
            help="Report all data sets and classifiers in the folder, not only those of the last "
            "command.",
        ),
    ] = False,
    formats: Formats = None,
) -> None:
    """Rewrite tables, figures and report from the rows of a run.

    Examples
    --------
        rdep report results/paper

        rdep report results/paper --all

        rdep report results/paper --formats png,pdf
    """
    require("report", *REPORT)
    chosen = _formats(formats)
    from ._reproduce import rewrite_report

    typer.echo(f"Report: {rewrite_report(output, everything, chosen)}")


@app.command()
def figures(
    output: Annotated[Path, typer.Option(help="Folder for the figures.")] = Path("results/figures"),
    run: Annotated[
        Path, typer.Option(help="Folder of a run of the experiment, for Figures 5 and 6.")
    ] = Path("results/paper"),
    only: Annotated[
        list[str] | None, typer.Option(help="Numbers of figures: 1,2; all by default.")
    ] = None,
    formats: Formats = None,
) -> None:
    """Draw the paper's Figures 1 to 6 and write the numbers behind them.

    Example:

        rdep figures --output build/figures --only 1,2,3,4
    """
    require("figures", *FIGURES)
    words = _names(only)
    if words is not None and not all(word.isdecimal() for word in words):
        raise ValueError(f"--only must be numbers of figures such as 1,2, got {','.join(words)!r}")
    chosen = _formats(formats)
    from .paper._figures import draw_paper_figures

    numbers = None if words is None else list(map(int, words))
    page = draw_paper_figures(output, run, numbers, chosen)
    typer.echo(f"Figures: {page}")


@app.command()
def datasets(json: Json = False) -> None:
    """List the paper's data sets.

    Examples
    --------
        rdep datasets

        rdep datasets --json | jq '.[].name'
    """
    from rdep.datasets import paper_datasets

    if json:
        typer.echo(json_format.dumps([asdict(entry) for entry in paper_datasets()], indent=1))
        return
    typer.echo(f"{'name':26}{'samples':>8}{'features':>10}{'classes %':>12}   OpenML")
    for entry in paper_datasets():
        share = "{} / {}".format(*entry.percentages)
        typer.echo(
            f"{entry.name:26}{entry.instances:8}{entry.features:10}{share:>12}   "
            f"{entry.openml_name}/{entry.version} ({entry.openml_id})"
        )


def _added(items: list[str] | None) -> dict[str, str]:
    """Import paths of the user's own classifiers by name; modules may be in the current folder."""
    here = str(Path.cwd())
    if items and here not in sys.path:
        sys.path.append(here)  # last, so that no file hides an installed module
    form = "NAME=package.module:object"
    return dict(_split(item, "=", "--add-classifier", form, first=True) for item in items or [])


def _split(item: str, mark: str, option: str, form: str, first: bool = False) -> tuple[str, str]:
    left, found, right = item.partition(mark) if first else item.rpartition(mark)
    if not found or not left or not right:
        raise ValueError(f"{option} {item!r} should read {form}")
    return left, right


@contextmanager
def _interruptible(fresh: bool) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        how = "The same command without --fresh" if fresh else "The same command"
        typer.echo(f"Interrupted. {how} resumes the run.", err=True)
        raise typer.Exit(130) from None


def _command() -> str:
    """The command as typed, with absolute paths shortened to their last part."""
    words = [Path(word).name if Path(word).is_absolute() else word for word in sys.argv[1:]]
    return " ".join(["rdep", *words])
