"""ν as point sizes, against the paper's formula written out."""

import numpy as np
import pytest

from rdep import DEPClassifier
from rdep.display import PenaltyWeightsDisplay


def by_formula(X, y):
    weights = np.empty(len(X))
    for label in np.unique(y):
        members = X[y == label]
        reciprocal = 1 / np.linalg.norm(members - members.mean(axis=0), axis=1)
        weights[y == label] = reciprocal / reciprocal.max()
    return weights


def test_weights_are_the_papers_and_areas_are_weights(ripley, dep):
    X, y = ripley
    display = PenaltyWeightsDisplay.from_estimator(dep, X, y)
    assert display.weights == pytest.approx(by_formula(X, y))
    for label, points in zip((0, 1), display.ax_.collections[:2], strict=True):
        areas = points.get_sizes()
        assert areas == pytest.approx(np.maximum(120 * display.weights[y == label], 2))


def test_an_r_dep_is_shown_where_its_weights_are(ripley, rdep):
    X, y = ripley
    display = PenaltyWeightsDisplay.from_estimator(rdep, X, y, features=("rbf", "linear"))
    reduced = rdep.reduced_space(X)
    assert display.weights == pytest.approx(by_formula(reduced, y))
    assert np.array_equal(display.samples.points, reduced[:, :2])


def test_no_weighting_and_samples_without_weight(ripley):
    X, y = ripley
    sample_weight = np.ones(len(X))
    sample_weight[:20] = 0
    even = DEPClassifier(weighting=None).fit(X, y, sample_weight)
    display = PenaltyWeightsDisplay.from_estimator(even, X, y, sample_weight=sample_weight)
    assert np.array_equal(display.weights, sample_weight)
    weighted = DEPClassifier.paper().fit(X, y, sample_weight)
    display = PenaltyWeightsDisplay.from_estimator(weighted, X, y, sample_weight=sample_weight)
    assert display.weights[20:] == pytest.approx(by_formula(X[20:], y[20:]))
    assert sum(len(points.get_offsets()) for points in display.ax_.collections) == len(X) - 20


def test_classes_are_needed(ripley, dep):
    X, y = ripley
    with pytest.raises(ValueError, match="pass y as in"):
        PenaltyWeightsDisplay.from_estimator(dep, X, None)
    with pytest.raises(ValueError, match="sample of class 1"):
        PenaltyWeightsDisplay.from_estimator(dep, X[y == 0], y[y == 0])
