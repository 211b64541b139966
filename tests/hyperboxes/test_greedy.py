"""Greedy boxes: pure, complete, the same for any order of rows; as published, to the cell."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import CompetitiveClassifier
from rdep.hyperboxes._greedy import published_boxes, pure_boxes
from rdep_experiment.family import published_splits


def published():
    return published_splits().query("training == 'greedy'").groupby("dataset")


@pytest.mark.parametrize("name", sorted(published().groups))
def test_the_published_cells(data_dir, name):
    rows = published().get_group(name)
    assert len(rows) == 10
    table = pd.read_csv(data_dir / "pmlb" / f"{name}.tsv.gz", sep="\t")
    X, y = table.drop(columns="target").to_numpy(float), table["target"].to_numpy()
    for row in rows.itertuples():
        train, test, y_train, y_test = train_test_split(
            X, y, test_size=0.3, random_state=41 + row.split, stratify=y
        )
        model = make_pipeline(
            StandardScaler(), CompetitiveClassifier("greedy-published", ties="first")
        )
        model.fit(train, y_train)
        assert [len(boxes) for boxes in model[-1].boxes_] == [int(k) for k in row.boxes.split()]
        assert model.score(test, y_test) == pytest.approx(row.accuracy, abs=1e-12)


@st.composite
def two_classes(draw):
    """Samples on a coarse grid, so that faces are shared; none in both classes."""
    n_features = draw(st.integers(1, 3))
    grid = st.integers(0, 4).map(float)
    X = draw(arrays(float, (draw(st.integers(2, 20)), n_features), elements=grid))
    X = np.unique(X, axis=0)
    y = draw(arrays(bool, len(X)))
    return X, y


def contains(boxes, X):
    return ((boxes[:, None, 0] <= X) & (boxes[:, None, 1] >= X)).all(axis=2)


@given(two_classes())
def test_boxes_hold_the_class_and_nothing_else(drawn):
    X, y = drawn
    if y.all() or not y.any():
        return
    boxes = pure_boxes(X[y], X[~y])
    inside = contains(boxes, X)
    assert inside[:, y].any(axis=0).all()
    assert not inside[:, ~y].any()
    assert inside.any(axis=1).all()
    within = contains(boxes, boxes[:, 0]) & contains(boxes, boxes[:, 1])
    assert np.array_equal(within, np.eye(len(boxes), dtype=bool))


@given(two_classes(), st.randoms())
def test_the_same_boxes_for_any_order_of_rows(drawn, random):
    X, y = drawn
    if y.all() or not y.any():
        return
    order = random.sample(range(len(y)), len(y))
    for find in (pure_boxes, published_boxes):
        first = find(X[y], X[~y])
        again = find(X[order][y[order]], X[order][~y[order]])
        assert np.array_equal(first, again)


def slow_published(own, rest):
    """The published rule, looking at all samples in every round."""
    boxes = []
    while len(own) and len(rest):
        low = np.maximum(own.min(axis=0), rest.min(axis=0))
        high = np.minimum(own.max(axis=0), rest.max(axis=0))
        for j in range(own.shape[1]):
            for beyond in (own[own[:, j] < low[j]], own[own[:, j] > high[j]]):
                if len(beyond):
                    boxes.append([beyond.min(axis=0), beyond.max(axis=0)])
        own, rest = (X[((low < X) & (high > X)).all(axis=1)] for X in (own, rest))
    if len(own):
        boxes.append([own.min(axis=0), own.max(axis=0)])
    return np.array(boxes).reshape(-1, 2, own.shape[1])


@pytest.mark.parametrize("seed", range(5))
def test_sorted_peeling_is_the_plain_rule(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(300, 4)).round(1), rng.random(300) < 0.4
    assert np.array_equal(published_boxes(X[y], X[~y]), slow_published(X[y], X[~y]))


def test_neighbouring_numbers_can_be_halved():
    tiny = np.nextafter(1.0, 2.0)
    X = np.array([[1.0, 1.0], [tiny, tiny], [1.0, tiny], [tiny, 1.0]])
    y = np.array([True, True, False, False])
    boxes = pure_boxes(X[y], X[~y])
    assert contains(boxes, X[y]).any(axis=0).all()
    assert not contains(boxes, X[~y]).any()


def test_the_samples_beyond_several_faces_have_one_box():
    """Most of 300 features have the same samples beyond; no box is inside another."""
    X = np.random.default_rng(0).normal(size=(12, 300))
    boxes = pure_boxes(X[:6], X[6:])
    lower, upper = boxes[:, 0], boxes[:, 1]
    inside = (lower[:, None] >= lower).all(axis=2) & (upper[:, None] <= upper).all(axis=2)
    assert np.array_equal(inside, np.eye(len(boxes), dtype=bool))
    assert len(boxes) < 2**6
    holds = ((X[:, None] >= lower) & (X[:, None] <= upper)).all(axis=2)
    assert holds[:6].any(axis=1).all()
    assert not holds[6:].any()
