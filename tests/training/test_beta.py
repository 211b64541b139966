"""β against a search over all breakpoints and a general-purpose minimiser."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from rdep.training import best_combination


def loss_at(beta, dilated, eroded, signs, weights, loss):
    hinge = np.maximum(0, -signs * (beta * dilated + (1 - beta) * eroded))
    return weights @ (hinge if loss == "hinge" else hinge**2)


def samples(seed, kind):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 40))
    signs = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    eroded = rng.normal(size=m) + (2.5 if kind == "separated" else 0.5) * signs
    dilated = eroded + rng.random(m)
    if kind == "integer":
        dilated, eroded = np.round(dilated), np.round(eroded)
    return dilated, eroded, signs, rng.integers(0, 4, size=m) + (rng.random(m) < 0.5) * 0.5


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["mixed", "separated", "integer"]),
    st.sampled_from(["hinge", "squared_hinge"]),
)
def test_no_beta_has_a_lower_loss(seed, kind, loss):
    data = samples(seed, kind)
    beta, (low, high) = best_combination(*data, loss)
    assert 0 <= low <= beta <= high <= 1
    assert beta == pytest.approx((low + high) / 2)
    best = loss_at(beta, *data, loss)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = -data[1] / (data[0] - data[1])
    candidates = np.concatenate(
        [np.linspace(0, 1, 101), crossings[(crossings >= 0) & (crossings <= 1)]]
    )
    everywhere = np.array([loss_at(other, *data, loss) for other in candidates])
    scale = max(everywhere.max(), 1e-12)
    assert best <= everywhere.min() + 1e-12 * scale
    # Minimisers lie in the interval, and all of the interval minimises.
    minimisers = candidates[everywhere <= best + 1e-13 * scale]
    if loss == "hinge":
        assert minimisers.min() >= low - 1e-6
        assert minimisers.max() <= high + 1e-6
    for end in (low, high):
        assert loss_at(end, *data, loss) == pytest.approx(best, abs=1e-10 * scale)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["hinge", "squared_hinge"]))
def test_a_general_minimiser_finds_no_better(seed, loss):
    data = samples(seed, "mixed")
    beta, _ = best_combination(*data, loss)
    search = minimize_scalar(loss_at, bounds=(0, 1), args=(*data, loss), method="bounded")
    assert loss_at(beta, *data, loss) <= search.fun + 1e-9 * max(search.fun, 1)


def test_separated_classes_take_the_middle_of_all_that_separates():
    signs = np.array([-1.0, 1.0])
    beta, interval = best_combination(
        np.array([-1.0, 2.0]), np.array([-2.0, 1.0]), signs, np.ones(2)
    )
    assert interval == (0.0, 1.0)
    assert beta == 0.5
    # A negative that the dilation lifts above zero from β = 1/2 on.
    beta, interval = best_combination(
        np.array([1.0, 2.0]), np.array([-1.0, 1.0]), signs, np.ones(2)
    )
    assert interval == pytest.approx((0.0, 0.5))
    assert beta == pytest.approx(0.25)


def test_exchanging_the_classes_mirrors_beta():
    dilated, eroded, signs, weights = samples(3, "mixed")
    beta, _ = best_combination(dilated, eroded, signs, weights)
    mirrored, _ = best_combination(-eroded, -dilated, -signs, weights)
    assert mirrored == pytest.approx(1 - beta)


def test_zero_weight_is_as_absence():
    dilated, eroded, signs, _ = samples(5, "mixed")
    weights = np.ones(len(signs))
    weights[::3] = 0
    kept = weights > 0
    assert best_combination(dilated, eroded, signs, weights)[0] == pytest.approx(
        best_combination(dilated[kept], eroded[kept], signs[kept], weights[kept])[0]
    )


@pytest.mark.parametrize("heavy", [1.0, 1e6, 1e12, 1e18])
def test_samples_that_never_lose_do_not_hide_light_ones(heavy):
    """The first loses nowhere, whatever it weighs; the second is right for β = 1 only."""
    dilated, eroded = np.array([5.0, 0.0]), np.array([4.0, -1.0])
    _, interval = best_combination(dilated, eroded, np.ones(2), np.array([heavy, 1.0]))
    assert interval == (1.0, 1.0)
