"""Random boxes and linear units: by their definition, and by what was drawn."""

import numpy as np
import pytest
from scipy.special import expit

from rdep import MorphologicalFeatures
from rdep.datasets import load_ripley

X = np.random.default_rng(0).normal([5, -2, 0], [1, 9, 0.1], (40, 3))


@pytest.mark.parametrize("draw", ["unit", "range"])
def test_definition(draw):
    features = MorphologicalFeatures(4, 3, draw=draw, random_state=0).fit(X)
    values = features.transform(X)
    for x, units in zip(X, values, strict=True):
        scaled = (x - features.offset_) / features.scale_
        for (lower, upper), depth in zip(features.boxes_, units[:4], strict=True):
            faces = [*(scaled - lower), *(upper - scaled)]
            assert depth == pytest.approx(min(faces), abs=1e-12)
        for weights, intercept, value in zip(
            features.weights_, features.intercepts_, units[4:], strict=True
        ):
            assert value == pytest.approx(expit(scaled @ weights + intercept), abs=1e-12)


def test_units_of_sussner_and_campiotti_are_drawn_from_minus_one_to_one():
    features = MorphologicalFeatures(2000, 2000, random_state=0).fit(X)
    scaled = (X - features.offset_) / features.scale_
    np.testing.assert_allclose([scaled.min(axis=0), scaled.max(axis=0)], [[-1] * 3, [1] * 3])
    lower, upper = features.boxes_[:, 0], features.boxes_[:, 1]
    assert (-lower <= upper).all()  # V ≤ W
    # The smaller and the greater of two uniform numbers: means of −1/3 and 1/3.
    np.testing.assert_allclose([-lower.mean(), upper.mean()], [-1 / 3, 1 / 3], atol=0.03)
    assert (lower > upper).any()  # empty boxes among them
    assert np.abs(features.weights_).max() <= 1
    assert abs(features.weights_.mean()) < 0.03
    assert 0 <= features.intercepts_.min() < features.intercepts_.max() <= 0.1


def test_units_of_valles_group_are_drawn_from_the_range_of_the_samples():
    features = MorphologicalFeatures(2000, 2000, draw="range", random_state=0).fit(X)
    lower, upper = features.boxes_[:, 0], features.boxes_[:, 1]
    assert (lower <= upper).all()
    assert (lower >= X.min(axis=0)).all()
    assert (upper <= X.max(axis=0)).all()
    assert features.weights_.std() == pytest.approx(1, abs=0.05)
    assert features.intercepts_.std() == pytest.approx(1, abs=0.05)


def test_units_of_sussner_and_campiotti_do_not_depend_on_the_units_of_measurement():
    first, second = MorphologicalFeatures(random_state=0), MorphologicalFeatures(random_state=0)
    scaled = X * [3, 0.01, 1e4] + [7, -1, 0]
    np.testing.assert_allclose(first.fit_transform(X), second.fit_transform(scaled), atol=1e-9)


def test_one_kind_of_units_alone():
    boxes = MorphologicalFeatures(5, 0, random_state=0).fit(X)
    assert boxes.transform(X).shape == (40, 5)
    linear = MorphologicalFeatures(0, 5, random_state=0).fit(X)
    assert linear.transform(X).shape == (40, 5)
    with pytest.raises(ValueError, match="no unit to draw"):
        MorphologicalFeatures(0, 0).fit(X)


def test_a_constant_feature_is_no_obstacle():
    constant = np.column_stack([X, np.full(len(X), 3.0)])
    assert np.isfinite(MorphologicalFeatures(random_state=0).fit_transform(constant)).all()


def test_infinite_values_are_refused():
    with pytest.raises(ValueError, match="contains infinity"):
        MorphologicalFeatures().fit([[0.0, np.inf], [1.0, 2.0]])


def test_the_same_seed_draws_the_same_units():
    X, *_ = load_ripley()
    one, other = (MorphologicalFeatures(random_state=3).fit_transform(X) for _ in range(2))
    assert np.array_equal(one, other)
    assert not np.array_equal(one, MorphologicalFeatures(random_state=4).fit_transform(X))
