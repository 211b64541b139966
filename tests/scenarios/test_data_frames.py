"""Data frames of pandas and polars: as X, as the output of transformers, with texts in them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from rdep import BaggingOrdering, EnsembleOrdering, RDEPClassifier, all_estimators
from rdep.datasets import load_ripley
from rdep.display import BoundariesDisplay, DecidingDisplay
from rdep.orderings import ORDERINGS as NAMES_OF_ORDERINGS

NUMBERS, TEXTS = ["age", "size"], ["colour"]


def encoder():
    return make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(), TEXTS))


def by_name(classifier):
    return make_pipeline(encoder(), classifier)


MEMBERS = [("logistic", by_name(LogisticRegression())), ("svc", by_name(SVC()))]
# The same on columns that are encoded beforehand.
ENCODED = [("logistic", LogisticRegression()), ("svc", make_pipeline(SVC()))]

ORDERINGS = {
    "ensemble": (EnsembleOrdering(MEMBERS), EnsembleOrdering(ENCODED)),
    "stacked": (
        EnsembleOrdering([*MEMBERS, ("left out", "drop")], stack=True),
        EnsembleOrdering(ENCODED, stack=True),
    ),
}
NOT_COMPARED = {
    "cross-fitted": EnsembleOrdering(MEMBERS, cv=3),
    "bagging": BaggingOrdering(by_name(SVC()), n_estimators=3, random_state=0),
    "out of bag": BaggingOrdering(by_name(SVC()), n_estimators=8, cv="oob", random_state=0),
    "bagging, cross-fitted": BaggingOrdering(by_name(SVC()), n_estimators=2, cv=3, random_state=0),
}
EVERY = {name: ordering for name, (ordering, _) in ORDERINGS.items()} | NOT_COMPARED


@pytest.fixture(scope="module")
def table():
    random = np.random.RandomState(0)
    X = pd.DataFrame(
        {
            "age": random.uniform(18, 80, 150),
            "colour": random.choice(["red", "blue", "green"], 150),
            "size": random.uniform(size=150),
        },
        index=random.permutation(150),
    )
    y = np.where((X["age"] > 50) ^ (X["colour"] == "red"), "yes", "no")
    return X, y


def two_or_three(X, y, n_classes):
    return y if n_classes == 2 else np.where(X["colour"] == "green", "perhaps", y)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", ORDERINGS)
def test_members_see_what_they_would_see_alone(table, name, n_classes, weighted):
    X, y = table
    y = two_or_three(X, y, n_classes)
    weights = np.resize([0.0, 1.0, 2.0, 1.0], len(y)) if weighted else None
    ordering, on_encoded = ORDERINGS[name]
    model = RDEPClassifier(ordering, scale_input=False).fit(X, y, sample_weight=weights)
    used = np.ones(len(y), dtype=bool) if weights is None else weights > 0
    encoded = encoder().fit(X[used]).transform(X)
    expected = RDEPClassifier(on_encoded, scale_input=False)
    expected.fit(encoded, y, sample_weight=weights)
    assert np.allclose(model.decision_function(X), expected.decision_function(encoded))
    assert model.score(X, y) > 0.9
    assert model.feature_names_in_.tolist() == list(X.columns)


@pytest.mark.parametrize("name", NOT_COMPARED)
def test_folds_and_draws_take_rows_of_the_frame(table, name):
    X, y = table
    y = two_or_three(X, y, 3)
    model = RDEPClassifier(EVERY[name], scale_input=False).fit(X, y)
    assert model.score(X, y) > 0.9
    assert list(model.explain(X).to_frame().index) == list(range(len(X)))


@pytest.mark.parametrize("name", ["stacked", "cross-fitted", "out of bag"])
def test_frames_of_polars_are_as_good(table, name):
    X, y = table
    model = RDEPClassifier(EVERY[name], scale_input=False)
    expected = model.fit(X, y).decision_function(X)
    polars = pl.DataFrame(X.to_dict("list"))
    assert np.allclose(model.fit(polars, y).decision_function(polars), expected)
    assert model.feature_names_in_.tolist() == list(X.columns)


def test_drawn_columns_are_columns_of_the_frame(table):
    X, y = table[0][NUMBERS].assign(third=1.0), table[1]
    forest = RandomForestClassifier(5, random_state=0)
    draws = {"n_estimators": 4, "max_features": 2, "random_state": 0}
    frames = BaggingOrdering(forest, **draws).fit(X, y)
    arrays = BaggingOrdering(forest, **draws).fit(X.to_numpy(), y)
    assert np.array_equal(frames.transform(X), arrays.transform(X.to_numpy()))
    for member, features in zip(frames.estimators_, frames.estimators_features_, strict=True):
        assert member.feature_names_in_.tolist() == X.columns[features].tolist()


@pytest.mark.parametrize("name", ["ensemble", "bagging"])
def test_columns_must_be_those_of_the_fit(table, name):
    X, y = table
    model = RDEPClassifier(EVERY[name], scale_input=False).fit(X, y)
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        model.predict(X[["size", "age", "colour"]])
    with pytest.raises(ValueError, match="Feature names seen at fit time, yet now missing"):
        model.predict(X[["age", "colour"]])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, y[1:])


def test_numbers_in_a_frame_give_what_they_give_in_an_array(table):
    X, y = table[0][NUMBERS], table[1]
    members = [("svc", SVC()), ("forest", RandomForestClassifier(5, random_state=0))]
    for ordering in (EnsembleOrdering(members), BaggingOrdering(SVC(), random_state=0), "ensemble"):
        model = RDEPClassifier(ordering, scale_input=False)
        frame = model.fit(X, y).decision_function(X)
        array = model.fit(X.to_numpy(), y).decision_function(X.to_numpy())
        assert np.allclose(frame, array, rtol=1e-9, atol=1e-9)


def test_with_scaling_texts_are_refused(table):
    with pytest.raises(ValueError, match="could not convert string to float"):
        RDEPClassifier(EnsembleOrdering(MEMBERS)).fit(*table)


def test_an_ordering_of_ones_own_sees_the_frame(table):
    X, y = table
    ordering = make_pipeline(encoder(), EnsembleOrdering())
    assert RDEPClassifier(ordering, scale_input=False).fit(X, y).score(X, y) > 0.9


def test_members_are_searched_and_dropped(table):
    X, y = table
    model = RDEPClassifier(EnsembleOrdering(MEMBERS), scale_input=False)
    grid = {"ordering__svc": ["drop"], "ordering__logistic__logisticregression__C": [0.1, 1.0]}
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_estimator_.ordering_.get_feature_names_out().tolist() == ["logistic"]


def test_groups_stay_together_by_splits_that_are_given(table):
    """Also where some rows have no weight: splits count all rows."""
    X, y = table
    groups = np.arange(len(y)) // 10
    splits = list(GroupKFold(5).split(X, y, groups))
    weights = np.resize([1.0, 0.0, 1.0], len(y))
    ordering = EnsembleOrdering(MEMBERS[:1], cv=splits)
    values = ordering.fit_transform(X, y, sample_weight=weights)
    for train, test in splits:
        train, test = (rows[weights[rows] > 0] for rows in (train, test))
        apart = by_name(LogisticRegression()).fit(X.iloc[train], y[train])
        assert np.allclose(values[test, 0], apart.decision_function(X.iloc[test]))


def test_displays_draw_members_that_choose_columns():
    random = np.random.RandomState(0)
    X = pd.DataFrame(random.normal(size=(80, 2)), columns=NUMBERS)
    y = X["age"] * X["size"] > 0
    member = make_pipeline(make_column_transformer((StandardScaler(), NUMBERS)), SVC())
    model = RDEPClassifier(EnsembleOrdering([("svc", member)]), scale_input=False).fit(X, y)
    deciding = DecidingDisplay.from_estimator(model, X, y, grid_resolution=20)
    assert {by for _, by in deciding.labels} == {"svc"}
    assert BoundariesDisplay.from_estimator(model, X, y, grid_resolution=20).boundaries


def in_short(estimator):
    """The estimator with a seed and few folds, if it has any."""
    known = estimator.get_params()
    given = {"random_state": 0, "n_landmarks": 20, "max_epochs": 5}
    given |= {name: 2 for name in ("cv", "ordering__cv") if known.get(name) is not None}
    return estimator.set_params(**{name: given[name] for name in given.keys() & known})


ALL = {name: in_short(kind()) for name, kind in all_estimators()} | {
    name: in_short(RDEPClassifier(name)) for name in NAMES_OF_ORDERINGS if name != "mixed"
}


def results(estimator, X, y):
    """What a fitted estimator says of its training samples, by all of its methods."""
    of_fit = [estimator.fit_transform(X, y)] if hasattr(estimator, "transform") else []
    if not of_fit:
        estimator.fit(X, y)
    methods = ("decision_function", "predict", "predict_proba", "transform")
    return of_fit + [getattr(estimator, name)(X) for name in methods if hasattr(estimator, name)]


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
@pytest.mark.parametrize("name", ALL)
def test_output_in_frames_of_polars_changes_no_value(name):
    X, _, y, _ = load_ripley()
    X, y = X[::6], y[::6]
    expected = results(ALL[name], X, y)
    frame = pl.DataFrame(X, schema=["width", "height"])
    with config_context(transform_output="polars"):
        found = results(ALL[name], frame, y)
    for theirs, ours in zip(found, expected, strict=True):
        assert np.allclose(theirs, ours, equal_nan=True)
    if hasattr(ALL[name], "transform") and hasattr(ALL[name], "set_output"):
        assert isinstance(found[0], pl.DataFrame)
        reduced = ALL[name].set_output(transform="polars").transform(frame)
        assert reduced.columns == ALL[name].get_feature_names_out().tolist()
        assert np.allclose(reduced, expected[-1], equal_nan=True)
