"""The coordinates that a record makes of samples."""

import numpy as np

from rdep._base._record import FittedOperators

X = np.array([[1.0, 2.0], [3.0, 4.0]])


def record(features, orientation):
    return FittedOperators(
        title="",
        classes=(0, 1),
        names=np.array(["a", "b"]),
        features=np.array(features),
        orientation=np.array(orientation, dtype=float),
        weights={"dilation": np.zeros(len(features))},
    )


def test_features_as_they_are_need_no_copy():
    assert record([0, 1], [1, 1]).values(X) is X


def test_negated_features():
    assert record([0, 1], [1, -1]).values(X).tolist() == [[1, -2], [3, -4]]


def test_both_directions():
    values = record([0, 1, 0, 1], [1, 1, -1, -1]).values(X)
    assert np.array_equal(values, np.hstack([X, -X]))
