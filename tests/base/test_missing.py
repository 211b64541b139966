"""Missing values among samples, and operators without a value."""

import numpy as np
import pytest

from rdep._base._missing import combined, has_missing, in_place_of_missing, means_of_known, ranges

X = np.array([[1.0, np.nan, np.nan], [3.0, 4.0, np.nan], [np.nan, 2.0, np.nan]])
FULL = np.arange(6.0).reshape(3, 2)


def test_whether_a_value_is_missing():
    assert has_missing(X)
    assert not has_missing(FULL)
    assert not has_missing(np.full((2, 2), 1e308))
    assert not has_missing(np.empty((0, 3)))


def test_samples_without_gaps_are_not_copied():
    assert in_place_of_missing(FULL, 0.0) is FULL
    assert in_place_of_missing(X, -np.inf)[0].tolist() == [1, -np.inf, -np.inf]


def test_ranges_and_means_are_those_of_known_values():
    least, greatest = ranges(X)
    assert least[:2].tolist() == [1, 2]
    assert greatest[:2].tolist() == [3, 4]
    assert np.isnan([least[2], greatest[2]]).all()
    means = means_of_known(X, np.array([3.0, 1.0, 2.0]))
    assert means[:2] == pytest.approx([(3 * 1 + 3) / 4, (4 + 2 * 2) / 3])
    assert np.isnan(means[2])


def test_an_operator_without_a_value_leaves_the_decision_to_the_other():
    dilated, eroded = np.array([1.0, -np.inf, 2.0, -np.inf]), np.array([3.0, 5.0, np.inf, np.inf])
    for beta in (0.0, 0.25, 1.0):
        expected = [beta * 1 + (1 - beta) * 3, 5, 2, -7]
        assert combined(dilated, eroded, beta, -7.0).tolist() == expected
