"""Options that the commands of the experiment share, and the names that they complete."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

# Written out, so that help and completion need not import the classifiers themselves.
CLASSIFIERS = (
    *("linear_svc", "rbf_svc", "poly_svc", "svc_ensemble", "svc_bagging"),
    *("dep", "ensemble_rdep", "bagging_rdep"),
    *("linear_svc_balanced", "rbf_svc_balanced", "rbf_svc_tuned", "rbf_svc_threshold"),
    *("logistic_regression", "random_forest", "gradient_boosting", "svc_stack", "mixed_stack"),
    *("recommended_stack", "signed_rdep", "boxes_rdep", "svc_rdep", "oob_rdep", "mixed_rdep"),
    *("recommended_rdep",),
    *("perceptron", "dep_cv", "rdep", "linear_dep", "ritter_sussner", "competitive"),
    *("dendrites", "elm", "box_score"),
    *("slmp", "slmp_box", "mpc_published", "mpc_ccp", "dendrites_divide", "hlm_elm"),
    *("min_max_plus_correlational", "min_max_plus_adam", "dense_network", "mlp"),
)
METRICS = (
    *("balanced_accuracy", "accuracy", "f1", "f1_macro", "matthews_corrcoef"),
    *("roc_auc", "roc_auc_ovr", "average_precision", "neg_log_loss", "neg_brier_score"),
)


def _completing(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    """Completion of names with commas between them."""

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
        help="Names of classifiers, with commas or the option repeated; the paper's eight, or "
        f"those of the suite, by default. Known: {', '.join(CLASSIFIERS)}.",
        autocompletion=_completing(CLASSIFIERS),
    ),
]
AddClassifier = Annotated[
    list[str] | None,
    typer.Option(
        help="Further classifier, NAME=package.module:object, besides the others. May be repeated."
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        help="scikit-learn's names of metrics, the main one first, with commas or the option "
        f"repeated: {', '.join(METRICS)} and others.",
        autocompletion=_completing(METRICS),
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
        help="Begin anew in a folder with results of another comparison, whose rows are kept in "
        "`rows.jsonl.earlier-1`. To resume an interrupted run, leave it out.",
    ),
]
Folds = Annotated[int, typer.Option(min=2, help="Number of folds.")]
Repeats = Annotated[
    int, typer.Option(min=1, help="Number of cross-validations, with different seeds.")
]
