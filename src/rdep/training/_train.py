"""Train an operator on samples: descend from the starts, select the best, record the result."""

from __future__ import annotations

import numpy as np

from ._ccp import Trace
from ._descend import descend
from ._problem import DilationProblem
from ._results import TrainingResult
from ._samples import TrainingSet
from ._settings import AUTO, Objective, Procedure
from ._starts import (
    best_end,
    descend_on_many,
    escaped_on,
    first_start,
    is_large,
    random_starts,
    spread_starts,
    subsample,
)


def train(
    samples: TrainingSet,
    operator: str,
    objective: Objective,
    procedure: Procedure,
) -> TrainingResult:
    """Train one operator by the convex-concave procedure, from one start or several.

    Parameters
    ----------
    samples : TrainingSet
        The training samples.
    operator : "dilation" or "erosion"
        The operator to train.
    objective : Objective
        The objective to minimise.
    procedure : Procedure
        The parameters of the procedure.

    Returns
    -------
    TrainingResult
        The weights that the best start leads to, with objective, history and certificate.

    References
    ----------
    A. L. Yuille and A. Rangarajan, "The concave-convex procedure", Neural Computation 15(4), 2003.

    V. Charisopoulos and P. Maragos, "Morphological perceptrons: geometry and training algorithms",
    ISMM 2017.
    """
    problem = DilationProblem.from_training_set(samples, operator, objective)
    trace, best, n_compared = best_trace(problem, procedure)
    return _record(samples, problem, trace, best, n_compared)


def best_trace(problem: DilationProblem, procedure: Procedure) -> tuple[Trace, int, int]:
    """Best descent, the index of its start, and the number of samples used to compare starts."""
    large = is_large(problem, procedure)
    is_global = procedure.solver == "global"
    if procedure.n_init == AUTO and procedure.start is None and not is_global:
        some = subsample(problem)
        starts = spread_starts(some, procedure)
    else:
        some = escaped_on(problem) if large else problem
        # One global search is enough.
        n_random = 0 if procedure.n_init == AUTO or is_global else int(procedure.n_init) - 1
        starts = [first_start(problem, procedure), *random_starts(some, procedure, n_random)]
    if some is problem:
        traces = [descend(problem, u, procedure) for u in starts]
        best = int(np.argmin([trace.objective for trace in traces]))
        return traces[best], best, problem.n_samples
    point, best = best_end(problem, some, starts, procedure)
    if large:
        return descend_on_many(problem, some, point, procedure), best, some.n_samples
    return descend(problem, point, procedure), best, some.n_samples


def _record(
    samples: TrainingSet, problem: DilationProblem, trace: Trace, start: int, n_compared: int
) -> TrainingResult:
    decisions = problem.by_sample(*trace.at.decisions())
    classes = (samples.negatives, samples.positives)
    at_zero = [
        part.weights @ (np.abs(values) <= problem.tie_tolerance)
        for part, values in zip(classes, decisions, strict=True)
    ]
    return TrainingResult(
        weights=problem.weights(trace.at.u),
        objective=trace.objective * problem.unit,
        status=trace.status,
        n_iter=trace.n_iter,
        history=np.array(trace.history) * problem.unit,
        escapes=trace.escapes,
        boundary_share=float(sum(at_zero) / sum(part.weights.sum() for part in classes)),
        certified_by=trace.certified_by,
        certificate=trace.certificate,
        start=start,
        start_samples=n_compared,
        fallbacks=trace.fallbacks,
    )
