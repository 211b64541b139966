"""Associative memories on digits: recall of stored digits, and of digits with noise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from rdep._utils._typing import Array
from rdep.memories import AssociativeMemory

from ._tables import result

THEOREM = "Ritter, Sussner and Díaz-de-León 1998, perfect recall"
PROJECTION = "Valle 2014, perfect recall"
OURS = "no published number"
KINDS = ("W", "M", "pamm")
NOISES = ("erosive", "dilative", "mixed")
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)
N_STORED = 10
HIGHEST = 16.0


def memory_rows() -> Iterator[dict[str, Any]]:
    """Recall of stored digits, and of digits with noise."""
    X = load_digits().data
    for n_stored in (10, 100, len(X)):
        for kind in KINDS:
            share = AssociativeMemory(kind).fit(X[:n_stored]).score(X[:n_stored])
            source = PROJECTION if kind == "pamm" else THEOREM
            yield result(source, f"{n_stored} digits", f"share recalled, {kind}", 1.0, share)
    stored = X[:N_STORED]
    memories = {kind: AssociativeMemory(kind).fit(stored) for kind in KINDS}
    for noise in NOISES:
        for share in SHARES:
            noisy = with_noise(stored, noise, share, np.random.default_rng(0))
            before = _mean_error(noisy, stored)
            for kind, memory in memories.items():
                error = _mean_error(memory.predict(noisy), stored)
                data = f"{N_STORED} digits, {noise} noise on {share:.0%}"
                quantity = f"mean grey-level error, {kind}"
                yield result(OURS, data, quantity, None, error, f"{before:.2f} before recall")


def with_noise(X: Array, noise: str, share: float, rng: np.random.Generator) -> Array:
    """Make a share of the pixels of each image black, white, or either."""
    hit = rng.random(X.shape) < share
    white = {"erosive": 0.0, "dilative": 1.0, "mixed": 0.5}[noise]
    return np.where(hit, np.where(rng.random(X.shape) < white, HIGHEST, 0.0), X)


def _mean_error(recalled: Array, expected: Array) -> float:
    return round(float(np.abs(recalled - expected).mean()), 4)
