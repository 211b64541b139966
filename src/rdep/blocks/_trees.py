"""Forest and boosting on all rows, or on as many uniformly drawn rows as fit into memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from .._base._members import fit_member
from .._base._passes import Block
from .._utils._typing import Array, Indices
from ..training import random_numbers
from ._rows import Rows

# Seeds of the draw and of the folds: a row is drawn whatever its fold.
_DRAW, _FOLDS = 1, 2


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows in memory, with their folds."""

    X: Array
    y: NDArray
    folds: NDArray


def folds_of(block: Block) -> NDArray:
    """Fold of each row, 0 or 1; it depends on the position of the row only."""
    return (random_numbers(block.rows, _FOLDS) & np.uint64(1)).astype(np.int8)


def draw(rows: Rows, n_features: int, most: int) -> Drawn:
    """Draw at most ``most`` rows, each with the same probability; all rows if they fit."""
    n_rows = rows.n_rows
    share = 1.0 if n_rows <= most else max(0.0, most - 4 * most**0.5) / n_rows
    X, y = np.empty((min(n_rows, most), n_features)), np.empty(min(n_rows, most))
    folds, n = np.empty(len(y), dtype=np.int8), 0
    for found, signs, fold in rows.collect(partial(_drawn, share)):
        end = min(n + len(signs), len(y))
        X[n:end], y[n:end], folds[n:end] = found[: end - n], signs[: end - n], fold[: end - n]
        n = end
    return Drawn(X[:n], y[:n], folds[:n])


def _drawn(share: float, block: Block) -> tuple[Array, NDArray, NDArray]:
    folds = folds_of(block)
    if share >= 1:
        return block.X, block.y, folds
    chosen = random_numbers(block.rows, _DRAW) < np.uint64(share * 2.0**64)
    return block.X[chosen], block.y[chosen], folds[chosen]


def fit_trees(
    name: str, tree: BaseEstimator, drawn: Drawn, classes: NDArray
) -> tuple[BaseEstimator, list[BaseEstimator]]:
    """Fit a member on all drawn rows, and on those outside of each fold."""
    if getattr(tree, "oob_score", False):
        tree = tree.set_params(oob_score=False)  # the folds take the place of its bags
    labels = classes[(drawn.y > 0).astype(int)]
    chosen: list[slice | Indices] = [slice(None)]
    chosen += [np.flatnonzero(drawn.folds != fold) for fold in range(2)]
    what = f"member {name!r} of the ordering"
    whole, *parts = (
        fit_member(what, tree, drawn.X[rows], labels[rows], None, None) for rows in chosen
    )
    return whole, parts
