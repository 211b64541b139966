"""The global optimum on the plane: the exact search against the mixed-integer programme."""

from __future__ import annotations

import numpy as np

from rdep.training import DilationProblem, Objective, TrainingSet
from rdep.training._global_search import minimise_globally
from rdep.training._linear_program import solve_globally

from .measure import Comparison, in_turn, sized


def against_the_programme(repeats):
    """Two overlapping classes of 150 samples; the answers are objectives."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        m = sized(300)
        signs = np.where(rng.random(m) < 0.5, 1.0, -1.0)
        samples = TrainingSet.from_samples(rng.normal(size=(m, 2)) + 0.7 * signs[:, None], signs)
        problem = DilationProblem.from_training_set(samples, "dilation", Objective())
        ours, theirs, point, optimum = in_turn(
            lambda problem=problem: minimise_globally(problem),
            lambda problem=problem: solve_globally(problem, time_limit=60.0),
            repeats,
        )
        found = problem.at(point).objective
        yield Comparison(
            "global optimum",
            f"300 x 2, seed {seed}",
            "mixed-integer programme (HiGHS)",
            ours,
            theirs,
            at_least=50,
            answers={"ours": found * problem.unit, "theirs": optimum.lower_bound * problem.unit},
            answers_agree=abs(found - optimum.lower_bound) <= 1e-5 * problem.largest,
        )
