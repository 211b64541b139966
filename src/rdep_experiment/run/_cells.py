"""Tasks: classifiers on one fold of one data set, each fitted and scored in one row."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from rdep._registry import REGRESSION
from rdep._utils._sklearn_scoring import is_defined
from rdep._utils._typing import Array
from rdep._utils._versions import versions
from rdep.datasets import Dataset

from ..models._names import MODEL
from ..models._sharing import FitCache
from ._cpu_time import FIT, cpu_clock, prediction_times
from ._folds import splits
from ._metrics import score
from ._protocol import Protocol
from ._sources import Source
from ._store import FAILED, OK

if TYPE_CHECKING:
    from rdep.scoring import Scored, ScoredNumbers

# Largest numbers of scores in a row, of columns with an importance, and of samples to shuffle.
_MOST_SCORES, _MOST_COLUMNS, _MOST_SHUFFLED = 200, 300, 1000


@dataclass(frozen=True)
class Task:
    """Classifiers on one fold of one data set."""

    source: Source
    protocol: Protocol
    repeat: int
    fold: int
    classifiers: tuple[str, ...]
    data_sha256: str  # checksum of the data that a worker must read
    attempt: int = 1

    def row(self, classifier: str, outcome: dict) -> dict:
        """Row with its cell, the outcome, and the origin of data, classifier and numbers."""
        return {
            "dataset": self.source.name,
            "repeat": self.repeat,
            "fold": self.fold,
            "classifier": classifier,
            "task": self.protocol.task,
            **outcome,
            "seed": self.protocol.seed_of(self.repeat),
            "data_sha256": self.data_sha256,
            **origin(self.source, self.protocol, classifier),
            "versions": versions(),
        }

    def failed_row(self, classifier: str, error: str) -> dict:
        """Row of a cell that failed."""
        outcome: dict = {
            "status": FAILED,
            "scores": {},
            "fit_seconds": None,
            "predict_seconds": None,
            "error": error[:1000],
            "warnings": [],
        }
        return self.row(classifier, outcome)


def origin(source: Source, protocol: Protocol, classifier: str) -> dict:
    """Origin of tables and classifiers of the user; others are identified by name."""
    known = {"target": source.target, "imported_from": protocol.extra.get(classifier)}
    return {name: value for name, value in known.items() if value is not None}


def run_fold(dataset: Dataset, task: Task) -> Iterator[tuple[str, object]]:
    """Yield ("start", name) before each classifier and ("row", row) after it."""
    protocol, seed = task.protocol, task.protocol.seed_of(task.repeat)
    with threadpool_limits(1):
        train, test = splits(dataset, protocol.split, protocol.n_folds, seed)[task.fold]
        X_train, X_test = prepared(dataset.X, train, test, protocol)
        y_train, y_test = dataset.y[train], dataset.y[test]
        cache = FitCache()
        for name in task.classifiers:
            yield "start", name
            yield "row", _run_one(task, name, cache, (X_train, y_train), (X_test, y_test))


def prepared(X: Array, train, test, protocol: Protocol) -> tuple[Array, Array]:
    """Impute means and standardise; features without any value are dropped, or set to 0."""
    if np.isnan(X).any():
        imputer = SimpleImputer(keep_empty_features=protocol.keep_empty)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Skipping features without any observed")
            imputer.fit(X if protocol.impute == "dataset" else X[train])
            X_train, X_test = imputer.transform(X[train]), imputer.transform(X[test])
    else:
        X_train, X_test = X[train], X[test]
    scaler = StandardScaler().fit(X_train)
    return scaler.transform(X_train), scaler.transform(X_test)


def _run_one(task: Task, name: str, cache: FitCache, training, testing) -> dict:
    protocol, (X_test, y_test) = task.protocol, testing
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = protocol.classifier(name, task.repeat, None if protocol.costs else cache)
            if protocol.calibrate is not None:
                from rdep.tables import calibrated

                model = calibrated(model, protocol.calibrate, training[1])
            if protocol.threshold is not None or protocol.cost is not None:
                from rdep.tables import with_threshold

                sought = 1 if protocol.positive is None else protocol.positive
                rule = protocol.threshold, protocol.cost, sought, training[1]
                model = with_threshold(model, *rule)[0]
            begun = cpu_clock()
            fit_seconds = _timed(cache, lambda: model.fit(*training))
            fit_cpu = cpu_clock() - begun
            predict_seconds = _timed(cache, lambda: model.predict(testing[0]))
            scores = {
                # None: not defined for this classifier, as expected.
                metric: None
                if protocol.gaps and not is_defined(metric, model)
                else score(metric, model, X_test, y_test, protocol.positive, protocol.quantile)
                for metric in protocol.metrics
            }
            described = _description(name, model, protocol, *testing)
            if protocol.costs:
                described["cpu_seconds"] = {FIT: fit_cpu, **prediction_times(model, testing[0])}
    except Exception as error:  # any failure of a classifier becomes a row
        return task.failed_row(name, f"{type(error).__name__}: {error}")
    outcome = {
        "status": OK,
        "scores": scores,
        **described,
        "fit_seconds": round(fit_seconds, 6),
        "predict_seconds": round(predict_seconds, 6),
        "error": None,
        "warnings": sorted({str(warning.message)[:200] for warning in caught}),
    }
    return task.row(name, outcome)


def _description(name, model, protocol: Protocol, X: Array, y) -> dict:
    """Fields of a row besides scores: size, reliability of probabilities."""
    found: dict = {}
    if protocol.sizes:
        from rdep.inspection import n_conditions

        found["n_conditions"] = n_conditions(model)
        last = model[-1] if isinstance(model, Pipeline) else model
        if hasattr(last, "box_coef_"):
            found["n_terms"] = len(last.box_coef_)
        elif hasattr(last, "n_terms_"):
            found["n_terms"] = last.n_terms_
    if protocol.robust:
        from ..report._certified import radii_of_correct

        found["certified"] = radii_of_correct(model, X, y)
    if protocol.columns is not None:
        found |= _on_held_out_rows(name, model, protocol, X, y)
    shows_them = protocol.has_probabilities or protocol.columns is not None
    if shows_them and hasattr(model, "predict_proba"):
        from rdep.scoring import binned

        probabilities = model.predict_proba(X)
        if protocol.positive == 0:
            probabilities, y = probabilities[:, ::-1], 1 - y
        found["reliability"] = binned(probabilities, y)
    return found


def _on_held_out_rows(name, model, protocol: Protocol, X: Array, y) -> dict:
    """Confusion matrix, scores with numbers of samples, and importance of columns."""
    from rdep.scoring import importance, scored

    found = scored(model, X, y, positive=protocol.positive)
    details: dict = {}
    if protocol.task == REGRESSION:
        details["numbers"] = in_pairs(found)
    else:
        details["confusion"] = found.confusion.tolist()
        if found.score is not None:
            details |= {"probability": found.of_probabilities, "scores": in_groups(found)}
    columns = protocol.columns or {}
    n_features = sum(map(len, columns.values()))
    if name == MODEL and X.shape[1] == n_features and len(columns) <= _MOST_COLUMNS:
        repeats = max(1, min(5, 100 // len(columns)))
        losses = importance(
            model, X, y, columns=columns, n_repeats=repeats, max_rows=_MOST_SHUFFLED
        ).losses
        details["importance"] = np.round(losses, 6).tolist()
    return {"held_out": details}


def in_pairs(found: ScoredNumbers) -> list[list[float]]:
    """Numbers and their predictions; of many rows, some at even distances."""
    rows = np.arange(len(found.y))
    if len(rows) > _MOST_SCORES:
        rows = np.linspace(0, len(rows) - 1, _MOST_SCORES).astype(int)
    return np.column_stack([found.y, found.predicted])[rows].tolist()


def in_groups(found: Scored) -> list[list[float]]:
    """Scores in increasing order, each with its numbers of other and of positive samples.

    If there are many scores, neighbours share their mean.
    """
    score = np.asarray(found.score)
    values, places = np.unique(score, return_inverse=True)
    groups = np.arange(len(values)) * _MOST_SCORES // max(len(values), _MOST_SCORES)
    of_sample = groups[places.ravel()]
    counts = [np.bincount(of_sample, found.is_positive == side) for side in (False, True)]
    sums = np.bincount(of_sample, score)
    used = counts[0] + counts[1] > 0
    others, positives = (count[used].astype(int).tolist() for count in counts)
    means = (sums[used] / (counts[0] + counts[1])[used]).tolist()
    return [list(each) for each in zip(means, others, positives, strict=True)]


def _timed(cache: FitCache, work) -> float:
    """Seconds of the work, including the original computation of parts from the cache."""
    saved, start = cache.saved_seconds, time.perf_counter()
    work()
    return time.perf_counter() - start + cache.saved_seconds - saved
