"""Values far beyond all others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rdep._base._extremes import drawn_in, extreme_rows, reach_of, usual_size

VALUES = arrays(float, st.integers(1, 30), elements=st.floats(-1e12, 1e12))


@given(VALUES, st.floats(1e-3, 1e3))
def test_drawn_in_values_keep_their_order_and_signs_and_are_bounded(values, reach):
    drawn = drawn_in(values, reach)
    assert (np.abs(drawn) <= 2 * reach).all()
    np.testing.assert_array_equal(np.sign(drawn), np.sign(values))
    assert (np.diff(drawn[np.argsort(values, kind="stable")]) >= 0).all()
    np.testing.assert_array_equal(drawn[np.abs(values) <= reach], values[np.abs(values) <= reach])


def test_values_that_differ_still_differ():
    values = np.array([-1e10, -1e9, 5.0, 6.0, 1e6, 1e9])
    assert (np.diff(drawn_in(values, 1.0)) > 0).all()


@given(VALUES, st.randoms(use_true_random=False))
def test_weights_are_repetitions(values, random):
    weights = np.array([random.randrange(4) for _ in values])
    weights[0] = 1
    assert usual_size(values, weights.astype(float)) == usual_size(np.repeat(values, weights))


def test_one_extreme_value_does_not_decide_what_is_usual():
    values = np.append(np.linspace(-2, 2, 41), 1e9)
    assert usual_size(values) == pytest.approx(1.9, abs=0.11)
    reach = reach_of(usual_size(values))
    np.testing.assert_array_equal(np.flatnonzero(extreme_rows(values, reach)), [41])
    assert reach_of(0.0) == np.inf
    np.testing.assert_array_equal(drawn_in(values, np.inf), values)
