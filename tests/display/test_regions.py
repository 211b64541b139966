"""Regions: what is drawn is what the model decides, at every point of a grid."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.path import Path
from sklearn.base import clone
from sklearn.svm import SVC

from rdep import DEPClassifier, EnsembleOrdering, RDEPClassifier
from rdep import dilation as dilate
from rdep import erosion as erode
from rdep.display import ReducedSpaceDisplay, RegionsDisplay

from ..figure_texts import check_texts


def grid_on(display, n=45):
    axes = (np.linspace(low, high, n + 1)[:-1] + 0.37 * (high - low) / n
            for low, high in display.limits)  # fmt: skip
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)


def positive_side(display, points):
    """By the drawn line alone: what lies above it and to its right."""
    line = display.boundary
    assert line[0, 0] > line[-1, 0]
    far = 100.0
    beyond = [[line[-1, 0], far], [far, far], [far, line[0, 1]]]
    return Path(np.vstack([line, beyond])).contains_points(points)


@pytest.mark.parametrize("beta", [0.0, 0.15, 0.6, 1.0])
def test_the_line_of_a_dep_separates_its_predictions(ripley, beta):
    X, y = ripley
    model = DEPClassifier(beta=beta).fit(X, y)
    display = RegionsDisplay.from_estimator(model, X, y)
    points = grid_on(display)
    assert np.array_equal(positive_side(display, points), model.predict(points) == 1)


def inside(box, points):
    return ((points >= box[:, 0]) & (points < box[:, 1])).all(axis=1)


def test_the_boxes_of_a_dep(ripley, dep):
    display = RegionsDisplay.from_estimator(dep, *ripley)
    points = grid_on(display)
    dilated = dilate(points, dep.dilation_weights_)
    eroded = erode(points, dep.erosion_weights_)
    assert np.array_equal(inside(display.dilation_box, points), dilated < 0)
    assert np.array_equal(inside(display.erosion_box, points), eroded >= 0)


def test_a_perceptron_has_one_box_and_its_edge_is_the_boundary(ripley, dilation, erosion):
    X, y = ripley
    first = RegionsDisplay.from_estimator(dilation, X, y)
    second = RegionsDisplay.from_estimator(erosion, X, y)
    assert first.erosion_box is None
    assert second.dilation_box is None
    for display, model in ((first, dilation), (second, erosion)):
        points = grid_on(display)
        box = display.dilation_box if display.erosion_box is None else display.erosion_box
        assert np.array_equal(inside(box, points), model.predict(points) == (model is erosion))
        assert np.isclose(display.boundary, -model.weights_).any(axis=1).all()


@pytest.mark.parametrize("pair", [(0, 1), (3, 1), ("mean area", "mean smoothness")])
def test_a_cut_through_more_features_is_what_the_model_decides_there(cancer, wide_dep, pair):
    X, y = cancer
    display = RegionsDisplay.from_estimator(wide_dep, X, y, features=pair)
    positions = [X.columns.get_loc(f) if isinstance(f, str) else f for f in pair]
    assert display.feature_names == tuple(X.columns[positions])
    assert display.note == "cut with 3 other features at their medians; samples projected"
    assert np.array_equal(display.samples.points, X.to_numpy()[:, positions])
    points = grid_on(display)
    full = np.tile(np.median(X.to_numpy(), axis=0), (len(points), 1))
    full[:, positions] = points
    predicted = wide_dep._decide(full) >= 0
    signs = wide_dep.orientation_[positions]
    oriented = full * wide_dep.orientation_
    for box, expected in (
        (display.dilation_box, dilate(oriented, wide_dep.dilation_weights_) < 0),
        (display.erosion_box, erode(oriented, wide_dep.erosion_weights_) >= 0),
    ):
        found = np.zeros(len(points), bool) if box is None else inside(box, points)
        assert np.array_equal(found, expected)
    line = display.boundary * signs
    u, v = (points * signs).T
    entry = np.interp(v - u, line[:, 1] - line[:, 0], line[:, 0])
    assert np.array_equal(u > entry, predicted)


def test_a_cut_through_a_given_sample(cancer, wide_dep):
    X, y = cancer
    sample = X.to_numpy()[7]
    display = RegionsDisplay.from_estimator(wide_dep, X, y, features=(0, 1), at=sample)
    assert "given values" in display.note
    line = display.boundary * wide_dep.orientation_[:2]
    u, v = sample[:2] * wide_dep.orientation_[:2]
    entry = np.interp(v - u, line[:, 1] - line[:, 0], line[:, 0])
    assert (u >= entry) == (wide_dep.predict(X[7:8])[0] == 1)


def test_weights_without_a_fit():
    display = RegionsDisplay.from_weights([2, 1], [1, 2.25], 0.2)
    assert display.samples is None
    assert display.dilation_box.tolist() == [[-np.inf, -2], [-np.inf, -1]]
    assert display.erosion_box.tolist() == [[-1, np.inf], [-2.25, np.inf]]
    for corner in ([-2, -1], [-1, -2.25]):
        assert (display.limits[:, 0] < corner).all()
        assert (corner < display.limits[:, 1]).all()


def test_weights_and_estimator_give_the_same(ripley, dep):
    X, y = ripley
    one = RegionsDisplay.from_estimator(dep, X, y)
    other = RegionsDisplay.from_weights(
        dep.dilation_weights_, dep.erosion_weights_, dep.beta_, X, y
    )
    assert np.array_equal(one.boundary, other.boundary)
    assert np.array_equal(one.limits, other.limits)


def test_turned_features_in_weights():
    display = RegionsDisplay.from_weights([2, 1], orientation=[-1, 1])
    assert display.dilation_box.tolist() == [[2, np.inf], [-np.inf, -1]]


def test_it_draws_into_the_axes_given_and_again_into_others(ripley, dep):
    first, second = Figure().subplots(1, 2)
    display = RegionsDisplay.from_estimator(dep, *ripley, ax=first)
    assert display.ax_ is first
    assert display.figure_ is first.figure
    before = len(first.get_children())
    assert display.plot(second) is display
    assert display.ax_ is second
    assert len(first.get_children()) == before
    (line,) = second.lines
    assert np.array_equal(line.get_xydata(), display.boundary)
    assert second.get_xlim() == tuple(display.limits[0])


def test_legend_names_everything_drawn(ripley, dep):
    display = RegionsDisplay.from_estimator(dep, *ripley)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["D(w)", "E(m)", "0 (negative)", "1 (positive)", "decision boundary"]
    assert display.plot(legend=False).ax_.get_legend() is None


@pytest.mark.parametrize("size", [(6.4, 4.8), (8.5 / 2.54, 3.0)])
def test_texts_can_be_read_on_screen_and_in_print(cancer, wide_dep, size):
    import matplotlib

    with matplotlib.rc_context({"font.size": 8 if size[0] < 5 else 10}):
        figure = Figure(figsize=size, layout="constrained")
        RegionsDisplay.from_estimator(wide_dep, *cancer, features=(0, 1), ax=figure.subplots())
        check_texts(figure)


def test_a_test_set_of_one_class_keeps_its_marker(ripley, dep):
    X, y = ripley
    both = RegionsDisplay.from_estimator(dep, X, y).ax_.collections
    alone = RegionsDisplay.from_estimator(dep, X[y == 1], y[y == 1]).ax_.collections
    shapes = [collection.get_paths()[0].vertices for collection in (both[1], alone[1])]
    assert np.array_equal(*shapes)
    assert len(alone[0].get_offsets()) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "weights w of a dilation"),
        ({"w": [1, 2], "m": [1, 2]}, r"beta must be a number in \[0, 1\], got None"),
        ({"w": [1, 2], "m": [1, 2], "beta": 1.5}, "got 1.5"),
        ({"w": [1, 2], "beta": 0.5}, "needs both w and m"),
        ({"w": [1, 2], "m": [1, 2, 3], "beta": 0.5}, "lengths must be equal"),
        ({"w": [1, np.nan]}, "finite numbers"),
        ({"w": [1, 2], "orientation": [1, 0]}, r"\+1 or -1"),
        ({"w": [1, 2], "names": ["a"]}, "1 names for 2 features"),
        ({"w": [1, 2], "X": [[1, 2, 3]]}, r"shape \(n_samples, 2\)"),
        ({"w": [1, 2, 3]}, r"pass features=\(i, j\)"),
        ({"w": [1, 2, 3], "features": (0, 1)}, "pass X or `at`"),
        ({"w": [1, 2, 3], "features": (0, 1), "at": [0, 0]}, "for each of the 3 features"),
        ({"w": [1, 2], "limits": ((1, 0), (0, 1))}, "low < high"),
        ({"w": [1]}, "only one"),
        (
            {"w": [1, 2], "X": [[0, 0]] * 3, "y": [1, 2, 3]},
            "weights decide between two classes, but y has 3",
        ),
    ],
)
def test_mistakes_in_weights(arguments, message):
    with pytest.raises(ValueError, match=message):
        RegionsDisplay.from_weights(**arguments)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (None, r"5 features and a display shows two: pass features=\(i, j\)"),
        ((0, 5), "no feature 5; give a position from 0 to 4"),
        ((0, "radius"), "no feature 'radius'"),
        ((0, 0), "two different features"),
        ((0, 1, 2), "two of the features"),
        ("ab", "two of the features"),
    ],
)
def test_mistakes_in_features(cancer, wide_dep, features, message):
    with pytest.raises(ValueError, match=message):
        RegionsDisplay.from_estimator(wide_dep, *cancer, features=features)


def test_an_unfitted_copy_is_refused(ripley, dep):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        RegionsDisplay.from_estimator(clone(dep), *ripley)


def test_points_and_line_agree_with_the_predictions(ripley):
    X, y = ripley
    members = EnsembleOrdering([("rbf", SVC()), ("linear", SVC(kernel="linear"))])
    model = RDEPClassifier(members).fit(X, y)
    display = ReducedSpaceDisplay.from_estimator(model, X, y)
    assert display.feature_names == ("rbf", "linear")
    assert display.note is None
    assert np.array_equal(display.samples.points, model.reduced_space(X))
    u, v = display.samples.points.T
    line = display.boundary
    entry = np.interp(v - u, line[:, 1] - line[:, 0], line[:, 0])
    # A sample at the line itself, to where the best β brings one, may be rounded to either side.
    clear = np.abs(u - entry) > 1e-9
    assert clear.sum() >= len(X) - 1
    assert np.array_equal((u >= entry)[clear], model.predict(X)[clear] == 1)


def test_the_two_members_that_decide_most_are_shown(ripley, rdep):
    X, y = ripley
    display = ReducedSpaceDisplay.from_estimator(rdep, X, y)
    reasons, beta = rdep.explain(X), rdep.dep_.beta_
    names = rdep.ordering_.get_feature_names_out()
    decided = [
        beta * np.sum(reasons.dilation_by == name) + (1 - beta) * np.sum(reasons.erosion_by == name)
        for name in names
    ]
    assert set(display.feature_names) == set(names) - {names[np.argmin(decided)]}


def test_more_members_are_a_cut_through_their_medians(ripley, rdep):
    X, y = ripley
    display = ReducedSpaceDisplay.from_estimator(rdep, X, y, features=("poly", "rbf"))
    reduced = rdep.reduced_space(X)
    assert np.array_equal(display.samples.points, reduced[:, [2, 0]])
    assert display.note == "cut with linear at its median; samples projected"
    w, m = rdep.dep_.dilation_weights_, rdep.dep_.erosion_weights_
    medians = np.median(reduced, axis=0)
    assert (display.dilation_box is None) == (w[1] + medians[1] >= 0)
    assert (display.erosion_box is None) == (m[1] + medians[1] < 0)
    on_cut = np.tile(medians, (len(X), 1))
    on_cut[:, [2, 0]] = display.samples.points
    u, v = display.samples.points.T
    line = display.boundary
    entry = np.interp(v - u, line[:, 1] - line[:, 0], line[:, 0])
    assert np.array_equal(u >= entry, rdep.dep_.predict(on_cut) == 1)
