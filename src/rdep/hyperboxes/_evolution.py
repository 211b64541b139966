"""Training of dendrites by differential evolution, from divided boxes or from cut bounding boxes.

Arce, Zamora, Sossa and Barrón: a population of lists of boxes, the training error as fitness,
offspring from the best list and the difference of two others. Uses SciPy's implementation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from scipy.optimize import OptimizeResult, differential_evolution

from .._utils._typing import Array
from ..lattice import best_boxes
from ._box_training import Samples

# Corners of the first population differ from the start by at most this share of their box's width.
_SPREAD = 0.1
# Share of the corners that an offspring takes from the mutant. Arce and others take all of them; a
# smaller share gives a lower training error on their data sets A, iris, liver and glass.
_RECOMBINATION = 0.3


def cut_bounding_boxes(samples: Samples, n_parts: int) -> list[Array]:
    """Cut the bounding box of each class into equal parts along the first feature.

    Arce and others call it HBd, where d is the number of parts. If the feature is constant in a
    class, the box is not cut.
    """
    boxes = []
    for own, _ in samples.by_class():
        if not len(own):
            boxes.append(np.zeros((0, 2, samples.X.shape[1])))
            continue
        corners = np.array([own.min(axis=0), own.max(axis=0)])
        cuts = np.linspace(corners[0, 0], corners[1, 0], n_parts + 1)
        if cuts[0] == cuts[-1]:
            cuts = cuts[:2]
        parts = np.repeat(corners[None], len(cuts) - 1, axis=0)
        parts[:, 0, 0], parts[:, 1, 0] = cuts[:-1], cuts[1:]
        boxes.append(parts)
    return boxes


def evolve(
    samples: Samples,
    start: list[Array],
    *,
    population_size: int,
    n_generations: int,
    seed: int,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[list[Array], Array]:
    """Improve boxes by differential evolution; return the start if nothing is better.

    Parameters
    ----------
    samples : Samples
        Training samples.
    start : list of arrays of shape (n_boxes, 2, n_features)
        Initial boxes of each class.
    population_size : int
        Number of lists of boxes.
    n_generations : int
        Maximum number of generations.
    seed : int
        Seed of the random numbers.
    progress : callable or None, default=None
        Called after each generation with its number and the smallest training error so far.

    Returns
    -------
    boxes : list of arrays of shape (n_boxes, 2, n_features)
        Boxes of each class, as many as at the start.
    errors : array of shape (n_generations + 1,)
        Smallest weighted training error at the start and after each generation.
    """
    whole = np.concatenate(start)
    ends = np.cumsum([len(boxes) for boxes in start])[:-1]

    def by_class(vector: Array) -> list[Array]:
        return np.split(np.sort(vector.reshape(whole.shape), axis=1), ends)

    def error(vector: Array) -> float:
        return training_error(samples, by_class(vector))

    errors = [error(whole.ravel())]
    rng = np.random.default_rng(seed)
    if errors[0] == 0:
        return start, np.array(errors)

    def note(intermediate_result: OptimizeResult) -> bool:
        errors.append(min(errors[-1], float(intermediate_result.fun)))
        if progress is not None:
            progress(len(errors) - 1, errors[-1])
        return errors[-1] == 0

    low, high = whole.min(axis=(0, 1)), whole.max(axis=(0, 1))
    size = high - low
    widths = np.repeat(whole[:, 1:] - whole[:, :1], 2, axis=1)
    widths = np.where(widths > 0, widths, size)  # a box of width 0 could not grow
    moved = whole + rng.uniform(-_SPREAD, _SPREAD, (population_size - 1, *whole.shape)) * widths
    population = np.concatenate([whole[None], moved]).reshape(population_size, -1)
    bounds = [np.tile(end, 2 * len(whole)) for end in (low - size, high + size)]
    found = differential_evolution(
        error,
        list(zip(*bounds, strict=True)),
        strategy="best1bin",
        recombination=_RECOMBINATION,
        maxiter=n_generations,
        init=population,
        # All errors are often equal: that is no sign of convergence.
        tol=0.0,
        atol=-1.0,
        polish=False,
        callback=note,
        rng=rng,
    )
    # SciPy scales its variables and rounds: compare with the error of the start itself.
    is_better = error(found.x) < errors[0]
    return (by_class(found.x) if is_better else start), np.array(errors)


def training_error(samples: Samples, boxes: list[Array]) -> float:
    """Weighted share of the samples that lie deepest in boxes of another class."""
    depth = np.full(len(samples.X), -np.inf)
    code = np.zeros(len(samples.X), dtype=np.intp)
    for k, of_class in enumerate(boxes):
        if len(of_class):
            values = best_boxes(samples.X, of_class)[0]
            better = values > depth
            depth[better], code[better] = values[better], k
    return float(samples.weights[code != samples.codes].sum() / samples.weights.sum())


def shown_on_stderr(n_generations: int) -> Callable[[int, float], None]:
    """Print generations on standard error: one changing line on a terminal, else a line each."""
    is_terminal = sys.stderr.isatty()

    def show(generation: int, error: float) -> None:
        is_last = generation == n_generations or error == 0
        print(
            f"generation {generation} of {n_generations}: training error {error:.2%}",
            end="\r" if is_terminal and not is_last else "\n",
            file=sys.stderr,
            flush=True,
        )

    return show
