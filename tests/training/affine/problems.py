"""Random problems of a linear DEP."""

import clarabel
import numpy as np
from scipy import sparse

from rdep.training.affine._problem import AffineProblem


def random_problem(rng, *, is_squared, C, penalize_intercept=False, is_regression=False):
    """Overlapping classes, unequal in size, or targets; some have repeated rows or integers."""
    m, n = int(rng.integers(15, 120)), int(rng.integers(1, 7))
    n_pieces = (int(rng.integers(1, 4)), int(rng.integers(1, 4)))
    positive = rng.random(m) < 0.4
    positive[:2] = [True, False]
    X = rng.normal(size=(m, n)) + 0.7 * positive[:, None]
    if rng.random() < 0.3:
        X = np.round(X)
    Z = np.column_stack([X, np.ones(m)])
    penalty = np.full(n + 1, C)
    if not penalize_intercept:
        penalty[-1] = 0.0
    negatives, positives = Z[~positive], Z[positive]
    levels = None
    if is_regression:
        negatives = positives = Z
        targets = np.abs(X).sum(axis=1) + 0.3 * rng.normal(size=m)
        epsilon = float(rng.choice([0.0, 0.1]))
        levels = (-targets - epsilon, targets - epsilon)
    problem = AffineProblem(
        negatives,
        positives,
        rng.uniform(0.5, 1.5, len(negatives)) / len(negatives),
        rng.uniform(0.5, 1.5, len(positives)) / len(positives),
        n_pieces,
        penalty / n_pieces[0],
        penalty / n_pieces[1],
        float(rng.choice([0.5, 1.0])),
        is_squared,
        levels,
    )
    return problem, rng.normal(size=problem.penalties.shape)


def constraint_matrix(step):
    """D of every side as a dense array, with owners, costs and levels: from the definition."""
    problem = step.problem
    n_dilation = problem.n_pieces[0]
    rows, owners, costs, levels = [], [], [], []
    for side in step.sides:
        fixed = np.empty(len(side.samples), dtype=int)
        for piece, run in enumerate(side.runs, side.fixed.start):
            fixed[run] = piece
        is_negative = side.free.start == 0 and side.fixed.start == n_dilation and side.sign > 0
        of_side = zip(side.samples, fixed, side.costs, side.levels[:, 0], strict=True)
        for z, piece, cost, level in of_side:
            for free in range(side.free.start, side.free.stop):
                row = np.zeros(problem.penalties.shape)
                row[free] += z if is_negative else -z
                row[piece] += z if is_negative else -z
                rows.append(row.ravel())
                owners.append(len(costs))
                levels.append(level)
            costs.append(cost)
    return np.array(rows), np.array(owners), np.array(costs), np.array(levels)


def by_clarabel(step):
    """The minimum of a convex step, with an L2 penalty or without, as a quadratic programme."""
    problem = step.problem
    D, owners, costs, levels = constraint_matrix(step)
    n, m = D.shape[1], len(costs)
    curvature = np.concatenate(
        [problem.penalties.ravel(), 2 * costs if problem.is_squared else np.zeros(m)]
    )
    slope = np.concatenate([np.zeros(n), np.zeros(m) if problem.is_squared else costs])
    # Slacks above every violation of their sample, and above zero.
    rows = np.vstack(
        [np.hstack([D, -np.eye(m)[owners]]), np.hstack([np.zeros((m, n)), -np.eye(m)])]
    )
    bounds = np.concatenate([-levels, np.zeros(m)])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    solution = clarabel.DefaultSolver(
        sparse.diags(curvature, format="csc"),
        slope,
        sparse.csc_matrix(rows),
        bounds,
        [clarabel.NonnegativeConeT(len(bounds))],
        settings,
    ).solve()
    assert solution.status == clarabel.SolverStatus.Solved
    return solution.obj_val
