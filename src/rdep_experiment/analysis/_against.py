"""One classifier against all others: averages, tests, and several collections in one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _statistics as statistics
from . import _tables as tables
from ._names import name_beside_defaults

if TYPE_CHECKING:
    import pandas as pd

# The r-DEP at its defaults.
REFERENCE = "rdep"
ROPE = 0.01


@dataclass(frozen=True)
class Comparison:
    """Averages by metric, and a reference classifier against all others."""

    reference: str
    averages: pd.DataFrame
    against: pd.DataFrame
    rope: float
    metric: str = "balanced_accuracy"

    @property
    def is_error(self) -> bool:
        """Whether the main metric is the negative mean absolute error."""
        return self.metric == "neg_mean_absolute_error"

    @property
    def other_metrics(self) -> list[str]:
        """Columns besides that of the main metric."""
        return [name for name in self.averages if name != "mean"]

    @property
    def files(self) -> dict[str, str]:
        """Texts of all files of the comparison, by file name."""
        found = {
            "averages.csv": tables.csv_text(self.averages.reset_index()),
            "against.md": as_markdown(self),
        }
        if len(self.against):
            found["against.csv"] = tables.csv_text(self.against)
        return found


def can_compare(protocol: tables.RunDescription, reference: str) -> bool:
    """Whether a run has the reference, other classifiers, and enough data sets."""
    classifiers, datasets = protocol["classifiers"], protocol["datasets"]
    enough = len(datasets) >= statistics.FEWEST_DATASETS
    return reference in classifiers and len(classifiers) > 1 and enough


def average_table(
    rows: Iterable[tables.Row], protocol: tables.RunDescription, metrics: Iterable[str]
) -> pd.DataFrame:
    """Averages of every classifier by metric; NaN if a cell is missing or has no such score."""
    import pandas as pd

    rows = list(rows)
    frame = pd.DataFrame(
        {
            "mean" if metric == protocol["metric"] else metric: tables.cross_validated_scores(
                rows, protocol, metric
            ).mean.mean(skipna=False)
            for metric in (protocol["metric"], *metrics)
        }
    )
    return frame.rename_axis("classifier")


def against_others(means: pd.DataFrame, reference: str, rope: float = ROPE) -> pd.DataFrame:
    """Compare a classifier with each other one that has a mean on every data set.

    Wins and losses are differences of more than ``rope``. ``t_test`` and ``wilcoxon`` are two-sided
    p-values with Holm's correction for the number of others. The last three columns are
    probabilities of the Bayesian signed-rank test that the reference is practically better, equal,
    or worse.

    Parameters
    ----------
    means : pandas.DataFrame
        Mean scores, data sets × classifiers.
    reference : str
        The classifier, one of the columns.
    rope : float, default=0.01
        The largest difference that counts as practically equal.

    Returns
    -------
    pandas.DataFrame
        One line for each other classifier, in the order of the columns.
    """
    import pandas as pd

    records: dict[str, dict[str, Any]] = {}
    for other in means.columns.drop(reference):
        if means[other].isna().any():
            continue
        difference = statistics.differences(means, reference, other)
        posterior = statistics.bayesian_signed_rank(means[reference], means[other], rope)
        records[other] = {
            "mean": means[other].mean(),
            "difference": difference.mean(),
            "wins": int((difference > rope).sum()),
            "ties": int((np.abs(difference) <= rope).sum()),
            "losses": int((difference < -rope).sum()),
            "t_test": statistics.two_sided_t(difference),
            "wilcoxon": statistics.signed_rank(difference),
            "better": posterior.left,
            "equal": posterior.rope,
            "worse": posterior.right,
        }
    frame = pd.DataFrame.from_dict(records, orient="index").rename_axis("other").reset_index()
    for test in ("t_test", "wilcoxon"):
        if len(frame):
            frame[test] = statistics.holm(frame[test].to_numpy())
    return frame


def compare(
    rows: Iterable[tables.Row],
    protocol: tables.RunDescription,
    metrics: Iterable[str],
    rope: float = ROPE,
    reference: str = REFERENCE,
) -> Comparison:
    """Tables of a run for which :func:`can_compare` is true."""
    import pandas as pd

    rows = list(rows)
    means = tables.cross_validated_scores(rows, protocol).mean
    complete = means[reference].notna().all()
    against = against_others(means, reference, rope) if complete else pd.DataFrame()
    averages = average_table(rows, protocol, metrics)
    return Comparison(reference, averages, against, rope, protocol["metric"])


@dataclass(frozen=True)
class Collections:
    """Means by collection, and a classifier against all others on several collections together."""

    reference: str
    means: pd.DataFrame
    against: pd.DataFrame
    n_datasets: Mapping[str, int]
    chosen_on: tuple[str, ...]
    rope: float

    @property
    def n_together(self) -> int:
        """Number of data sets on which nothing was chosen."""
        return sum(n for name, n in self.n_datasets.items() if name not in self.chosen_on)


def join_collections(
    scores: Mapping[str, pd.DataFrame],
    chosen_on: tuple[str, ...] = (),
    reference: str = REFERENCE,
    rope: float = ROPE,
) -> Collections:
    """Join several collections of data sets in one table.

    Parameters
    ----------
    scores : dict of str to pandas.DataFrame
        Mean scores of each collection, by its name: data sets × classifiers. A data set may be in
        one collection only.
    chosen_on : tuple of str, default=()
        Collections on which parameters or members were chosen. They have their own column, but do
        not enter the mean over all data sets and the tests.
    reference : str, default="rdep"
        Classifier to test against all others.
    rope : float, default=0.01
        The largest difference that counts as practically equal.

    Returns
    -------
    Collections
        ``means`` has one line for each classifier, the best first, and one column for each
        collection; NaN if a data set of the collection is missing. The column ``all`` is the mean
        over all data sets on which nothing was chosen. ``against`` holds the tests.
    """
    import pandas as pd

    names = pd.concat(list(scores.values())).index
    twice = names[names.duplicated()]
    if len(twice):
        raise ValueError(f"these data sets are in two collections: {', '.join(twice)}")
    together = pd.concat([frame for name, frame in scores.items() if name not in chosen_on])
    means = pd.DataFrame(
        {name: frame.mean(skipna=False) for name, frame in scores.items()}
        | {"all": together.mean(skipna=False)}
    )
    ordered = means.assign(some=means.mean(axis=1)).sort_values(
        ["all", "some"], ascending=False, kind="stable"
    )
    return Collections(
        reference,
        ordered.drop(columns="some").rename_axis("classifier"),
        against_others(together, reference, rope),
        {name: len(frame) for name, frame in scores.items()},
        chosen_on,
        rope,
    )


def collections_as_markdown(joined: Collections) -> str:
    """Format means by collection and the tests in Markdown."""
    name = name_beside_defaults
    headings = [f"{key} ({count})" for key, count in joined.n_datasets.items()]
    chosen = " and ".join(joined.chosen_on)
    return "\n".join(
        [
            "# All collections\n",
            "Mean scores over the data sets of each collection, whose number is in brackets."
            + (f" The last column leaves out the collection {chosen}.\n" if chosen else "\n"),
            tables.markdown_table(
                ["Classifier", *headings, f"together ({joined.n_together})"],
                [
                    [name(classifier), *map(_decimals, row)]
                    for classifier, row in joined.means.iterrows()
                ],
            ),
            f"## {name(joined.reference)} against others, on {joined.n_together} data sets\n",
            _tests(joined.against, joined.reference, joined.rope),
        ]
    )


def as_markdown(comparison: Comparison) -> str:
    """Format averages and tests in Markdown."""
    name = name_beside_defaults
    ordered = comparison.averages.sort_values("mean", ascending=False, kind="stable")
    parts = [
        f"# {name(comparison.reference)} against others\n",
        "Means over the data sets.\n",
        tables.markdown_table(*_averages(comparison, ordered)),
    ]
    if len(comparison.against):
        tests = _tests(comparison.against, comparison.reference, comparison.rope)
        if comparison.is_error:
            tests = f"Scores are negative errors: a positive difference is a smaller error. {tests}"
        parts += ["## Tests\n", tests]
    return "\n".join(parts)


# Metrics of classifiers are shown in any case; a loss without its sign.
_OF_CLASSIFIERS = {"mean": "Balanced accuracy", "roc_auc": "ROC AUC", "neg_log_loss": "Log loss"}
_OF_REGRESSORS = {"mean": "Mean absolute error", "r2": "R²"}


def _averages(comparison: Comparison, ordered: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Headings and lines of the table of averages."""
    is_error = comparison.is_error
    shown = _OF_REGRESSORS if is_error else _OF_CLASSIFIERS
    negated = {"neg_log_loss", *(["mean"] if is_error else [])}
    lines = [
        [
            name_beside_defaults(str(classifier)),
            *(_decimals((-1 if key in negated else 1) * row.get(key, np.nan)) for key in shown),
        ]
        for classifier, row in ordered.iterrows()
    ]
    return ["Regressor" if is_error else "Classifier", *shown.values()], lines


def _tests(against: pd.DataFrame, reference: str, rope: float) -> str:
    name = name_beside_defaults
    return (
        f"{name(reference)} minus the other; wins and losses by more than {rope}; p-values of "
        "Student's and Wilcoxon's two-sided tests with Holm's correction for the number of "
        "others; probabilities of the Bayesian signed-rank test that it is practically better, "
        "equal or worse.\n\n"
    ) + tables.markdown_table(
        [
            *("Other", "Difference", "Wins", "Ties", "Losses"),
            *("t-test", "Wilcoxon", "Better", "Equal", "Worse"),
        ],
        [
            [
                name(row.other),
                f"{row.difference:+.4f}",
                *map(str, (row.wins, row.ties, row.losses)),
                *(f"{value:.3f}" for value in (row.t_test, row.wilcoxon)),
                *(f"{value:.3f}" for value in (row.better, row.equal, row.worse)),
            ]
            for row in against.itertuples()
        ],
    )


def _decimals(value: float, n_decimals: int = 4) -> str:
    return f"{value:.{n_decimals}f}" if np.isfinite(value) else "–"
