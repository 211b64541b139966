"""Elimination: the published weights and counts, and what the boxes must and must not hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rdep.hyperboxes._elimination import eliminate, open_box_around
from rdep_experiment.family._dendrites import TABLE_VI, spirals, xor_samples


def test_the_weights_of_table_vi():
    """Ritter and Urcid's Table VI, three-dimensional XOR: w¹ = −lower, w⁰ = −upper corners."""
    X, y = xor_samples()
    hull, excluded = eliminate(X[y == 1], X[y == 0])
    dendrites = np.concatenate([hull, excluded])
    assert np.array_equal(-dendrites[:, 0], TABLE_VI[0])
    assert np.array_equal(-dendrites[:, 1], TABLE_VI[1])


@pytest.mark.parametrize(("m", "published"), list(enumerate([12, 13, 16, 15, 15, 15, 15], 1)))
def test_the_dendrites_of_table_ix(m, published):
    X, y = spirals(m)
    assert len(X) == 2 * 2 ** (5 + m)
    hull, excluded = eliminate(X[y == 1], X[y == 0])
    assert len(hull) + len(excluded) == published


def two_classes(n_features=2, greatest=4):
    """Samples on a small grid, where many distances are equal."""
    elements = st.integers(0, greatest).map(float)
    return arrays(float, st.tuples(st.integers(2, 14), st.just(n_features)), elements=elements)


def without_common(own, rest):
    return rest[~(rest[:, None] == own).all(axis=2).any(axis=1)]


@given(two_classes(), two_classes(), st.sampled_from([0.0, 0.1, 0.7, 3.0]))
def test_every_sample_of_the_class_is_in_and_every_other_is_out(own, rest, tolerance):
    rest = without_common(own, rest)
    hull, excluded = eliminate(own, rest, tolerance=tolerance)

    def belongs(X):
        in_hull = ((hull[0, 0] <= X) & (hull[0, 1] >= X)).all(axis=1)
        cut = ((X[:, None] > excluded[:, 0]) & (X[:, None] < excluded[:, 1])).all(axis=2)
        return in_hull & ~cut.any(axis=1)

    assert belongs(own).all()
    assert not belongs(rest).any()


@given(two_classes(3), arrays(float, 3, elements=st.integers(0, 4).map(float)))
def test_an_open_box_holds_its_centre_and_no_sample_and_each_face_is_needed(samples, centre):
    samples = without_common(centre[None], samples)
    box = open_box_around(centre, samples.T)
    inside = ((samples > box[0]) & (samples < box[1])).all(axis=1)
    assert not inside.any()
    assert (box[0] < centre).all()
    assert (centre < box[1]).all()
    for j in range(3):  # faces go through samples
        assert np.isinf(box[0, j]) or box[0, j] in samples[:, j]
        assert np.isinf(box[1, j]) or box[1, j] in samples[:, j]


def test_a_tolerance_moves_faces_away_from_the_class():
    own, rest = np.array([[0.0], [10.0]]), np.array([[4.0]])
    hull, excluded = eliminate(own, rest, tolerance=1.0)
    assert hull.tolist() == [[[-1.0], [11.0]]]
    assert excluded.tolist() == [[[1.0], [9.0]]]
    _, excluded = eliminate(own, rest, tolerance=5.0)
    assert excluded.tolist() == [[[2.0], [7.0]]]  # halfway


def test_it_stops_at_the_given_number_of_dendrites():
    X, y = spirals(1)
    hull, excluded = eliminate(X[y == 1], X[y == 0], max_dendrites=5)
    assert len(hull) + len(excluded) == 5
    assert np.array_equal(excluded, eliminate(X[y == 1], X[y == 0])[1][:4])
