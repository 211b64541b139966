"""Comparison on held-out data sets: defaults chosen on one half, reported on the other.

The recommended r-DEP was chosen on every second row of the paper's Table 3. The other half is held
out, though scores on some of its data sets had been seen before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...datasets import paper_datasets
from ..run._suites import STEPS, VARIANTS
from . import _statistics as statistics
from . import _tables as tables
from ._names import display_name

if TYPE_CHECKING:
    import pandas as pd

RECOMMENDED = "recommended_rdep"
COST_UNIT = "rbf_svc"

# The way from the paper's r-DEP to the recommended one, each with one change more ...
LADDER = {
    "ensemble_rdep": "as in the paper: three SVCs, values of the samples they were fitted on",
    "balanced_members": "members with balanced classes",
    "cross_fitted": "cross-fitted values",
    "balanced_beta": "β on a balanced loss",
    "wide_margin": "a margin of 0.25",
    "even_weights": "all samples of a class weigh the same",
    "mixed_members": "an SVC, a forest, boosting and a logistic regression in place of three SVCs",
    RECOMMENDED: "their stack as one more component: the recommended r-DEP",
}

# ... and what was tried beyond it, each for itself.
BEYOND = {
    "with_joint": "w, m and β trained jointly",
    "with_choice": "C and margin chosen by cross-validation",
    "with_escape": "escapes from critical points, three starts",
    "with_bags": "a vote of ten DEPs, each on a bootstrap sample of ρ(x)",
}


@dataclass(frozen=True)
class Halves:
    """Averages by halves, the recommended r-DEP against others, and the gain of its steps."""

    averages: pd.DataFrame
    against: pd.DataFrame
    steps: pd.DataFrame
    rope: float

    @property
    def other_metrics(self) -> list[str]:
        """The columns between the main metric's and the cost."""
        known = ("tuning_half", "held_out_half", "all", "fit_seconds", "cost")
        return [column for column in self.averages.columns if column not in known]

    @property
    def files(self) -> dict[str, str]:
        """The text of every file that shows them, by its name."""
        return {
            "averages.csv": tables.csv_text(self.averages.reset_index()),
            "recommended.csv": tables.csv_text(self.against),
            "ablation.csv": tables.csv_text(self.steps),
            "halves.md": as_markdown(self),
        }


def tuning_half() -> list[str]:
    """Every second row of the paper's Table 3."""
    return [entry.name for entry in paper_datasets()][1::2]


def is_extended(protocol: tables.RunDescription) -> bool:
    """Whether a run has both halves and the recommended r-DEP, as this comparison needs."""
    tuning = set(tuning_half())
    chosen = tuning.intersection(protocol["datasets"])
    others = [entry.name for entry in paper_datasets() if entry.name not in tuning]
    held_out = set(others).intersection(protocol["datasets"])
    fewest = statistics.FEWEST_DATASETS
    return RECOMMENDED in protocol["classifiers"] and min(len(chosen), len(held_out)) >= fewest


def without_steps(classifiers: Iterable[str]) -> list[str]:
    """The classifiers to compare, without the steps and variants of the recommended one."""
    return [name for name in classifiers if name not in STEPS and name not in VARIANTS]


def average_table(
    rows: Iterable[tables.Row], protocol: tables.RunDescription, metrics: Iterable[str]
) -> pd.DataFrame:
    """Averages of every classifier: by halves, by metrics, and its cost.

    The cost is the time for fitting one fold of every data set, ``cost`` as a multiple of the RBF
    SVC's. NaN where a cell is missing or the metric not defined.
    """
    import pandas as pd

    rows = list(rows)
    means = tables.cross_validated_scores(rows, protocol).mean
    tuning = [name for name in tuning_half() if name in means.index]
    held_out = [name for name in means.index if name not in tuning]
    frame = pd.DataFrame(
        {
            "tuning_half": means.loc[tuning].mean(skipna=False),
            "held_out_half": means.loc[held_out].mean(skipna=False),
            "all": means.mean(skipna=False),
        }
    )
    for metric in metrics:
        if metric != protocol["metric"]:
            frame[metric] = tables.cross_validated_scores(rows, protocol, metric).mean.mean(
                skipna=False
            )
    times = tables.time_table(rows, protocol)
    complete = times.groupby("classifier").filter(lambda group: len(group) == len(means))
    frame["fit_seconds"] = complete.groupby("classifier")["fit_seconds"].sum()
    unit = frame["fit_seconds"].get(COST_UNIT, np.nan)
    frame["cost"] = frame["fit_seconds"] / unit
    return frame.rename_axis("classifier")


def recommended_against_others(means: pd.DataFrame, rope: float) -> pd.DataFrame:
    """The recommended r-DEP against each other classifier, on the data sets given.

    Wins and losses are by more than ``rope``; the last three columns are the Bayesian signed-rank
    test's probabilities that the recommended one is practically better, equal, or worse.
    """
    import pandas as pd

    records: dict[str, dict[str, Any]] = {}
    for other in means.columns.drop(RECOMMENDED):
        if means[other].isna().any():
            continue
        difference = (means[RECOMMENDED] - means[other]).to_numpy()
        posterior = statistics.bayesian_signed_rank(means[RECOMMENDED], means[other], rope)
        records[other] = {
            "difference": difference.mean(),
            "wins": int((difference > rope).sum()),
            "ties": int((np.abs(difference) <= rope).sum()),
            "losses": int((difference < -rope).sum()),
            "better": posterior.left,
            "equal": posterior.rope,
            "worse": posterior.right,
        }
    return pd.DataFrame.from_dict(records, orient="index").rename_axis("other").reset_index()


def ablation(averages: pd.DataFrame) -> pd.DataFrame:
    """Gain and cost of each step; variants are compared with the recommended one."""
    import pandas as pd

    records = []
    known = [name for name in (*LADDER, *BEYOND) if name in averages.index]
    before = None
    for name in known:
        row = averages.loc[name]
        compared = averages.loc[RECOMMENDED if name in BEYOND else before or name]
        records.append(
            {
                "classifier": name,
                "change": {**LADDER, **BEYOND}[name],
                "tuning_half": row.tuning_half,
                "gain_tuning": row.tuning_half - compared.tuning_half,
                "held_out_half": row.held_out_half,
                "gain_held_out": row.held_out_half - compared.held_out_half,
                "fit_seconds": row.fit_seconds,
                "cost": row.cost,
            }
        )
        before = name
    return pd.DataFrame(records)


def as_markdown(halves: Halves) -> str:
    """The three tables as text."""
    name, averages = display_name, halves.averages
    parts = ["# The recommended r-DEP against others\n"]
    parts.append(
        "Balanced accuracy. Defaults were chosen on the tuning half; the held-out half was not "
        "used for that, though scores on some of its data sets had been seen before. The cost is "
        "the time for fitting one fold of all data sets, as a multiple of the RBF SVC's.\n"
    )
    ordered = averages.loc[without_steps(averages.index)].sort_values(
        "held_out_half", ascending=False, kind="stable"
    )
    parts.append(
        _table(
            ["Classifier", "Held-out half", "Tuning half", "All", "ROC AUC", "Log loss", "Cost"],
            [
                [
                    name(classifier),
                    _decimals(row["held_out_half"]),
                    _decimals(row["tuning_half"]),
                    _decimals(row["all"]),
                    _decimals(row.get("roc_auc", np.nan)),
                    _decimals(-row.get("neg_log_loss", np.nan)),
                    _decimals(row["cost"], 2),
                ]
                for classifier, row in ordered.iterrows()
            ],
        )
    )
    parts.append(
        "## On the held-out half\n\nThe recommended r-DEP minus the other; wins and losses by "
        f"more than {halves.rope}; probabilities of the Bayesian signed-rank test.\n"
    )
    parts.append(
        _table(
            ["Other", "Difference", "Wins", "Ties", "Losses", "Better", "Equal", "Worse"],
            [
                [
                    name(row.other),
                    f"{row.difference:+.4f}",
                    *map(str, (row.wins, row.ties, row.losses)),
                    *(f"{value:.3f}" for value in (row.better, row.equal, row.worse)),
                ]
                for row in halves.against.itertuples()
            ],
        )
    )
    parts.append("## What each step gained, and what it cost\n")
    parts.append(
        _table(
            ["Change", "Tuning half", "Gain", "Held-out half", "Gain", "Cost"],
            [
                [
                    row.change,
                    _decimals(row.tuning_half),
                    f"{row.gain_tuning:+.4f}",
                    _decimals(row.held_out_half),
                    f"{row.gain_held_out:+.4f}",
                    _decimals(row.cost, 2),
                ]
                for row in halves.steps.itertuples()
            ],
        )
    )
    return "\n".join(parts)


def _table(heading: list[str], lines: list[list[str]]) -> str:
    rows = [heading, ["---"] + ["---:"] * (len(heading) - 1), *lines]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def _decimals(value: float, n_decimals: int = 4) -> str:
    return f"{value:.{n_decimals}f}" if np.isfinite(value) else "–"


def compare_halves(
    rows: Iterable[tables.Row],
    protocol: tables.RunDescription,
    metrics: Iterable[str],
    rope: float,
) -> Halves:
    """The tables of a run for which :func:`is_extended` holds."""
    rows = list(rows)
    averages = average_table(rows, protocol, metrics)
    main = {**protocol, "classifiers": without_steps(protocol["classifiers"])}
    means = tables.cross_validated_scores(rows, main).mean
    held_out = means.loc[[name for name in means.index if name not in tuning_half()]]
    return Halves(averages, recommended_against_others(held_out, rope), ablation(averages), rope)
