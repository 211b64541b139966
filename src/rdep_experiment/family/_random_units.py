"""Random units of Valle's group, HLM-ELM: ten draws, compared with the published one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from rdep.networks import MorphologicalELMClassifier

from ..run._cells import prepared
from ..run._folds import splits
from ..run._sources import Source
from ..suites.family import SUITE as FAMILY
from ._tables import published_scores, result

SOURCE = "github.com/httplups/morphological-networks, HLM_ELM"
N_SEEDS = 10


def elm_row(name: str, folder: Path) -> dict[str, Any]:
    """Mean balanced accuracy of ten seeds, and whether their range contains the published one."""
    scores = elm_scores(name, folder)
    published = float(published_scores().loc[name, "hlm_elm"])
    low, high = min(scores), max(scores)
    where = "inside" if low <= published <= high else "outside"
    note = f"{N_SEEDS} seeds from {low:.3f} to {high:.3f}, the published one is {where}"
    mean = round(float(np.mean(scores)), 4)
    return result(SOURCE, name, "balanced accuracy, mean of ten seeds", published, mean, note)


def elm_scores(name: str, folder: Path) -> list[float]:
    """Mean over the folds of the published table, for each seed."""
    protocol = FAMILY.protocol
    dataset = Source(name, data_dir=str(folder)).load()
    scores = np.zeros((N_SEEDS, protocol.n_folds))
    for k, (train, test) in enumerate(splits(dataset, None, protocol.n_folds, protocol.seed)):
        X, X_test = prepared(dataset.X, train, test, protocol)
        for seed in range(N_SEEDS):
            elm = MorphologicalELMClassifier.hlm_elm(random_state=seed).fit(X, dataset.y[train])
            scores[seed, k] = balanced_accuracy_score(dataset.y[test], elm.predict(X_test))
    return scores.mean(axis=1).tolist()
