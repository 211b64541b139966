"""Training problems on which a descent may crawl, or rounding may lead astray."""

import numpy as np

from rdep.training import DilationProblem, Objective, TrainingSet


def _samples(rng, m, n):
    X = rng.normal(size=(m, n))
    kind = rng.integers(8)
    if kind == 1:
        X = rng.integers(0, 4, size=(m, n)).astype(float)
    elif kind == 2:
        X = rng.integers(0, 2, size=(m, n)).astype(float)
    elif kind == 3:  # features of unequal scales
        X *= 10.0 ** rng.uniform(-6, 6, n)
    elif kind == 4:  # features that all but repeat each other
        X = np.repeat(X[:, :1], n, axis=1) + X * 10.0 ** rng.uniform(-15, -3)
    elif kind == 5:  # an outlier
        X[rng.integers(m)] *= 10.0 ** rng.uniform(2, 10)
    elif kind == 6:  # far from zero
        X += 10.0 ** rng.uniform(2, 9)
    elif kind == 7:
        X *= 10.0 ** rng.uniform(-6, 6, (m, n))
    return X


def adversarial_problem(seed, m=(6, 22), n=(1, 9)):
    """A problem, and a point to start from."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(*m)), int(rng.integers(*n))
    signs = np.where(rng.random(m) < rng.choice([0.2, 0.5, 0.8]), 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    weights = 10.0 ** rng.uniform(-6, 6, m) if rng.random() < 0.4 else np.ones(m)
    costs = tuple(10.0 ** rng.uniform(-3, 3, 2)) if rng.random() < 0.3 else (1.0, 1.0)
    objective = Objective(
        C=float(rng.choice([0.0, 1e-4, 0.01, 1.0, 100.0])),
        weighting=rng.choice(["distance", None]),
        reference=str(rng.choice(["extreme", "mean", "opposite", "zero"])),
        margin=float(rng.choice([0.0, 1e-6, 0.25, 1.0, 10.0])),
    )
    samples = TrainingSet.from_samples(_samples(rng, m, n), signs, weights, costs)
    operator = str(rng.choice(["dilation", "erosion"]))
    problem = DilationProblem.from_training_set(samples, operator, objective)
    start = np.zeros(problem.n_features)
    if rng.random() < 0.5:
        start = rng.normal(size=problem.n_features)
    return problem, start
