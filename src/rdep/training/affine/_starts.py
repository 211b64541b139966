"""Where training of a linear DEP starts: groups of each class, split deterministically.

At a point where pieces are equal, any of them attains the maximum, and the convex step may fix
whichever one likes: one for each group of samples. It starts from the linear classifier's objective
and can only descend.
"""

from __future__ import annotations

import numpy as np

from ..._utils._typing import Array, Indices


def groups(
    samples: Array, weights: Array, n_groups: int, rng: np.random.Generator | None = None
) -> Indices:
    """Samples of one class in groups, by halving the group of greatest variance again and again.

    A group is halved at its mean along its first principal direction, or along a random one if
    there is a generator. Fewer groups result where samples are equal.
    """
    of = np.zeros(len(samples), dtype=int)
    for new in range(1, n_groups):
        spreads = [_spread(samples[of == group], weights[of == group]) for group in range(new)]
        group = int(np.argmax(spreads))
        if spreads[group] == 0:
            break
        members = np.flatnonzero(of == group)
        of[members[_beyond_the_mean(samples[members], weights[members], rng)]] = new
    return of


def _spread(samples: Array, weights: Array) -> float:
    """Total variance, times the weight; zero up to rounding is zero."""
    mean = np.average(samples, axis=0, weights=weights)
    spread = float(weights @ ((samples - mean) ** 2).sum(axis=1))
    size = float(weights @ (samples**2).sum(axis=1))
    return spread if spread > 1e-14 * size else 0.0


def _beyond_the_mean(samples: Array, weights: Array, rng: np.random.Generator | None) -> Array:
    centred = samples - np.average(samples, axis=0, weights=weights)
    covariance = (centred * weights[:, None]).T @ centred
    direction = np.linalg.eigh(covariance)[1][:, -1]
    if rng is not None:
        # Random, but along directions in which the samples differ.
        direction = covariance @ rng.normal(size=len(direction))
    # The sign of a direction is arbitrary; the larger entry is made positive.
    direction = direction * np.sign(direction[np.abs(direction).argmax()])
    return centred @ direction > 0
