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
    dep = DEPClassifier(margin=0.25).fit(both, y)
    np.testing.assert_allclose(rdep.decision_function(X), dep.decision_function(both), atol=1e-9)


def test_a_class_in_the_middle():
    """Neither way round is the feature monotone; between two bounds it decides without error."""
    x = np.linspace(-3, 3, 61).reshape(-1, 1)
    y = np.abs(x[:, 0]) < 1.05
    strict = RDEPClassifier("boxes").set_params(dep__margin=1e-6)
    assert strict.fit(x, y).score(x, y) == 1.0
    assert strict.fit(x, ~y).score(x, ~y) == 1.0


def test_a_feature_with_two_values_has_one_bound():
    X = np.array([[0.0, 1.0, 3.0], [1.0, 0.0, 3.0], [1.0, 0.5, 3.0]])
    ordering = BoxesOrdering().fit(X, [1, 0, 0])
    assert ordering.features_.tolist() == [0, 1, 2, 1]
    assert ordering.signs_.tolist() == [-1.0, 1.0, 1.0, -1.0]
    assert ordering.transform(X).tolist() == [
        [-0.0, 1.0, 3.0, -1.0],
        [-1.0, 0.0, 3.0, -0.0],
        [-1.0, 0.5, 3.0, -0.5],
    ]
    assert BoxesOrdering().fit(X).signs_.tolist() == [1.0, 1.0, 1.0, -1.0]
