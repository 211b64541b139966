"""Points to start from: the reference, random ones, and the best end of descents on a subsample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._utils._typing import Array
from ._descend import descend
from ._problem import DilationProblem
from ._settings import Procedure

# Negatives that the starts on a subsample bring to zero in all features, besides the reference: by
# their place in the order of the sums of their values.
_PLACES = (0.9, 0.7, 0.5, 0.3)

# A class of more samples than this is thinned out, to these or to one in a hundred.
_FEWEST = 1000
_ONE_IN = 100


def first_start(problem: DilationProblem, procedure: Procedure) -> Array:
    """The reference, or what is given."""
    if procedure.start is not None:
        return problem.point(procedure.start)
    return np.zeros(problem.n_features)


def random_starts(problem: DilationProblem, procedure: Procedure, n_starts: int) -> list[Array]:
    """Points where every coordinate brings some sample to 0."""
    if not n_starts:
        return []
    values = np.hstack([problem.negatives, problem.positives])
    random = np.random.RandomState(procedure.seed)
    coordinates = np.arange(problem.n_features)
    return [
        -values[coordinates, random.randint(values.shape[1], size=problem.n_features)]
        for _ in range(n_starts)
    ]


def subsample(problem: DilationProblem) -> DilationProblem:
    """Every k-th sample of large classes, which then weigh as much as all of the class.

    Reference, margin, unit and tolerances remain those of all samples. As the samples of a problem
    have an order of their own, the choice does not depend on the order of the rows.
    """
    negatives, negative_penalties = _thinned(problem.negatives, problem.negative_penalties)
    positives, positive_penalties = _thinned(problem.positives, problem.positive_penalties)
    return replace(
        problem,
        negatives=negatives,
        positives=positives,
        negative_penalties=negative_penalties,
        positive_penalties=positive_penalties,
        negative_tops=negatives.max(axis=1),
    )


def _thinned(values: Array, penalties: Array) -> tuple[Array, Array]:
    n_samples = len(penalties)
    every = n_samples // max(_FEWEST, n_samples // _ONE_IN)
    if every <= 1:
        return values, penalties
    some = penalties[::every]
    return np.ascontiguousarray(values[:, ::every]), some * (penalties.sum() / some.sum())


def best_of_subsample(problem: DilationProblem, procedure: Procedure) -> tuple[Array, int, int]:
    """Of five descents on a subsample, each with escapes, the end that is best for all samples.

    An end without a loss is the best, and no other start follows it. They start from the reference
    and from points that bring all values of one negative to 0, which does not depend on chance; nor
    on the order of features, as long as no class is thinned out.

    Returns
    -------
    tuple
        The point, the number of its start, and the number of samples of the subsample.
    """
    some = subsample(problem)
    order = np.argsort(some.negatives.sum(axis=0), kind="stable")
    brought_to_zero = (order[int(place * (len(order) - 1))] for place in _PLACES)
    starts = [
        first_start(problem, procedure),
        *(-some.negatives[:, sample] for sample in brought_to_zero),
    ]
    escaping = replace(procedure, escape=True)
    ends: list[Array] = []
    objectives: list[float] = []
    while len(ends) < len(starts) and min(objectives, default=np.inf) > problem.rounding:
        ends.append(descend(some, starts[len(ends)], escaping).at.u)
        objectives.append(problem.at(ends[-1]).objective)
    best = int(np.argmin(objectives))
    return ends[best], best, some.n_samples
