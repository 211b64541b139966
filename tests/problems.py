"""Random training problems for comparisons with independent answers."""

from dataclasses import dataclass

import numpy as np

from rdep.training import DilationProblem, Objective, TrainingSet

KINDS = ("continuous", "integer", "rounded", "duplicated")


@dataclass(frozen=True)
class RandomProblem:
    kind: str
    operator: str
    samples: TrainingSet
    objective: Objective

    @property
    def problem(self) -> DilationProblem:
        return DilationProblem.from_training_set(self.samples, self.operator, self.objective)


def random_samples(rng, m, n, kind):
    """X and signs: classes that overlap, unequal in size, tied as ``kind`` says."""
    signs = np.where(rng.random(m) < rng.choice([0.15, 0.5, 0.8]), 1.0, -1.0)
    signs[:2] = [1.0, -1.0]
    if kind == "integer":
        X = rng.integers(0, 3, size=(m, n)) + (rng.random((m, n)) < 0.3) * (signs[:, None] > 0)
        return X.astype(float), signs
    X = rng.normal(size=(m, n)) + 0.5 * signs[:, None]
    if kind == "rounded":
        X = np.round(X, 1)
    if kind == "duplicated":
        X[m // 2 :] = X[: m - m // 2]
    return X, signs


def random_problems(count, seed=0, m=(10, 301), n=(1, 13)):
    rng = np.random.default_rng(seed)
    problems = []
    for number in range(count):
        kind = KINDS[number % 4]
        X, signs = random_samples(rng, int(rng.integers(*m)), int(rng.integers(*n)), kind)
        objective = Objective(
            C=float(rng.choice([0.0, 0.001, 0.01, 0.1])),
            weighting=str(rng.choice(["distance", ""])) or None,
            reference=str(rng.choice(["extreme", "mean", "opposite", "zero"])),
            margin=float(rng.choice([0.0, 1e-6, 0.1])),
        )
        operator = ("dilation", "erosion")[number // 4 % 2]
        samples = TrainingSet.from_samples(X, signs)
        problems.append(RandomProblem(kind, operator, samples, objective))
    return problems
