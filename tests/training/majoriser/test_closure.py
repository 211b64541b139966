"""The selection of tasks that share tools, against brute force over all selections."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdep.training.majoriser._closure import _best_of_all, _minimum_cut, best_selection


def value(chosen, profits, costs, needs):
    return profits[chosen].sum() - costs[needs[chosen].any(axis=0)].sum()


def brute_force(profits, costs, needs):
    return max(
        value(np.array(chosen), profits, costs, needs)
        for chosen in product([False, True], repeat=len(profits))
    )


@given(
    st.integers(1, 7),
    st.integers(0, 7),
    st.sampled_from([0.2, 0.5, 0.9]),
    st.sampled_from(["random", "equal", "tiny"]),
    st.integers(0, 2**32 - 1),
)
@pytest.mark.parametrize("select", [best_selection, _best_of_all, _minimum_cut])
def test_the_best_of_all_selections(select, n_tasks, n_tools, density, kind, seed):
    rng = np.random.default_rng(seed)
    needs = rng.random((n_tasks, n_tools)) < density
    profits, costs = rng.random(n_tasks) + 1e-3, rng.random(n_tools) + 1e-3
    if kind == "equal":  # exact ties between selections
        profits, costs = np.round(4 * profits) / 4 + 0.25, np.round(4 * costs) / 4 + 0.25
    if kind == "tiny":  # gains far below what 32-bit capacities can tell
        costs = costs / max(costs.sum(), 1e-9) * profits.sum()
        profits = profits * (1 + 1e-12 * rng.random(n_tasks))
    best = brute_force(profits, costs, needs)
    reached = value(select(profits, costs, needs), profits, costs, needs)
    assert reached == pytest.approx(best, abs=1e-14 * (profits.sum() + costs.sum()))


def test_gains_below_the_resolution_of_32_bits_are_seen():
    # Two tasks share one tool: neither pays alone, together they gain 1e-12.
    profits, costs = np.array([0.5, 0.5 + 1e-12]), np.array([1.0])
    needs = np.ones((2, 1), dtype=bool)
    assert best_selection(profits, costs, needs).all()
    assert not best_selection(profits - 1e-12, costs, needs).any()
