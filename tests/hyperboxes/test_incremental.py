"""Increments: boxes that hold a class and nothing else, in the order of the samples."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rdep.hyperboxes._incremental import add_boxes

from .test_elimination import two_classes, without_common


@given(two_classes(), two_classes(), st.sampled_from([0.0, 0.3, 2.0]))
def test_every_sample_of_the_class_is_in_a_box_and_no_other_is(own, rest, tolerance):
    rest = without_common(own, rest)
    boxes = add_boxes(own, rest, tolerance=tolerance)

    def covered(X):
        inside = (X[:, None] >= boxes[:, 0]) & (X[:, None] <= boxes[:, 1])
        return inside.all(axis=2).any(axis=1)

    assert covered(own).all()
    assert not covered(rest).any()
    assert len(boxes) <= len(own)


def test_boxes_begin_at_the_first_sample_that_is_wrong():
    own = np.array([[0.0], [1.0], [5.0], [9.0], [6.0]])
    rest = np.array([[3.0], [8.0]])
    assert add_boxes(own, rest).tolist() == [[[0.0], [1.0]], [[5.0], [6.0]], [[9.0], [9.0]]]
    assert add_boxes(own[::-1], rest)[0].tolist() == [[5.0], [6.0]]
    assert len(add_boxes(own, rest, max_dendrites=2)) == 2
    wide = add_boxes(own, rest, tolerance=1.5)
    assert wide.tolist() == [[[-1.5], [2.0]], [[4.0], [7.0]], [[8.5], [10.5]]]


def test_without_a_rest_there_is_one_box():
    own = np.array([[0.0, 1.0], [2.0, 3.0]])
    assert add_boxes(own, own[:0]).tolist() == [own.tolist()]
