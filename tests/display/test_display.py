"""What all displays have in common: axes, errors, readable texts."""

import sys

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import DEPClassifier, RDEPClassifier
from rdep.display import (
    BoundariesDisplay,
    DecidingDisplay,
    ObjectiveDisplay,
    PenaltyWeightsDisplay,
    ReducedSpaceDisplay,
    RegionsDisplay,
)

from ..figure_texts import check_texts

PAIR = {"features": ("rbf", "linear")}


def show(display, estimator, X, y, **options):
    if display is ObjectiveDisplay:
        return display.from_estimator(estimator, **options)
    if display is ReducedSpaceDisplay:
        options = PAIR | options
    return display.from_estimator(estimator, X, y, **options)


ALL = [
    RegionsDisplay, ReducedSpaceDisplay, BoundariesDisplay, DecidingDisplay, ObjectiveDisplay,
    PenaltyWeightsDisplay,
]  # fmt: skip
with_all = pytest.mark.parametrize("display", ALL)


@pytest.fixture
def model(display, dep, rdep):
    return rdep if display is ReducedSpaceDisplay else dep


@with_all
def test_new_axes_given_axes_and_again(display, model, ripley):
    shown = show(display, model, *ripley)
    assert shown.ax_.figure is shown.figure_
    figure = Figure()
    ax = figure.subplots()
    assert show(display, model, *ripley, ax=ax).ax_ is ax
    other = figure.add_subplot()
    assert shown.plot(other).ax_ is other
    assert shown.figure_ is figure
    part = Figure(layout="constrained").subfigures(1, 2)[0]
    assert shown.plot(part.subplots()).figure_ is part


@with_all
@pytest.mark.parametrize(("width", "font"), [(6.4, 10), (8.5 / 2.54, 8)])
def test_texts_can_be_read_on_screen_and_in_print(display, model, ripley, width, font):
    import matplotlib

    with matplotlib.rc_context({"font.size": font}):
        figure = Figure(figsize=(width, 0.9 * width), layout="constrained")
        show(display, model, *ripley, ax=figure.subplots())
        check_texts(figure)


@with_all
def test_the_legend_can_be_left_out(display, model, ripley):
    assert show(display, model, *ripley, legend=False).ax_.get_legend() is None
    assert show(display, model, *ripley).ax_.get_legend() is not None


@with_all
def test_wrong_axes(display, model, ripley):
    with pytest.raises(TypeError, match="matplotlib axes, got ndarray"):
        show(display, model, *ripley, ax=Figure().subplots(1, 2))
    with pytest.raises(TypeError, match="got Figure"):
        show(display, model, *ripley, ax=Figure())
    with pytest.raises(ValueError, match="the projection 'polar'"):
        show(display, model, *ripley, ax=Figure().add_subplot(projection="polar"))


@with_all
def test_unfitted(display, model, ripley):
    with pytest.raises(NotFittedError):
        show(display, clone(model), *ripley)


AGAINST_THE_REST = [display for display in ALL if display is not BoundariesDisplay]


@pytest.fixture(scope="module")
def iris():
    flowers = load_iris()
    return flowers.data[:, 1:3], flowers.target_names[flowers.target]


@pytest.fixture(scope="module")
def three_classes(iris):
    return {
        "dep": DEPClassifier(monotonic_cst="auto").fit(*iris),
        "rdep": RDEPClassifier("ensemble").fit(*iris),
    }


@pytest.mark.parametrize("display", AGAINST_THE_REST)
def test_of_more_classes_one_is_shown_against_the_rest(display, three_classes, iris):
    """As a model of that class alone would be shown, under the class's own name."""
    X, y = iris
    model = three_classes["rdep" if display is ReducedSpaceDisplay else "dep"]
    shown = show(display, model, X, y, class_of_interest="virginica")
    alone = show(display, clone(model).fit(X, y == "virginica"), X, y == "virginica")
    for name, value in vars(shown).items():
        if name in ("samples", "ax_", "figure_"):
            continue
        expected = getattr(alone, name)
        if isinstance(value, dict):
            assert {key: list(np.atleast_1d(one)) for key, one in value.items()} == {
                key: list(np.atleast_1d(one)) for key, one in expected.items()
            }
        else:
            assert np.array_equal(value, expected), name
    if display is not ObjectiveDisplay:
        texts = [text.get_text() for text in shown.ax_.get_legend().get_texts()]
        assert {"the rest (negative)", "virginica (positive)"} <= set(texts)
        assert np.array_equal(shown.samples.y, y == "virginica")


@pytest.mark.parametrize("display", AGAINST_THE_REST)
def test_the_class_must_be_chosen_where_there_are_more_than_two(
    display, three_classes, model, iris, ripley
):
    wide = three_classes["rdep" if display is ReducedSpaceDisplay else "dep"]
    with pytest.raises(ValueError, match="class_of_interest, one of .'setosa'"):
        show(display, wide, *iris)
    with pytest.raises(ValueError, match="'virginica'., not 'rose'"):
        show(display, wide, *iris, class_of_interest="rose")
    with pytest.raises(ValueError, match="class_of_interest is for more"):
        show(display, model, *ripley, class_of_interest=1)


@pytest.mark.parametrize("display", AGAINST_THE_REST)
def test_texts_of_more_classes_can_be_read(display, three_classes, iris):
    figure = Figure(figsize=(8.5 / 2.54, 7.5 / 2.54), layout="constrained")
    model = three_classes["rdep" if display is ReducedSpaceDisplay else "dep"]
    show(display, model, *iris, class_of_interest="versicolor", ax=figure.subplots())
    check_texts(figure)


@with_all
def test_no_matplotlib(display, model, ripley, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'rdep\[plot\]'"):
        show(display, model, *ripley)


@pytest.mark.parametrize("display", [one for one in ALL if one is not BoundariesDisplay])
def test_other_estimators(display, ripley):
    X, y = ripley
    with pytest.raises(TypeError, match="does not draw a SVC"):
        show(display, SVC().fit(X, y), X, y)
    with pytest.raises(TypeError, match=r"its last step, .*pipeline\[:-1\]\.transform\(X\)"):
        show(display, make_pipeline(StandardScaler(), DEPClassifier()).fit(X, y), X, y)
    with pytest.raises(TypeError, match="not its class"):
        show(display, DEPClassifier, X, y)


@pytest.mark.parametrize(
    ("display", "kind"), [(RegionsDisplay, "rdep"), (ReducedSpaceDisplay, "dep")]
)
def test_the_other_of_two_displays(display, kind, ripley, request):
    with pytest.raises(TypeError, match="is for an r-DEP"):
        show(display, request.getfixturevalue(kind), *ripley)


@pytest.mark.parametrize("display", [RegionsDisplay, BoundariesDisplay, DecidingDisplay])
def test_one_feature(display, ripley):
    X, y = ripley
    model = DEPClassifier().fit(X[:, 1:], y)
    with pytest.raises(ValueError, match="needs two features"):
        show(display, model, X[:, 1:], y)


def test_one_member(ripley):
    from rdep import EnsembleOrdering

    model = RDEPClassifier(EnsembleOrdering([("svc", SVC())])).fit(*ripley)
    with pytest.raises(ValueError, match=r"only one \(svc\)"):
        ReducedSpaceDisplay.from_estimator(model, *ripley)


@pytest.mark.parametrize("display", [one for one in ALL if one is not ObjectiveDisplay])
def test_strange_labels(display, model, ripley):
    X, y = ripley
    with pytest.raises(ValueError, match=r"not fitted on: \[2\]"):
        show(display, model, X, 2 * y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        show(display, model, X, y[1:])


@pytest.mark.parametrize("display", [RegionsDisplay, BoundariesDisplay, DecidingDisplay])
def test_samples_without_classes(display, dep, ripley):
    shown = display.from_estimator(dep, ripley[0])
    assert shown.samples.y is None
    scattered = [
        artist.get_offsets()
        for artist in shown.ax_.collections
        if isinstance(artist, PathCollection)
    ]
    assert any(np.array_equal(points, ripley[0]) for points in scattered)


@pytest.mark.parametrize("display", [RegionsDisplay, DecidingDisplay])
def test_sparse_samples(display, dep, ripley):
    with pytest.raises(ValueError, match=r"pass X\.toarray\(\)"):
        display.from_estimator(dep, csr_array(ripley[0]), ripley[1])


def test_names_are_text_and_not_formulas(cancer):
    X, y = cancer
    X = X.iloc[:, :2].set_axis(["$\\frac$", "a_{b}$"], axis=1)
    shown = RegionsDisplay.from_estimator(DEPClassifier(monotonic_cst="auto").fit(X, y), X, y)
    shown.figure_.canvas.draw()
    assert shown.ax_.get_xlabel() == "$\\frac$"


def test_a_constant_feature_has_limits(ripley):
    X, y = ripley
    flat = np.column_stack([X[:, 1], np.full(len(X), 3.0)])
    limits = RegionsDisplay.from_estimator(DEPClassifier().fit(flat, y), flat, y).limits
    assert (limits[:, 0] < limits[:, 1]).all()
