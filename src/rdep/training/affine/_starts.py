"""Starts of training a linear DEP: groups of each class, split deterministically.

If all pieces are equal, each of them attains the maximum, and the convex step may fix any of them:
here one for each group of samples. The step starts from the objective of the linear classifier and
can only descend.
"""

from __future__ import annotations

import numpy as np

from ..._utils._typing import Array, Indices


def groups(
    samples: Array, weights: Array, n_groups: int, rng: np.random.Generator | None = None
) -> Indices:
    """Group the samples of one class by repeatedly halving the group with the largest variance.

    A group is halved at its mean along its first principal direction, or along a random direction
    if a generator is given. There are fewer groups if samples are equal.
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
    """Total variance times the weight; 0 if it is zero up to rounding."""
    mean = np.average(samples, axis=0, weights=weights)
    spread = float(weights @ ((samples - mean) ** 2).sum(axis=1))
    size = float(weights @ (samples**2).sum(axis=1))
    return spread if spread > 1e-14 * size else 0.0


def _beyond_the_mean(samples: Array, weights: Array, rng: np.random.Generator | None) -> Array:
    centred = samples - np.average(samples, axis=0, weights=weights)
    covariance = (centred * weights[:, None]).T @ centred
    direction = np.linalg.eigh(covariance)[1][:, -1]
    if rng is not None:
        # A random combination of directions in which the samples differ.
        direction = covariance @ rng.normal(size=len(direction))
    # The sign of a direction is arbitrary; the larger entry is made positive.
    direction = direction * np.sign(direction[np.abs(direction).argmax()])
    return centred @ direction > 0
