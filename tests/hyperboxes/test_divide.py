"""Divide and conquer: against a plain form of the published procedure, and its published counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_iris

from rdep.hyperboxes._box_training import Samples
from rdep.hyperboxes._divide import divide
from rdep_experiment.family._dendrites import BOXES, MARGINS, load_dendrite_dataset

ROUNDING = 1e-10


def samples_of(X, y):
    classes, codes = np.unique(y, return_inverse=True)
    return Samples(X, codes, np.ones(len(X)), len(classes))


def plain(low, high, X, y):
    """Boxes as (lower, upper, class), in plain floating point, pair by pair."""
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) == 1:
        return [(low, high, labels[counts.argmax()])]
    found = []
    while len(X):
        middle = (high + low) / 2
        lower = np.where(X[0] >= middle, middle, low)
        upper = lower + (high - low) / 2
        inside = ((lower - ROUNDING <= X) & (upper + ROUNDING >= X)).all(axis=1)
        found += plain(lower, upper, X[inside], y[inside])
        X, y = X[~inside], y[~inside]
    joined = []
    while found:
        first = found.pop(0)
        for k, other in enumerate(found):
            united = union(first, other)
            if united is not None:
                del found[k]
                first = united
                break
        joined.append(first)
    return joined


def union(one, other):
    if one[2] != other[2]:
        return None
    below, above = (
        np.flatnonzero(np.abs(a - b) >= ROUNDING) for a, b in zip(one[:2], other[:2], strict=True)
    )
    if len(below) != 1 or below.tolist() != above.tolist():
        return None
    j = below[0]
    for first, second in ((one, other), (other, one)):
        if abs(first[1][j] - second[0][j]) < ROUNDING:
            return first[0], second[1], one[2]
    return None


def compared(X, y, margin):
    boxes, n_mixed = divide(samples_of(X, y), margin=margin, max_error=0.0, max_depth=None)
    low, high = X.min(axis=0), X.max(axis=0)
    reference = plain(low - margin * (high - low), high + margin * (high - low), X, y)
    assert n_mixed == 0
    for k, label in enumerate(np.unique(y)):
        theirs = np.array([(lower, upper) for lower, upper, c in reference if c == label])
        assert boxes[k].shape == theirs.shape
        assert np.allclose(boxes[k], theirs, rtol=0, atol=1e-9)


@pytest.mark.parametrize("margin", MARGINS[::3])
def test_the_same_boxes_as_the_published_procedure(margin):
    X, y = load_iris(return_X_y=True)
    _, first = np.unique(X, axis=0, return_index=True)
    compared(X[first], y[first], margin)


@given(
    arrays(float, st.tuples(st.integers(4, 25), st.just(3)), elements=st.integers(0, 6).map(float)),
    st.randoms(use_true_random=False),
    st.sampled_from([0.0, 0.1, 0.25, 1 / 3]),
)
def test_the_same_boxes_on_a_grid_where_samples_lie_on_faces(X, random, margin):
    X = np.unique(X, axis=0)
    y = np.array([random.randint(0, 2) for _ in X])
    X[:, 0] += np.arange(len(X)) * 8  # every feature varies
    if (np.ptp(X, axis=0) > 0).all() and len(np.unique(y)) > 1:
        compared(X, y, margin)


@pytest.mark.parametrize(("name", "published"), list(BOXES.items()))
def test_the_published_number_of_boxes_occurs(data_dir, name, published):
    """Arce and others, LA-CCI 2016; which margin they took is not told."""
    X, y, *_ = load_dendrite_dataset(name, data_dir / "dendrites")
    samples = samples_of(X, y)
    numbers = (
        sum(map(len, divide(samples, margin=margin, max_error=0.0, max_depth=None)[0]))
        for margin in MARGINS
    )
    assert published in numbers


def test_boxes_are_found_in_many_dimensions_without_looking_at_all():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 300))  # 2^300 half-size boxes
    y = X[:, 0] > 0
    boxes, _ = divide(samples_of(X, y), margin=0.1, max_error=0.0, max_depth=None)
    assert sum(map(len, boxes)) <= 200


def test_impure_boxes_stay_whole_up_to_the_error_allowed():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [3.1]])
    y = np.array([0, 0, 0, 0, 1])
    samples = samples_of(X, y)
    exact, _ = divide(samples, margin=0.1, max_error=0.0, max_depth=None)
    coarse, n_mixed = divide(samples, margin=0.1, max_error=0.2, max_depth=None)
    assert [len(boxes) for boxes in coarse] == [1, 0]
    assert n_mixed == 0
    assert len(exact[1]) == 1
    weighted = samples._replace(weights=np.array([1, 1, 1, 1, 9.0]))
    assert [len(b) for b in divide(weighted, margin=0.1, max_error=0.35, max_depth=None)[0]] == [
        0,
        1,
    ]


def test_the_depth_bound_ends_it():
    X, y = np.array([[0.0], [1e-300], [1.0]]), np.array([0, 1, 2])
    boxes, n_mixed = divide(samples_of(X, y), margin=0.1, max_error=0.0, max_depth=None)
    assert n_mixed == 1
    for depth in (0, 1, 3):
        boxes, n_mixed = divide(samples_of(X, y), margin=0.1, max_error=0.0, max_depth=depth)
        assert n_mixed == 1
        widths = np.concatenate([found[:, 1] - found[:, 0] for found in boxes])
        assert widths.min() == pytest.approx(1.2 / 2**depth)
