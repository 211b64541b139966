"""Boundaries of any classifiers, against their predictions on both sides."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import DEPClassifier, RDEPClassifier
from rdep.display import BoundariesDisplay, RegionsDisplay

CLASSIFIERS = {
    "rbf": SVC(),
    "vote": VotingClassifier([("a", SVC()), ("b", SVC(kernel="linear"))]),
    "bagging": BaggingClassifier(SVC(), n_estimators=2, random_state=0),
    "forest": RandomForestClassifier(5, random_state=0),
    "logistic": LogisticRegression(),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_predictions_change_across_the_line_and_nowhere_else(ripley, name):
    X, y = ripley
    model = CLASSIFIERS[name].fit(X, y)
    display = BoundariesDisplay.from_estimators({name: model}, X, y, grid_resolution=80)
    x0, x1 = (np.linspace(*limits, 80) for limits in display.limits)
    grid = np.stack(np.meshgrid(x0, x1), -1).reshape(-1, 2)
    positive = (model.predict(grid) == 1).reshape(80, 80).T
    low, high = display.limits.T
    places = (np.vstack(display.boundaries[name]) - low) / (high - low) * 79
    # Each corner of the line lies between two neighbours of the grid, one of either decision.
    first, second = np.floor(places + 1e-9).astype(int), np.ceil(places - 1e-9).astype(int)
    assert (np.abs(second - first).sum(axis=1) == 1).all()
    assert (positive[tuple(first.T)] != positive[tuple(second.T)]).all()
    changes = (positive[1:] != positive[:-1]).sum() + (positive[:, 1:] != positive[:, :-1]).sum()
    crossed = {(*one, *other) for one, other in zip(first, second, strict=True)}
    assert len(crossed) == changes


def test_a_dep_is_drawn_exactly(ripley, dep):
    display = BoundariesDisplay.from_estimators({"DEP": dep}, *ripley)
    (line,) = display.boundaries["DEP"]
    assert np.array_equal(line, RegionsDisplay.from_estimator(dep, *ripley).boundary)


def test_every_classifier_has_a_style_and_a_name(ripley, dep):
    X, y = ripley
    models = {name: model.fit(X, y) for name, model in CLASSIFIERS.items()} | {"DEP": dep}
    display = BoundariesDisplay.from_estimators(models, X, y, grid_resolution=40)
    lines = display.ax_.lines
    assert [line.get_label() for line in lines] == list(models)
    assert len({line.get_color() for line in lines}) == len(models)
    assert len({str(line._unscaled_dash_pattern) for line in lines}) == len(models)


def test_a_classifier_of_one_answer_has_no_line_but_a_name(ripley):
    X, y = ripley
    only = LogisticRegression().fit(X, y)
    only.intercept_[:] = 1e6
    assert BoundariesDisplay.from_estimators({"one": only}, X, y).boundaries == {"one": []}


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_stay_frames_so_that_nothing_warns(cancer, wide_dep, library):
    X, y = cancer
    if library == "polars":
        import polars

        X = polars.DataFrame(X.to_dict("list"))
    from sklearn.pipeline import make_pipeline

    svc = make_pipeline(StandardScaler(), SVC()).fit(X, y)
    display = BoundariesDisplay.from_estimators(
        {"SVC": svc, "DEP": wide_dep}, X, y, features=("mean area", "mean texture"),
        grid_resolution=50,
    )  # fmt: skip
    assert display.feature_names == ("mean area", "mean texture")
    piece = max(display.boundaries["SVC"], key=len)
    full = np.tile(np.median(np.asarray(X), axis=0), (len(piece), 1))
    full[:, [3, 1]] = piece
    values = svc.decision_function(pd.DataFrame(full, columns=cancer[0].columns))
    assert np.abs(values).max() < 0.05


@pytest.mark.parametrize(
    ("estimators", "error", "message"),
    [
        ({}, TypeError, "an empty one"),
        ([SVC()], TypeError, "got list"),
        ({"scaler": StandardScaler()}, TypeError, "scaler must be a fitted classifier"),
        ({"class": SVC}, TypeError, "must be a fitted classifier"),
    ],
)
def test_mistakes(ripley, estimators, error, message):
    with pytest.raises(error, match=message):
        BoundariesDisplay.from_estimators(estimators, *ripley)


def test_classifiers_must_belong_together(ripley):
    X, y = ripley
    first = SVC().fit(X, y)
    with pytest.raises(ValueError, match=r"different classes: \[0, 1\] and \[-1, 1\]"):
        BoundariesDisplay.from_estimators({"a": first, "b": SVC().fit(X, 2 * y - 1)}, X, y)
    with pytest.raises(ValueError, match="features: 2 and 1"):
        BoundariesDisplay.from_estimators({"a": first, "b": SVC().fit(X[:, :1], y)}, X, y)
    with pytest.raises(ValueError, match="X has 1 features"):
        BoundariesDisplay.from_estimators({"a": first}, X[:, :1], y)


MORE_CLASSES = {
    "rbf": SVC(),
    "one against one": SVC(decision_function_shape="ovo"),
    "forest": RandomForestClassifier(5, random_state=0),
    "boxes": RDEPClassifier("boxes"),
    # A margin for which no boundary lies exactly on lines of the grid.
    "dep": DEPClassifier(monotonic_cst="auto", margin=0.31),
}


@pytest.mark.filterwarnings("ignore:Degenerate fit")
@pytest.mark.parametrize("name", MORE_CLASSES)
def test_more_classes_are_parted_once(name):
    flowers = load_iris()
    X, y = flowers.data[:, 2:], flowers.target_names[flowers.target]
    model = MORE_CLASSES[name].fit(X, y)
    display = BoundariesDisplay.from_estimators({name: model}, X, y, grid_resolution=80)
    x0, x1 = (np.linspace(*limits, 80) for limits in display.limits)
    grid = np.stack(np.meshgrid(x0, x1), -1).reshape(-1, 2)
    predicted = model.predict(grid).reshape(80, 80).T
    low, high = display.limits.T
    places = (np.vstack(display.boundaries[name]) - low) / (high - low) * 79
    # Each corner lies between two neighbours of the grid, or between two across a cell.
    first, second = np.floor(places + 1e-9).astype(int), np.ceil(places - 1e-9).astype(int)
    assert (np.abs(second - first).sum(axis=1) <= 2).all()
    on_edges = np.abs(second - first).sum(axis=1) == 1
    first, second = first[on_edges], second[on_edges]
    assert (predicted[tuple(first.T)] != predicted[tuple(second.T)]).all()
    crossed = [(*map(int, one), *map(int, other)) for one, other in zip(first, second, strict=True)]
    # No boundary is drawn twice, though each is one of two classes.
    closed = sum(np.array_equal(line[0], line[-1]) for line in display.boundaries[name])
    assert len(crossed) - len(set(crossed)) <= closed
    rows = {(i, j, i + 1, j) for i, j in np.argwhere(predicted[1:] != predicted[:-1]).tolist()}
    columns = {
        (i, j, i, j + 1) for i, j in np.argwhere(predicted[:, 1:] != predicted[:, :-1]).tolist()
    }
    for i, j, *_ in (rows | columns) - set(crossed):  # only where three classes meet
        assert len(np.unique(predicted[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2])) == 3


def test_twenty_classes_have_a_look_each():
    X, y = np.random.RandomState(0).normal(size=(100, 2)), np.arange(100) % 20
    display = BoundariesDisplay.from_estimator(KNeighborsClassifier(1).fit(X, y), X, y)
    looks = {
        (str(points.get_edgecolor()), len(points.get_facecolor()), str(points.get_paths()[0]))
        for points in display.ax_.collections
    }
    assert len(display.ax_.collections) == len(looks) == 20


def test_more_classes_have_a_name_each():
    flowers = load_iris()
    X, y = flowers.data[:, 2:], flowers.target_names[flowers.target]
    display = BoundariesDisplay.from_estimator(RDEPClassifier("boxes").fit(X, y), X, y)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["setosa", "versicolor", "virginica", "RDEPClassifier"]
