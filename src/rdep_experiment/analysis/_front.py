"""Accuracy over size: models to be read, at several numbers of conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from rdep._utils._imports import optional

from ..models._names import NAMED_OURS, OTHERS, OURS, RULES, SIZES, TREES, model_and_size
from ._tables import Row, RunDescription, cross_validated_scores

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the analysis of scores", "cli")

# Models of others by kind; sparse linear models and monotone boosting are the last.
RIVALS = {"tree": TREES, "rule list": RULES, "linear or boosted": OTHERS}
ALL = "all rivals"
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


def front(rows: Iterable[Row], protocol: RunDescription) -> pd.DataFrame:
    """One line for each model and size: the mean score, and how many conditions there are.

    Means are over the data sets on which every classifier has all of its folds.
    """
    rows = list(rows)
    means = cross_validated_scores(rows, protocol).complete
    sizes: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        # Rows of an earlier run without sizes may be in the same folder.
        if row["dataset"] in means.index and "n_conditions" in row:
            sizes[row["classifier"]].append(row["n_conditions"])
    lines = [
        {
            "model": model_and_size(name)[0],
            "size": model_and_size(name)[1],
            "score": means[name].mean(),
            "mean_conditions": np.mean(sizes[name]),
            "most_conditions": max(sizes[name]),
            "n_datasets": len(means),
        }
        for name in means.columns
        if sizes[name]
    ]
    return pd.DataFrame(lines).astype({"size": "Int64"}) if lines else pd.DataFrame()


def against_the_best(rows: Iterable[Row], protocol: RunDescription) -> pd.DataFrame:
    """Our model at every size beside the best tree, rule list, other model, and the best of all.

    Rivals are all models of others of this size. "Best" is the greatest mean over all data sets,
    which favours the others: they are chosen by the scores that are compared, our model is not.
    """
    means = cross_validated_scores(list(rows), protocol).complete
    lines = []
    for k in SIZES:
        ours = f"{NAMED_OURS}_{k}"
        for kind, models in (*RIVALS.items(), (ALL, sum(RIVALS.values(), ()))):
            names = [f"{model}_{k}" for model in models if f"{model}_{k}" in means]
            if ours not in means or not names or means.empty:
                continue
            best = max(names, key=lambda name: means[name].mean())
            difference = means[ours] - means[best]
            lines.append(
                {
                    "size": k,
                    "ours": means[ours].mean(),
                    "kind": kind,
                    "best": model_and_size(best)[0],
                    "score": means[best].mean(),
                    "difference": difference.mean(),
                    "better_on": int((difference > 0).sum()),
                    "worse_on": int((difference < 0).sum()),
                }
            )
    return pd.DataFrame(lines)


def best_by_size(found: pd.DataFrame) -> str:
    """A sentence with the best of all models, ours included, at every size."""
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
    """The name of a model in tables and figures."""
    return MODEL_NAMES.get(model, model)
