"""What explanations say is how the decision values come about."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from rdep import DEPClassifier, DEPClassifierCV, RDEPClassifier, dilation, erosion

MODELS = [
    DEPClassifier(),
    DEPClassifier(monotonic_cst="auto"),
    DEPClassifierCV(Cs=(0.1,), margins=(0.25,)),
    RDEPClassifier("ensemble"),
    RDEPClassifier("signed"),
    RDEPClassifier("boxes"),
    RDEPClassifier("boxes", DEPClassifierCV(Cs=(0.1,), margins=(0.25,))),
]
of_every_model = pytest.mark.parametrize("model", MODELS, ids=repr)
quiet = pytest.mark.filterwarnings("ignore:Degenerate fit")


@pytest.fixture(scope="module")
def iris():
    flowers = load_iris(as_frame=True)
    return flowers.data, flowers.target_names[flowers.target]


def by_hand(part, X):
    """Both shares and both coordinates of one class against the rest, from the fitted weights."""
    dep = part
    while hasattr(dep, "dep_"):
        dep = dep.dep_
    points = part.reduced_space(X) if isinstance(part, RDEPClassifier) else np.asarray(X)
    points = points * dep.orientation_
    w, m, beta = dep.dilation_weights_, dep.erosion_weights_, dep.beta_
    return (
        (points + w).argmax(axis=1),
        beta * dilation(points, w),
        (points + m).argmin(axis=1),
        (1 - beta) * erosion(points, m),
    )


@quiet
@of_every_model
def test_of_more_classes_the_winner_and_the_runner_up_are_explained(model, iris):
    X, y = iris
    model.fit(X, y)
    explained = model.explain(X)
    values = model.decision_function(X)
    assert len(explained) == len(X)
    assert np.array_equal(explained.decision, values)
    assert np.array_equal(explained.prediction, model.predict(X))
    frame = explained.to_frame()
    ranked = np.argsort(-values, axis=1, kind="stable")
    assert list(frame.index) == list(range(len(X)))
    for prefix, place in (("", 0), ("runner_up_", 1)):
        label = model.classes_[ranked[:, place]]
        assert list(frame["runner_up" if prefix else "prediction"]) == list(label)
        for k, part in enumerate(model.estimators_):
            rows = frame[ranked[:, place] == k]
            _, dilated, _, eroded = by_hand(part, X[ranked[:, place] == k])
            assert rows[f"{prefix}dilation_share"].to_numpy() == pytest.approx(dilated, abs=1e-12)
            assert rows[f"{prefix}erosion_share"].to_numpy() == pytest.approx(eroded, abs=1e-12)
            total = rows[f"{prefix}dilation_share"] + rows[f"{prefix}erosion_share"]
            assert np.array_equal(rows[f"{prefix}decision"], total)


@quiet
@of_every_model
def test_each_class_is_explained_as_by_its_own_model(model, iris):
    X, y = iris
    model.fit(X, y)
    explained = model.explain(X)
    assert list(explained.by_class) == list(model.classes_) == list(explained.classes)
    for part, one in zip(model.estimators_, explained.by_class.values(), strict=True):
        dilation_index, _, erosion_index, _ = by_hand(part, X)
        assert np.array_equal(one.dilation_index, dilation_index)
        assert np.array_equal(one.erosion_index, erosion_index)


def test_of_equal_values_the_first_class_wins():
    """As in ``predict``: decision values within rounding of zero are equal."""
    X, y = np.array([[0.0], [1.0], [2.0], [0.0], [1.0], [2.0]]), list("abcabc")
    model = RDEPClassifier("boxes", DEPClassifier(beta=0, C=0)).fit(X, y)
    grid = np.linspace(-1, 3, 401)[:, None]
    explained = model.explain(grid)
    assert np.array_equal(explained.prediction, model.predict(grid))
    assert (explained.prediction != explained.runner_up).all()


@quiet
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", [m for m in MODELS if m is not MODELS[3]], ids=repr)
def test_coordinates_have_the_names_of_the_columns(model, n_classes, iris):
    X, y = iris[0][-50 * n_classes :], iris[1][-50 * n_classes :]
    frame = model.fit(X, y).explain(X).to_frame()
    columns = [name for name in frame if name.endswith("_by")]
    assert len(columns) == 2 * (n_classes - 1)
    assert isinstance(frame, pd.DataFrame)
    for name in columns:
        assert {text.removeprefix("-") for text in frame[name]} <= set(X.columns)
