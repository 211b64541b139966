"""Folds of a data set: stratified, by groups, from the past to the future, or one held out.

Groups and times come from columns of a table, as numbers.
"""

from __future__ import annotations

import warnings
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    train_test_split,
)

from rdep._utils._imports import optional
from rdep._utils._typing import Indices
from rdep.datasets import Dataset

from ._protocol import BY_GROUPS, BY_TIME, HELD_OUT

if TYPE_CHECKING:
    import pandas as pd

HELD_OUT_SHARE = 0.2

Split = tuple[Indices, Indices]


def splits(dataset: Dataset, split: str | None, n_folds: int, seed: int) -> list[Split]:
    """Compute the training and test samples of every fold.

    Parameters
    ----------
    dataset : Dataset
        The data set, with groups unless ``split`` is None.
    split : "groups", "time", "held out" or None
        Kind of folds: stratified folds that keep groups together; folds that are tested on later
        rows than they are trained on; one fold with a random share held out. None means stratified
        folds. Folds of numbers are not stratified.
    n_folds : int
        Number of folds.
    seed : int
        Seed of the shuffle before the folds; not used for folds in time.

    Returns
    -------
    list of (train, test)
        Indices of the samples.
    """
    if split == BY_TIME:
        return _past_and_future(_groups(dataset), n_folds)
    if split == HELD_OUT:
        samples = np.arange(len(dataset.y))
        return [
            train_test_split(
                samples,
                test_size=HELD_OUT_SHARE,
                random_state=seed,
                stratify=dataset.y if dataset.labels else None,
            )
        ]
    kinds = (StratifiedKFold, StratifiedGroupKFold) if dataset.labels else (KFold, GroupKFold)
    folds = kinds[split == BY_GROUPS](n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")
        return list(folds.split(dataset.X, dataset.y, dataset.groups))


def usable_folds(dataset: Dataset, split: str | None, n_folds: int, seeds: list[int]) -> int:
    """Largest number of folds, up to ``n_folds``, that all have all classes; 0 if there is none.

    If a class is missing in a fold, balanced accuracy is not defined, and a classifier that never
    predicts this class looks better than it is.
    """
    if split == HELD_OUT:  # also stratified
        return min(n_folds, 1)
    if not dataset.labels:
        return _usable_for_numbers(dataset, split, n_folds)
    most = min(n_folds, _limit(dataset, split))
    if split is None:  # stratified folds have every class, up to this number
        return most if most > 1 else 0
    for count in range(most, 1, -1):
        if all(_is_complete(dataset, split, count, seed) for seed in seeds):
            return count
    return 0


def _usable_for_numbers(dataset: Dataset, split: str | None, n_folds: int) -> int:
    """Largest number of folds with rows to train on and rows to test on."""
    parts = len(dataset.y) if split is None else len(np.unique(_groups(dataset)))
    for count in range(min(n_folds, parts - (split == BY_TIME)), 1, -1):
        if split != BY_TIME or all(map(len, chain(*splits(dataset, split, count, 0)))):
            return count
    return 0


def limit_of_folds(dataset: Dataset, split: str | None, usable: int) -> str:
    """Reason why a data set cannot be cut into more folds than are usable."""
    if not dataset.labels:
        word = {None: "row", BY_TIME: "time"}.get(split, "group")
        total = len(dataset.y) if split is None else len(np.unique(_groups(dataset)))
        return f"there {'is' if total == 1 else 'are'} {_counted(total, word)}"
    counts = _counts(dataset, split)
    rarest = f"class {dataset.labels[int(np.argmin(counts))]!r}"
    if split is None:
        return f"{rarest} has {min(counts)} rows"
    groups = _groups(dataset)
    word, total = {BY_TIME: "time"}.get(split, "group"), len(np.unique(groups))
    if split == BY_TIME and min(counts) > max(usable, 1) and total > max(usable, 1) + 1:
        order = np.argsort(groups, kind="stable")
        firsts = [int(np.argmax(dataset.y[order] == label)) for label in range(len(counts))]
        latest = int(np.argmax(firsts))
        return (
            f"in the order of time, class {dataset.labels[latest]!r} first occurs after "
            f"{firsts[latest] / len(order):.0%} of the rows"
        )
    if min(counts) == total:
        return f"there {'is' if total == 1 else 'are'} {_counted(total, word)}"
    return f"{rarest} is in {min(counts)} of {_counted(total, word)}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _limit(dataset: Dataset, split: str | None) -> int:
    """Maximum number of folds: the smallest number of samples, groups or moments of a class."""
    return min(_counts(dataset, split))


def _counts(dataset: Dataset, split: str | None) -> list[int]:
    """Number of samples, groups or moments of every class."""
    if split in (None, HELD_OUT):
        return np.bincount(dataset.y).tolist()
    groups = _groups(dataset)
    return [len(np.unique(groups[dataset.y == label])) for label in np.unique(dataset.y)]


def _groups(dataset: Dataset) -> Indices:
    if dataset.groups is None:
        raise ValueError(f"{dataset.name} has neither groups nor an order in time")
    return dataset.groups


def _is_complete(dataset: Dataset, split: str | None, n_folds: int, seed: int) -> bool:
    n_classes = len(dataset.labels)
    return all(
        len(np.unique(dataset.y[part])) == n_classes
        for fold in splits(dataset, split, n_folds, seed)
        for part in fold
    )


def _past_and_future(moments: Indices, n_folds: int) -> list[Split]:
    """Folds like scikit-learn's ``TimeSeriesSplit``, but no moment is both past and future.

    The samples are cut, in the order of time, into ``n_folds`` + 1 parts of about equal size. Fold
    k is trained on parts 1 to k and tested on part k + 1.
    """
    order = np.argsort(moments, kind="stable")
    ordered = moments[order]
    cuts = np.linspace(0, len(order), n_folds + 2).astype(int)[1:-1]
    # Samples of the same moment are on the same side of a cut.
    starts = np.searchsorted(ordered, ordered[cuts])
    ends = [*starts[1:], len(order)]
    return [(order[:start], order[start:end]) for start, end in zip(starts, ends, strict=True)]


def group_numbers(column: pd.Series, name: str) -> Indices:
    """Group number of each row."""
    _require_values(column, name)
    return np.unique(column.astype(str).to_numpy(str), return_inverse=True)[1]


def moments(column: pd.Series, name: str) -> Indices:
    """Rank in time of each row, from numbers or dates; rows of the same time share it."""
    _require_values(column, name)
    pandas = optional("pandas", "the order in time", "cli")
    values = column
    if not pandas.api.types.is_datetime64_any_dtype(column):
        values = pandas.to_numeric(column, errors="coerce")
        if values.isna().any():
            values = pandas.to_datetime(column, format="ISO8601", errors="coerce", utc=True)
    wrong = values.isna().to_numpy()
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"column {name!r} has no order in time: row {row + 1} has {column.iloc[row]!s}. Write "
            "numbers, or dates and times such as 2026-01-31 or 2026-01-31 18:30"
        )
    return np.unique(values.to_numpy(), return_inverse=True)[1]


def _require_values(column: pd.Series, name: str) -> None:
    missing = column.isna().to_numpy()
    if missing.any():
        raise ValueError(
            f"column {name!r} is missing in row {int(missing.argmax()) + 1}: fill in the value, "
            "or remove rows without one"
        )
