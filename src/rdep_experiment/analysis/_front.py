"""Accuracy against size: readable models with several numbers of conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from rdep._utils._imports import optional

from ..models._names import NAMED_OURS, OTHERS, OURS, RULES, SIZES, TREES, model_and_size
from . import _statistics as statistics
from ._tables import Row, RunDescription, cross_validated_scores

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the analysis of scores", "cli")

# Other models by kind; the last kind is sparse linear models and monotone boosting.
RIVALS = {"tree": TREES, "rule list": RULES, "linear or boosted": OTHERS}
ALL = "all rivals"
BY_CONDITIONS, BY_NUMBERS = "conditions", "numbers"
# Numbers besides the conditions: an intercept; β; the intercepts of three pieces; none for boxes
# with labels only.
_BESIDE = {"sparse_logistic": 1, "signed_dep": 1, "boxes_dep": 1, "sparse_linear_dep": 3, "mpc": 0}
MODEL_NAMES = {
    "score": "Box score",
    "signed_dep": "DEP with signs",
    "boxes_dep": "DEP on boxes",
    "mpc": "MPC, few boxes",
    "sparse_linear_dep": "ℓ-DEP, few features",
    "dendrites_few": "Dendrites, own size",
    "tree": "Tree",
    "tree_large_leaves": "Tree, leaves of 10 samples",
    "tree_depth": "Tree of limited depth",
    "figs": "FIGS",
    "rule_list": "Greedy rule list",
    "boosted_rules": "Boosted rules",
    "sparse_logistic": "Sparse logistic regression",
    "monotone_boosting": "Monotone boosting",
    "ebm": "EBM, own size",
}


def n_numbers(model: str, n_conditions: int, n_terms: int | None = None) -> int | None:
    """Count the numbers to read in a model, the other measure of size.

    Conditions, values of leaves, points of boxes, intercepts and β count.

    Parameters
    ----------
    model : str
        Name of a readable model without its size.
    n_conditions : int
        Number of its conditions.
    n_terms : int or None, default=None
        Number of boxes of a score, or of trees of FIGS, which the conditions do not determine.
        None counts FIGS as one tree, which has the fewest leaves.

    Returns
    -------
    int or None
        The number; None if it is not known.
    """
    if model == NAMED_OURS:
        # A coefficient of a feature already counts as a condition; a box also has points.
        beside = None if n_terms is None else n_terms + 1
    elif model == "figs":
        beside = n_conditions + (n_terms or 1)
    elif model in (*TREES, "rule_list"):
        beside = n_conditions + 1
    elif model == "boosted_rules":
        beside = 2 * n_conditions
    elif model == "monotone_boosting":
        beside = 2 * n_conditions + 1
    else:
        beside = _BESIDE.get(model)
    return None if beside is None else n_conditions + beside


def front(rows: Iterable[Row], protocol: RunDescription) -> pd.DataFrame:
    """Mean score and both measures of size, one line for each model and size.

    Means are over the data sets on which every classifier has all of its folds.
    """
    rows = list(rows)
    means = cross_validated_scores(rows, protocol).complete
    sizes: dict[str, list[int]] = defaultdict(list)
    numbers: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        # The folder may hold rows of an earlier run without sizes.
        if row["dataset"] in means.index and "n_conditions" in row:
            name, n_conditions = row["classifier"], row["n_conditions"]
            sizes[name].append(n_conditions)
            known = n_numbers(model_and_size(name)[0], n_conditions, row.get("n_terms"))
            numbers[name].append(np.nan if known is None else known)
    lines = [
        {
            "model": model_and_size(name)[0],
            "size": model_and_size(name)[1],
            "score": means[name].mean(),
            "mean_conditions": np.mean(sizes[name]),
            "most_conditions": max(sizes[name]),
            "mean_numbers": np.mean(numbers[name]),
            "n_datasets": len(means),
        }
        for name in means.columns
        if sizes[name]
    ]
    return pd.DataFrame(lines).astype({"size": "Int64"}) if lines else pd.DataFrame()


def against_the_best(rows: Iterable[Row], protocol: RunDescription) -> pd.DataFrame:
    """Compare our model at every size with the best tree, rule list and other model, and of all.

    There are two measures of size. By conditions, rivals are all other models of this size. By
    numbers, rivals are all other models, of any size, that have no more numbers to read on average.
    "Best" is the largest mean over all data sets. This favours the others: they are chosen by the
    scores that are compared, our model is not. ``wilcoxon`` are two-sided p-values with Holm's
    correction for all lines of one measure.
    """
    rows = list(rows)
    means = cross_validated_scores(rows, protocol).complete
    found = front(rows, protocol)
    if found.empty:
        return found
    names = found["model"] + [f"_{size}" if size > 0 else "" for size in found["size"].fillna(0)]
    numbers = pd.Series(found["mean_numbers"].to_numpy(), index=names)
    lines = []
    for counted in (BY_CONDITIONS, BY_NUMBERS):
        for k in SIZES:
            ours = f"{NAMED_OURS}_{k}"
            if ours not in numbers:
                continue
            for kind, models in (*RIVALS.items(), (ALL, sum(RIVALS.values(), ()))):
                rivals = [name for name in numbers.index if model_and_size(name)[0] in models]
                if counted == BY_CONDITIONS:
                    rivals = [name for name in rivals if model_and_size(name)[1] == k]
                else:
                    rivals = [name for name in rivals if numbers[name] <= numbers[ours]]
                if rivals:
                    best = max(rivals, key=lambda name: means[name].mean())
                    lines.append(_beside(means, counted, k, ours, kind, best))
    beside = pd.DataFrame(lines)
    for _, of_one_way in beside.groupby("counted", sort=False) if lines else ():
        corrected = statistics.holm(of_one_way["wilcoxon"].to_numpy())
        beside.loc[of_one_way.index, "wilcoxon"] = corrected
    return beside


def _beside(means: pd.DataFrame, counted: str, k: int, ours: str, kind: str, best: str) -> dict:
    difference = statistics.differences(means, ours, best)
    return {
        "counted": counted,
        "size": k,
        "ours": means[ours].mean(),
        "kind": kind,
        "best": best,
        "score": means[best].mean(),
        "difference": difference.mean(),
        "better_on": int((difference > 0).sum()),
        "worse_on": int((difference < 0).sum()),
        "wilcoxon": statistics.signed_rank(difference),
    }


def best_by_size(found: pd.DataFrame) -> str:
    """Sentence with the best of all models, including ours, at every size."""
    texts = []
    for size, lines in found.dropna(subset=["size"]).groupby("size"):
        score = lines["score"].max()
        names = [model_name(model) for model in lines["model"][lines["score"] == score]]
        texts.append(f"{size}: {' and '.join(names)} ({score:.4f})")
    return f"Best of all models by number of conditions: {', '.join(texts)}." if texts else ""


def is_ours(model: str) -> bool:
    """Whether a model belongs to this package."""
    return model in OURS or model.startswith("dendrites")


def model_name(model: str) -> str:
    """Name of a model in tables and figures."""
    return MODEL_NAMES.get(model, model)
