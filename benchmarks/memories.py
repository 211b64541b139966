"""Recall of one image by an associative memory against the equivalent line of NumPy."""

from __future__ import annotations

import numpy as np

from rdep import AssociativeMemory

from .measure import Comparison, in_turn, sized

N_PIXELS = 4096
N_PATTERNS = 20


def recall(repeats):
    """One recall of 4096 pixels against ``(W + x).max(axis=1)``, with one thread."""
    rng = np.random.default_rng(0)
    n_pixels = sized(N_PIXELS)
    patterns = rng.integers(0, 256, (N_PATTERNS, n_pixels)).astype(float)
    x = np.where(rng.random(n_pixels) < 0.1, 0.0, patterns[0])
    for kind, reduce in (("W", np.max), ("M", np.min)):
        memory = AssociativeMemory(kind).fit(patterns)
        matrix, key = memory.memory_, x[None]
        ours, theirs, recalled, expected = in_turn(
            lambda memory=memory, key=key: memory.predict(key)[0],
            lambda matrix=matrix, reduce=reduce: reduce(matrix + x, axis=1),
            repeats,
        )
        yield Comparison(
            "memories",
            f"recall by {kind}, {N_PIXELS} pixels",
            "(W + x).max(axis=1)" if kind == "W" else "(M + x).min(axis=1)",
            ours,
            theirs,
            at_most=1.5,
            answers_agree=bool(np.array_equal(recalled, expected)),
        )
