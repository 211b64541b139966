"""The recommended r-DEP against others: averages, tests, and what each step towards it gained.

It was chosen on the paper's thirty data sets. What they say of it is not held out; data sets that
took part in no choice are runs of their own, the suites ``fresh`` and ``keel``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..models._names import STEPS, VARIANTS
from . import _statistics as statistics
from . import _tables as tables
from ._names import display_name

if TYPE_CHECKING:
    import pandas as pd

RECOMMENDED = "recommended_rdep"
COST_UNIT = "rbf_svc"
# What the steps lead to and the variants change; it was recommended before.
EARLIER = "mixed_rdep"

# The way from the paper's r-DEP to the recommended one, each with one change more ...
LADDER = {
    "ensemble_rdep": "as in the paper: three SVCs, values of the samples they were fitted on",
    "balanced_members": "members with balanced classes",
    "cross_fitted": "cross-fitted values",
    "balanced_beta": "β on a balanced loss",
    "wide_margin": "a margin of 0.25",
    "even_weights": "all samples of a class weigh the same",
    "mixed_members": "an SVC, a forest, boosting and a logistic regression in place of three SVCs",
    EARLIER: "their stack as one more component",
    RECOMMENDED: "cheaper trees, a second SVC, the mean with a stack that grows with every member",
}

# ... and what was tried on top of the last but one, each for itself.
BEYOND = {
    "with_joint": "w, m and β trained jointly",
    "with_choice": "C and margin chosen by cross-validation",
    "with_escape": "escapes from critical points, three starts",
    "with_bags": "a vote of ten DEPs, each on a bootstrap sample of ρ(x)",
}


@dataclass(frozen=True)
class Comparison:
    """Averages, the recommended r-DEP against others, and the gain of its steps, if they ran."""

    averages: pd.DataFrame
    against: pd.DataFrame
    steps: pd.DataFrame
    rope: float

    @property
    def other_metrics(self) -> list[str]:
        """The columns between the main metric's and the cost."""
        return [name for name in self.averages if name not in ("mean", "fit_seconds", "cost")]

    @property
    def files(self) -> dict[str, str]:
        """The text of every file that shows them, by its name."""
        found = {
            "averages.csv": tables.csv_text(self.averages.reset_index()),
            "recommended.md": as_markdown(self),
        }
        for name, frame in (("recommended.csv", self.against), ("ablation.csv", self.steps)):
            if len(frame):
                found[name] = tables.csv_text(frame)
        return found


def has_recommended(protocol: tables.RunDescription) -> bool:
    """Whether a run has the recommended r-DEP, others, and data sets enough to compare them."""
    classifiers, datasets = protocol["classifiers"], protocol["datasets"]
    enough = len(datasets) >= statistics.FEWEST_DATASETS
    return RECOMMENDED in classifiers and len(without_steps(classifiers)) > 1 and enough


def without_steps(classifiers: Iterable[str]) -> list[str]:
    """The classifiers to compare, without the steps to the recommended one and their variants."""
    return [name for name in classifiers if name not in STEPS and name not in VARIANTS]


def average_table(
    rows: Iterable[tables.Row], protocol: tables.RunDescription, metrics: Iterable[str]
) -> pd.DataFrame:
    """Averages of every classifier by metrics, and its cost.

    The cost is the time for fitting one fold of every data set, ``cost`` as a multiple of the RBF
    SVC's. NaN where a cell is missing or the metric not defined.
    """
    import pandas as pd

    rows = list(rows)
    means = tables.cross_validated_scores(rows, protocol).mean
    frame = pd.DataFrame({"mean": means.mean(skipna=False)})
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

    Wins and losses are by more than ``rope``. ``t_test`` and ``wilcoxon`` are two-sided p-values
    with Holm's correction for the number of others; the last three columns are the Bayesian
    signed-rank test's probabilities that the recommended one is practically better, equal, or
    worse.
    """
    import pandas as pd

    records: dict[str, dict[str, Any]] = {}
    for other in means.columns.drop(RECOMMENDED):
        if means[other].isna().any():
            continue
        difference = statistics.differences(means, RECOMMENDED, other)
        posterior = statistics.bayesian_signed_rank(means[RECOMMENDED], means[other], rope)
        records[other] = {
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
        frame[test] = statistics.holm(frame[test].to_numpy())
    return frame


def ablation(averages: pd.DataFrame) -> pd.DataFrame:
    """Gain and cost of each step; variants are compared with the step that they change."""
    import pandas as pd

    records = []
    known = [name for name in (*LADDER, *BEYOND) if name in averages.index]
    before = None
    for name in known:
        row = averages.loc[name]
        compared = averages.loc[EARLIER if name in BEYOND else before or name]
        records.append(
            {
                "classifier": name,
                "change": {**LADDER, **BEYOND}[name],
                "mean": row["mean"],
                "gain": row["mean"] - compared["mean"],
                "fit_seconds": row.fit_seconds,
                "cost": row.cost,
            }
        )
        before = name
    return pd.DataFrame(records)


def as_markdown(comparison: Comparison) -> str:
    """The tables as text."""
    name, averages = display_name, comparison.averages
    ordered = averages.loc[without_steps(averages.index)].sort_values(
        "mean", ascending=False, kind="stable"
    )
    parts = [
        "# The recommended r-DEP against others\n",
        "Means over the data sets. The cost is the time for fitting one fold of all of them, as a "
        "multiple of the RBF SVC's.\n",
        _table(
            ["Classifier", "Balanced accuracy", "ROC AUC", "Log loss", "Cost"],
            [
                [
                    name(classifier),
                    _decimals(row["mean"]),
                    _decimals(row.get("roc_auc", np.nan)),
                    _decimals(-row.get("neg_log_loss", np.nan)),
                    _decimals(row["cost"], 2),
                ]
                for classifier, row in ordered.iterrows()
            ],
        ),
    ]
    if len(comparison.against):
        parts += [
            "## Tests\n\nThe recommended r-DEP minus the other; wins and losses by more than "
            f"{comparison.rope}; p-values of Student's and Wilcoxon's two-sided tests with Holm's "
            "correction; probabilities of the Bayesian signed-rank test.\n",
            _table(
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
                    for row in comparison.against.itertuples()
                ],
            ),
        ]
    if len(comparison.steps):
        parts += [
            "## What each step gained, and what it cost\n",
            _table(
                ["Change", "Balanced accuracy", "Gain", "Cost"],
                [
                    [row.change, _decimals(row.mean), f"{row.gain:+.4f}", _decimals(row.cost, 2)]
                    for row in comparison.steps.itertuples()
                ],
            ),
        ]
    return "\n".join(parts)


def _table(heading: list[str], lines: list[list[str]]) -> str:
    rows = [heading, ["---"] + ["---:"] * (len(heading) - 1), *lines]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def _decimals(value: float, n_decimals: int = 4) -> str:
    return f"{value:.{n_decimals}f}" if np.isfinite(value) else "–"


def compare(
    rows: Iterable[tables.Row],
    protocol: tables.RunDescription,
    metrics: Iterable[str],
    rope: float,
) -> Comparison:
    """The tables of a run for which :func:`has_recommended` holds."""
    import pandas as pd

    rows = list(rows)
    averages = average_table(rows, protocol, metrics)
    main = {**protocol, "classifiers": without_steps(protocol["classifiers"])}
    means = tables.cross_validated_scores(rows, main).mean
    complete = means[RECOMMENDED].notna().all()
    against = recommended_against_others(means, rope) if complete else pd.DataFrame()
    ran = not set(STEPS).isdisjoint(protocol["classifiers"])
    return Comparison(averages, against, ablation(averages) if ran else pd.DataFrame(), rope)
