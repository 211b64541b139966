"""Evolution: never worse than its start, the same for the same seed, and it can be stopped."""

import _thread
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from rdep import DendriteClassifier
from rdep.datasets import load_ripley
from rdep.hyperboxes._box_training import Samples
from rdep.hyperboxes._evolution import cut_bounding_boxes, evolve, training_error


def noise(seed, n_classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2))
    codes = rng.integers(n_classes, size=40)
    return Samples(X, codes, rng.uniform(0.5, 2.0, 40), n_classes)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_never_worse_than_its_start(seed):
    samples = noise(seed)
    rng = np.random.default_rng(seed)
    start = [np.sort(rng.normal(size=(2, 2, 2)), axis=1) for _ in range(3)]
    found, errors = evolve(samples, start, population_size=6, n_generations=5, seed=seed)
    assert (np.diff(errors) <= 0).all()
    assert errors[0] == training_error(samples, start)
    assert training_error(samples, found) <= errors[0]
    assert training_error(samples, found) == pytest.approx(errors[-1], abs=1e-12)
    assert [len(boxes) for boxes in found] == [2, 2, 2]
    assert all((boxes[:, 0] <= boxes[:, 1]).all() for boxes in found)


def test_the_error_is_that_of_the_predictions():
    X, y = load_iris(return_X_y=True)
    model = DendriteClassifier("divide", max_depth=2).fit(X, y)
    samples = Samples(X, y, np.ones(len(X)), 3)
    assert training_error(samples, model.boxes_) == pytest.approx(1 - model.score(X, y))


def test_it_lowers_the_error_of_the_divided_boxes():
    X, _, y, _ = load_ripley()
    divided = DendriteClassifier("divide", max_depth=2).fit(X, y)
    evolved = DendriteClassifier("evolution", max_depth=2, random_state=0).fit(X, y)
    assert evolved.errors_[0] == pytest.approx(1 - divided.score(X, y))
    assert evolved.errors_[-1] == pytest.approx(1 - evolved.score(X, y))
    assert evolved.errors_[-1] < evolved.errors_[0]
    assert evolved.n_dendrites_ == divided.n_dendrites_
    assert "after 50 generations" in evolved.summary()


def test_it_can_start_from_bounding_boxes_that_are_cut_into_parts():
    X, y = load_iris(return_X_y=True)
    samples = Samples(X, y, np.ones(len(X)), 4)  # of the fourth class there is no sample
    for n_parts in (1, 3):
        boxes = cut_bounding_boxes(samples, n_parts)
        assert [len(found) for found in boxes] == [n_parts] * 3 + [0]
        for k, found in enumerate(boxes[:3]):
            assert found[:, 0].min(axis=0) == pytest.approx(X[y == k].min(axis=0))
            assert found[:, 1].max(axis=0) == pytest.approx(X[y == k].max(axis=0))
            widths = found[:, 1] - found[:, 0]
            assert widths == pytest.approx(np.tile(widths[0], (n_parts, 1)))
            assert found[1:, 0, 0] == pytest.approx(found[:-1, 1, 0])
    start = training_error(samples, cut_bounding_boxes(samples, 2))
    model = DendriteClassifier("evolution", n_parts=2, random_state=0).fit(X, y)
    assert model.n_dendrites_.tolist() == [2, 2, 2]
    assert model.errors_[0] == pytest.approx(start)
    assert model.errors_[-1] == pytest.approx(1 - model.score(X, y))
    assert model.errors_[-1] < model.errors_[0]


def test_boxes_without_width_can_move():
    values = np.linspace(0, 1, 500)[:, None]
    samples = Samples(np.vstack([values, values + 2]), np.repeat([0, 1], 500), np.ones(1000), 2)
    start = [np.full((1, 2, 1), 0.5), np.full((1, 2, 1), 0.6)]
    _, errors = evolve(samples, start, population_size=6, n_generations=10, seed=0)
    assert errors[-1] < errors[0]


def test_a_feature_that_is_constant_in_a_class_is_not_cut():
    X = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0], [4.0, 3.0]])
    boxes = cut_bounding_boxes(Samples(X, np.array([0, 0, 1, 1]), np.ones(4), 2), 4)
    assert [len(found) for found in boxes] == [1, 4]
    assert boxes[0].tolist() == [[[1.0, 0.0], [1.0, 1.0]]]


def test_the_seed_decides():
    X, _, y, _ = load_ripley()

    def boxes(seed):
        model = DendriteClassifier("evolution", max_depth=2, n_generations=5, random_state=seed)
        return np.concatenate(model.fit(X, y).boxes_)

    assert np.array_equal(boxes(0), boxes(0))
    assert not np.array_equal(boxes(0), boxes(1))


def test_boxes_without_error_are_left_alone():
    X, _, y, _ = load_ripley()
    model = DendriteClassifier("evolution", random_state=0).fit(X, y)
    assert model.errors_.tolist() == [0.0]
    divided = DendriteClassifier("divide").fit(X, y)
    for one, other in zip(model.boxes_, divided.boxes_, strict=True):
        assert np.array_equal(one, other)


def test_generations_are_shown(capsys):
    X, _, y, _ = load_ripley()
    model = DendriteClassifier(
        "evolution", max_depth=1, n_generations=3, verbose=True, random_state=0
    )
    model.fit(X, y)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[-1] == f"generation 3 of 3: training error {model.errors_[-1]:.2%}"
    model.set_params(verbose=False).fit(X, y)
    assert capsys.readouterr().err == ""


def test_an_interrupt_ends_it_and_leaves_the_model_as_it_was():
    X, _, y, _ = load_ripley()
    model = DendriteClassifier("evolution", max_depth=1, random_state=0).fit(X, y)
    before = model.predict(X)
    model.set_params(max_depth=3, n_generations=10**6)
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert np.array_equal(model.predict(X), before)
