"""The competitive layer on ten splits of PMLB data sets, with the published accuracies."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import GridSearchCV, KFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep._utils._imports import optional
from rdep.hyperboxes import CompetitiveClassifier

from ._tables import published_splits, result

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the published splits", "cli")

SOURCE = "Cunha and Valle 2025, their repository's tables"
FIRST_SEED = 42
N_BOXES = [2, 4, 8, 16]
GAMMAS = {"ccp": [0.0], "ccp, regularised": [0.0, 1e-4, 1e-2, 1.0]}
DATASETS = (
    "appendicitis", "glass2", "haberman", "iris", "lupus", "new-thyroid", "sonar",
    "wine-recognition",
)  # fmt: skip
TRAININGS = ("greedy", *GAMMAS)


def competitive_row(name: str, training: str, folder: Path) -> dict[str, Any]:
    """Mean accuracy over the ten splits, published and ours, and the number of equal splits."""
    published = published_splits().query("dataset == @name and training == @training")
    table = pd.read_csv(folder / f"{name}.tsv.gz", sep="\t")
    X, y = table.drop(columns="target").to_numpy(float), table["target"].to_numpy()
    ours, seconds = [], []
    for split in published["split"]:
        train, test, y_train, y_test = train_test_split(
            X, y, test_size=0.3, random_state=FIRST_SEED - 1 + split, stratify=y
        )
        model = _model(training)
        with warnings.catch_warnings():
            # Too many boxes for a small class, or no convergence, lower the score in the search.
            warnings.simplefilter("ignore")
            model.fit(train, y_train)
        best = getattr(model, "best_estimator_", model)
        started = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            best.fit(train, y_train)
        seconds.append(time.process_time() - started)
        ours.append(best.score(test, y_test))
    equal = int(np.isclose(ours, published["accuracy"], rtol=0, atol=1e-9).sum())
    note = (
        f"{equal} of {len(ours)} splits equal; one fit {np.mean(seconds):.3f} s "
        f"({published['seconds'].mean():.3f} s there)"
    )
    quantity = f"accuracy, {training}"
    return result(SOURCE, name, quantity, published["accuracy"].mean(), float(np.mean(ours)), note)


def _model(training: str):
    if training == "greedy":
        return make_pipeline(
            StandardScaler(), CompetitiveClassifier("greedy-published", ties="first")
        )
    # The authors' solver and seed, so that splits can agree.
    ccp = CompetitiveClassifier("ccp", ties="first", solver="highs", random_state=FIRST_SEED)
    grid = {
        "competitiveclassifier__n_boxes": N_BOXES,
        "competitiveclassifier__gamma": GAMMAS[training],
    }
    # scikit-learn does not take the authors' class for a classifier, so folds are not stratified.
    pipeline = make_pipeline(StandardScaler(), ccp)
    return GridSearchCV(pipeline, grid, cv=KFold(5), scoring="f1_weighted")
