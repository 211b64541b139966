"""The signs behind ``monotonic_cst``."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdep._base._orientation import both_ways, growth_signs, orientation, signs_by_name

X = np.array([[0.0, 5.0, 1.0], [1.0, 4.0, 1.0], [2.0, 0.0, 1.0], [3.0, 1.0, 1.0]])
SIGNS = np.array([-1.0, -1.0, 1.0, 1.0])


def test_growth_is_the_sign_of_the_difference_of_means():
    assert growth_signs(X, SIGNS, None).tolist() == [1, -1, 1]  # equal means are increasing
    assert growth_signs(X, -SIGNS, None).tolist() == [-1, 1, 1]


@given(st.lists(st.integers(0, 3), min_size=4, max_size=4).filter(lambda w: w[0] and w[3]))
def test_weights_are_repetitions(weights):
    rows = np.repeat(np.arange(4), weights)
    assert np.array_equal(
        growth_signs(X, SIGNS, np.array(weights, dtype=float)),
        growth_signs(X[rows], SIGNS[rows], None),
    )


def test_large_numbers_do_not_overflow():
    assert growth_signs(X * 2e307, SIGNS, None).tolist() == [1, -1, 1]


def test_ways_to_say_it():
    names = np.array(["a", "b", "c"], dtype=object)
    assert orientation(None, X, SIGNS, None, None).tolist() == [1, 1, 1]
    assert orientation("auto", X, SIGNS, None, None).tolist() == [1, -1, 1]
    assert orientation([1, -1, -1], X, SIGNS, None, None).tolist() == [1, -1, -1]
    assert orientation({"c": -1}, X, SIGNS, None, names).tolist() == [1, 1, -1]
    assert signs_by_name({}, names).tolist() == [1, 1, 1]


def test_free_features_are_two_coordinates_unless_they_have_two_values():
    rows = np.column_stack([X, [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]])
    signs = np.array([0.0, -1.0, 0.0, 0.0, 0.0])
    features, coordinates = both_ways(signs, rows, SIGNS, None)
    # The third feature is constant: one bound is enough.
    assert features.tolist() == [0, 1, 2, 3, 4, 0]
    assert coordinates.tolist() == [1, -1, 1, 1, -1, -1]
    assert both_ways(signs, rows, None, None)[1].tolist() == [1, -1, 1, 1, 1, -1]


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        ([1, -1], r"shape \(2,\), but X has 3 features"),
        ([1, 0.5, 1], r"and 0 \(free\)"),
        ({"a": 2}, "must contain only"),
        ({"d": 1}, r"X does not have: \['d'\]"),
    ],
)
def test_mistakes(constraint, message):
    with pytest.raises(ValueError, match=message):
        orientation(constraint, X, SIGNS, None, np.array(["a", "b", "c"], dtype=object))


def test_names_need_a_data_frame():
    with pytest.raises(ValueError, match="data frame"):
        signs_by_name({"a": 1}, None)
