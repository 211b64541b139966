"""Every feature both ways, side by side."""

import numpy as np
from sklearn.preprocessing import StandardScaler

from rdep import BoxesOrdering, DEPClassifier, RDEPClassifier


def test_boxes_are_both_ways_side_by_side(cancer):
    X, _ = cancer
    expected = np.hstack([X, -X])
    assert np.array_equal(BoxesOrdering().fit_transform(X), expected)  # without classes
    assert np.array_equal(BoxesOrdering().fit(*cancer).transform(X), expected)


def test_a_boxes_r_dep_is_a_dep_on_the_features_both_ways(cancer):
    X, y = cancer
    Z = StandardScaler().fit_transform(X)
    both = np.hstack([Z, -Z])
    rdep = RDEPClassifier("boxes").fit(X, y)
    dep = DEPClassifier().fit(both, y)
    np.testing.assert_allclose(rdep.decision_function(X), dep.decision_function(both), atol=1e-9)


def test_a_class_in_the_middle():
    """Neither way round is the feature monotone; between two bounds it decides without error."""
    x = np.linspace(-3, 3, 61).reshape(-1, 1)
    y = np.abs(x[:, 0]) < 1.05
    assert RDEPClassifier("boxes").fit(x, y).score(x, y) == 1.0
    assert RDEPClassifier("boxes").fit(x, ~y).score(x, ~y) == 1.0
