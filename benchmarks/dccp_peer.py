"""The paper's formulation of a DEP's training in CVXPY with DCCP.

An open solver replaces MOSEK, which needs a licence. DCCP starts from a random point.
"""

from __future__ import annotations

import warnings

import cvxpy as cp
import dccp  # noqa: F401  (registers the method "dccp" with CVXPY)
import numpy as np

from rdep.training._samples import penalty_weights


def train_both(X, y, *, C, solver, seed) -> tuple[float, float]:
    """Objectives of the trained dilation and erosion, both perceptrons as in the paper."""
    np.random.seed(seed)  # noqa: NPY002  (what DCCP draws from)
    negatives, positives = X[y == 0], X[y == 1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (
            _train_dilation(negatives, positives, C, solver),
            _train_dilation(-positives, -negatives, C, solver),  # the erosion by duality
        )


def _train_dilation(negatives, positives, C, solver) -> float:
    a = penalty_weights(negatives, np.ones(len(negatives))) / len(negatives)
    b = penalty_weights(positives, np.ones(len(positives))) / len(positives)
    r = -negatives.max(axis=0)
    w = cp.Variable((1, negatives.shape[1]))
    slack_below = cp.Variable(len(negatives), nonneg=True)
    slack_above = cp.Variable(len(positives), nonneg=True)
    problem = cp.Problem(
        cp.Minimize(a @ slack_below + b @ slack_above + C * cp.norm1(w - r[None])),
        [
            cp.max(negatives + np.ones((len(negatives), 1)) @ w, axis=1) <= slack_below,
            cp.max(positives + np.ones((len(positives), 1)) @ w, axis=1) >= -slack_above,
        ],
    )
    problem.solve(method="dccp", solver=solver)
    if w.value is None:
        return np.inf
    # Not the solver's own value: the objective of the weights that it found.
    weights = w.value.ravel()
    return float(
        a @ np.maximum((negatives + weights).max(axis=1), 0)
        + b @ np.maximum(-(positives + weights).max(axis=1), 0)
        + C * np.abs(weights - r).sum()
    )
