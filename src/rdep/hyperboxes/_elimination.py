"""Training of dendrites by elimination: a box around a class, minus open boxes around the rest.

Ritter and Urcid's Algorithm 1 for one neuron. Its first dendrite is the bounding box of the class.
Every further dendrite is an open box that excludes samples of the rest and no sample of the class.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array


def eliminate(
    own: Array, rest: Array, *, tolerance: float = 0.0, max_dendrites: int | None = None
) -> tuple[Array, Array]:
    """Train the dendrites of the neuron of a class.

    Parameters
    ----------
    own, rest : arrays of shape (n_samples, n_features)
        The samples of the class, at least one, and all others, in the order in which they are
        visited. No sample may be in both.
    tolerance : float, default=0.0
        Distance between faces and the samples of the class. Faces of an excluded box move at most
        halfway towards the sample that it excludes.
    max_dendrites : int or None, default=None
        Maximum number of dendrites.

    Returns
    -------
    hull : array of shape (1, 2, n_features)
        Lower and upper corner of the box around the class.
    excluded : array of shape (n_dendrites - 1, 2, n_features)
        Corners of the excluded open boxes; infinite if there is no face.
    """
    hull = np.array([own.min(axis=0) - tolerance, own.max(axis=0) + tolerance])
    wrong = rest[((rest >= hull[0]) & (rest <= hull[1])).all(axis=1)]
    # Coordinates first: faces are then compared with contiguous rows.
    columns = np.ascontiguousarray(own.T)
    excluded: list[Array] = []
    while len(wrong) and (max_dendrites is None or 1 + len(excluded) < max_dendrites):
        box = open_box_around(wrong[0], columns)
        if tolerance:
            halfway = box / 2 + wrong[0] / 2
            box[0] = np.minimum(box[0] + tolerance, halfway[0])
            box[1] = np.maximum(box[1] - tolerance, halfway[1])
        excluded.append(box)
        wrong = wrong[~((wrong > box[0]) & (wrong < box[1])).all(axis=1)]
    return hull[None], np.array(excluded).reshape(-1, 2, own.shape[1])


def open_box_around(centre: Array, columns: Array) -> Array:
    """Find an open box around a point that holds none of the samples.

    Steps 5 to 12 of Algorithm 1: the nearest sample inside the box gives it a face, until no sample
    is inside.

    Parameters
    ----------
    centre : array of shape (n_features,)
        The point, which is not one of the samples.
    columns : array of shape (n_features, n_samples)
        The samples.

    Returns
    -------
    array of shape (2, n_features)
        Lower and upper corner; infinite if there is no face.
    """
    difference = columns - centre[:, None]
    distance = np.abs(difference)
    # Chebyshev distance of every sample that is still inside; infinite for the others.
    chebyshev = distance.max(axis=0)
    box = np.empty((2, len(centre)))
    box[0], box[1] = -np.inf, np.inf
    while True:
        nearest = chebyshev.min(initial=np.inf)
        if np.isinf(nearest):
            break
        coordinates, samples = np.nonzero(distance == nearest)
        inside = np.isfinite(chebyshev[samples])
        for j, sample in zip(coordinates[inside], samples[inside], strict=True):
            value = columns[j, sample]
            if difference[j, sample] > 0:
                box[1, j] = min(box[1, j], value)
                chebyshev[columns[j] >= value] = np.inf
            else:
                box[0, j] = max(box[0, j], value)
                chebyshev[columns[j] <= value] = np.inf
    return box
