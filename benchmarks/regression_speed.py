"""Speed of the regressors: convex steps beside CVXPY with CLARABEL, and a DEP."""

from __future__ import annotations

import numpy as np

from rdep import DEPClassifier, DEPRegressor
from rdep.training import AffineRegression, TargetSet
from rdep.training.affine._interior import minimise_step
from rdep.training.affine._settings import AffineProcedure
from rdep.training.affine._space import Space
from rdep.training.affine._train import _equal_pieces, _groups_of_both, _linear

from .measure import Comparison, in_turn, sized

N_STEPS, GAP = 4, 1e-6
STEPS = (
    (1000, 5, (3, 3), "absolute_error"),
    (1000, 5, (3, 3), "squared_error"),
    (3000, 10, (2, 2), "absolute_error"),
    (3000, 10, (2, 2), "squared_error"),
)


def pieces(n_rows: int, n_features: int, noise: float = 0.1):
    """Difference of two maxima of three affine functions, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, n_features))
    A, B = rng.normal(size=(2, 3, n_features))
    y = (X @ A.T).max(axis=1) - (X @ B.T).max(axis=1)
    return X, y + noise * y.std() * rng.normal(size=n_rows)


def by_cvxpy(step, chosen) -> np.ndarray:
    """Minimise a convex step of our procedure by CVXPY with CLARABEL."""
    import cvxpy as cp

    problem = step.problem
    n_dilation, n_erosion = problem.n_pieces
    theta = cp.Variable(problem.penalties.shape)
    lost = 0.0
    for Z, levels, costs, sign, pieces_fixed in (
        (problem.negatives, problem.negative_levels, problem.negative_costs, 1, chosen[0]),
        (problem.positives, problem.positive_levels, problem.positive_costs, -1, chosen[1]),
    ):
        dilation, erosion = Z @ theta[:n_dilation].T, Z @ theta[n_dilation:].T
        if sign > 0:
            free = cp.max(dilation, axis=1)
            fixed = cp.sum(cp.multiply(np.eye(n_erosion)[pieces_fixed], erosion), axis=1)
        else:
            free = cp.max(-erosion, axis=1)
            fixed = -cp.sum(cp.multiply(np.eye(n_dilation)[pieces_fixed], dilation), axis=1)
        violation = cp.pos(levels + free + fixed)
        lost += costs @ (cp.square(violation) if problem.is_squared else violation)
    penalty = 0.5 * cp.sum(cp.multiply(problem.penalties, cp.square(theta)))
    cp.Problem(cp.Minimize(lost + penalty)).solve(solver=cp.CLARABEL)
    return theta.value


def convex_steps(n_rows, n_features, n_pieces, loss):
    """The first steps of our procedure, from the linear model, with their starts."""
    X, y = pieces(sized(n_rows), n_features)
    samples = TargetSet.from_samples(X, y)
    objective = AffineRegression(loss=loss)
    space = Space.of(samples, False)
    linear = _linear(space.problem(samples, objective, (1, 1)), AffineProcedure())
    problem = space.problem(samples, objective, n_pieces)
    theta, chosen = _equal_pieces(linear.theta, n_pieces), _groups_of_both(problem, None)
    for _ in range(N_STEPS):
        step = problem.step(chosen)
        yield step, chosen, theta
        theta = minimise_step(step, theta, GAP).theta
        chosen = problem.deciding(theta)


def against_clarabel(repeats):
    """The same steps, from the same points, to a gap that CLARABEL reaches."""
    for n_rows, n_features, n_pieces, loss in STEPS:
        steps = list(convex_steps(n_rows, n_features, n_pieces, loss))
        ours, theirs, mine, other = in_turn(
            lambda steps=steps: [minimise_step(step, theta, GAP).theta for step, _, theta in steps],
            lambda steps=steps: [by_cvxpy(step, chosen) for step, chosen, _ in steps],
            min(repeats, 3),
        )
        values = np.array(
            [
                (step.value(a), step.value(b))
                for (step, _, _), a, b in zip(steps, mine, other, strict=True)
            ]
        )
        excess = values[:, 0] / values[:, 1] - 1
        yield Comparison(
            "regression",
            f"{N_STEPS} steps, {n_rows} x {n_features}, {sum(n_pieces)} pieces, {loss}",
            "CVXPY + CLARABEL",
            ours,
            theirs,
            at_least=5,
            answers={"largest relative excess of our minima": float(excess.max())},
            answers_agree=bool(np.abs(excess).max() <= 1e-5),
            remark="agree: minima are equal to 1e-5",
        )


def against_the_classifier(repeats):
    """A DEP regressor on 100,000 x 10 beside the paper's classifier on the same rows."""
    X, y = pieces(sized(100_000), 10)
    above = y > np.median(y)
    ours, theirs, model, _ = in_turn(
        lambda: DEPRegressor(monotonic_cst="auto").fit(X, y),
        lambda: DEPClassifier.paper(monotonic_cst="auto").fit(X, above),
        min(repeats, 3),
    )
    yield Comparison(
        "regression",
        f"DEP regressor, {len(X)} x 10",
        "DEPClassifier.paper()",
        ours,
        theirs,
        at_most=3,
        answers={"mean absolute error": float(model.objective_)},
    )
