"""The best β by passes, against all rows at once and a linear programme."""

import numpy as np
import pytest
from scipy.optimize import linprog

from rdep._base._passes import Block, ListOfBlocks
from rdep.training import Combination, best_beta_by_passes, best_combination
from rdep.training._beta_passes import Crossing
from rdep.training._nearest import add_nearest, nearest


def a_case(rng, kind):
    m, n = int(rng.integers(50, 400)), int(rng.integers(1, 6))
    y = rng.choice([-1.0, 1.0], m)
    X = rng.normal(size=(m, n)) + 0.7 * y[:, None]
    if kind == "tied":
        X = np.round(X)
    if kind == "separated":
        X += 6 * y[:, None]
    weight = rng.integers(0, 3, m).astype(float)
    weight[:2] = 1.0
    w, shift = rng.normal(size=(2, n)) * 0.5
    margins = (0.1, 0.3) if rng.random() < 0.5 else (0.0, 0.0)
    loss = str(rng.choice(["hinge", "squared_hinge"]))
    largest = 2 * np.abs(X).max() + 5
    used = np.ones(n, dtype=bool)
    task = Combination(w, shift, used, (0.4, 1.7), margins, loss, largest)
    return ListOfBlocks.of_arrays(X, y, weight, n_rows=int(rng.integers(5, 90))), task


def count(block):
    return len(block.y)


def plus(a, b):
    return a + b


def at_once(passes, task):
    X, y, weight = (np.concatenate(parts) for parts in list(zip(*passes.blocks, strict=True))[:3])
    positive = (y > 0).astype(int)
    penalties = weight * np.array(task.factors)[positive]
    margins = np.array(task.margins)[positive]
    return *task.operated(X), y, penalties, task.loss, margins


@pytest.mark.parametrize("kind", ["continuous", "tied", "separated"])
@pytest.mark.parametrize("n_kept", [3, 15, 10_000])
def test_the_minimisers_are_those_of_all_rows(kind, n_kept):
    rng = np.random.default_rng([n_kept, len(kind)])
    for _ in range(25):
        passes, task = a_case(rng, kind)
        beta, interval = best_combination(*at_once(passes, task))
        some = passes.blocks[0]
        found, found_interval, n_rows = best_beta_by_passes(
            passes, task, some, rng.random(), n_kept, (count, plus)
        )
        assert n_rows == passes.n_rows
        assert np.allclose(found_interval, interval, atol=1e-9), (kind, task.loss)
        assert found == pytest.approx(beta, abs=1e-9)


def test_the_hinge_is_minimal_by_a_linear_programme():
    rng = np.random.default_rng(5)
    for _ in range(10):
        passes, task = a_case(rng, "continuous")
        task = task._replace(loss="hinge")
        found, _, _ = best_beta_by_passes(passes, task, passes.blocks[0], 0.5, 10, (count, plus))
        dilated, eroded, y, penalties, _, margins = at_once(passes, task)
        # Slacks t ≥ margin − y (β δ + (1 − β) ε), t ≥ 0.
        m = len(y)
        A = np.hstack([(-y * (dilated - eroded))[:, None], -np.eye(m)])
        lp = linprog(
            np.append(0.0, penalties),
            A_ub=A,
            b_ub=y * eroded - margins,
            bounds=[(0, 1), *[(0, None)] * m],
        )
        losses = np.maximum(margins - y * (found * dilated + (1 - found) * eroded), 0)
        assert penalties @ losses == pytest.approx(lp.fun, rel=1e-9)


def test_what_is_kept_does_not_depend_on_the_blocks():
    rng = np.random.default_rng(6)
    passes, task = a_case(rng, "continuous")
    rule = Crossing(task, 0.4, np.inf, 12)
    cut = passes.reduce(
        lambda block: nearest(rule, block),
        lambda a, b: add_nearest(rule, a, b),
    )
    whole = Block(*(np.concatenate(parts) for parts in list(zip(*passes.blocks, strict=True))[:3]))
    at_once = nearest(rule, whole)
    assert len(cut.reach) == len(at_once.reach) == 12
    assert cut.width == at_once.width
    assert np.allclose(cut.sums, at_once.sums, rtol=1e-12)
