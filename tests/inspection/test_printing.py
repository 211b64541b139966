"""What is printed is what is predicted: texts are read back by a reader of their own."""

import numpy as np
import pandas as pd
import pytest

from rdep import (
    BoxScoreClassifier,
    CompetitiveClassifier,
    DendriteClassifier,
    DEPClassifier,
    DEPClassifierCV,
    RDEPClassifier,
)
from rdep.tables import explanations, fit_table

from .reader import Table, labels_of

pytestmark = pytest.mark.filterwarnings("ignore")

MODELS = [
    DEPClassifier(),
    DEPClassifier(monotonic_cst="auto", beta=0.4),
    DEPClassifier.paper(),
    DEPClassifierCV(Cs=(0.1,), margins=(0.25,), cv=2),
    RDEPClassifier("signed"),
    RDEPClassifier("boxes"),
    RDEPClassifier("boxes", DEPClassifier.paper(beta=0.3)),
    BoxScoreClassifier(6, cv=None),
    BoxScoreClassifier(4, cv=None, max_faces=0),
    CompetitiveClassifier(),
    CompetitiveClassifier("greedy-published"),
    CompetitiveClassifier("ccp", random_state=0),
    DendriteClassifier(),
    DendriteClassifier("divide"),
    DendriteClassifier("evolution", n_generations=3, random_state=0),
    DendriteClassifier("incremental"),
]


def columns(kind, rng, n):
    """Features of one kind; two of them tell the classes apart."""
    first, second = rng.normal(size=n), rng.normal(size=n)
    if kind == "years":
        return np.round(1980 + 15 * first), np.exp(8 + second).round(2), rng.integers(1, 6, n)
    if kind == "populations":
        return np.round(1e8 * np.exp(first)), np.round(1e6 * np.exp(second)), rng.random(n)
    if kind == "tiny":
        return 1e-9 * first, 1e-12 * second, 1e-9 * rng.random(n)
    if kind == "integers":
        return (
            np.round(3 + first).clip(1, 5),
            np.round(3 + second).clip(1, 5),
            rng.integers(1, 6, n),
        )
    if kind == "constant":
        return first.round(2), np.full(n, 7.0), second.round(1)
    if kind == "flags":
        return (first > 0) * 1.0, second.round(2), (rng.random(n) > 0.5) * 1.0
    if kind == "offset":
        return 1e6 + 1e-3 * first, -1e4 + second, 0.1 * rng.integers(0, 9, n)
    return first, 1e3 * second, rng.random(n)


KINDS = ["years", "populations", "tiny", "integers", "constant", "flags", "offset", "plain"]


def tables():
    """Twenty small tables, some with three classes."""
    for k in range(20):
        rng = np.random.default_rng(k)
        kind = KINDS[k % len(KINDS)]
        features = np.column_stack(columns(kind, rng, 48)).astype(float)
        spread = features.std(axis=0)
        standard = (features - features.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        value = standard[:, 0] - 0.8 * standard[:, 2] ** 2 + 0.5 * rng.normal(size=48)
        n_classes = 3 if k % 3 == 2 else 2
        cuts = np.quantile(value, np.arange(1, n_classes) / n_classes)
        yield f"{k}-{kind}", features, np.array(["a", "b", "c"])[np.searchsorted(cuts, value)]


TABLES = list(tables())


@pytest.mark.parametrize("model", MODELS, ids=lambda model: str(model).replace("\n", ""))
def test_the_text_read_back_is_the_prediction_of_every_training_row(model):
    for name, X, y in TABLES:
        frame = pd.DataFrame(X, columns=["year", "income", "rate"])
        model.fit(frame, y)
        if isinstance(model, BoxScoreClassifier):
            rules = model.rules()
        elif hasattr(model, "boxes_"):
            rules = model.rules(max_boxes=999, max_conditions=99)
        else:
            rules = model.rules(max_conditions=99)
        read = labels_of(str(rules), Table(frame))
        predicted = [repr(label) for label in model.predict(frame).tolist()]
        wrong = np.flatnonzero(read != np.array(predicted))
        assert not len(wrong), (name, wrong, str(rules))


@pytest.fixture(scope="module")
def flights(tmp_path_factory):
    rng = np.random.default_rng(0)
    n = 120
    frame = pd.DataFrame(
        {
            "year": rng.choice(np.arange(1952, 2008, 5), n),
            "income": np.exp(rng.normal(8.5, 1, n)).round(3),
            "carrier": rng.choice(["AS", "HA", "UA"], n),
            "step": 0.1 * rng.integers(0, 9, n),  # 0.30000000000000004 is among them
            "one": 1.0,
        }
    )
    value = frame.income / 1e4 + 0.8 * (frame.carrier == "AS") + (frame.year - 1980) / 50
    frame["late"] = np.where(value + frame.step + 0.2 * rng.normal(size=n) > 1, "yes", "no")
    path = tmp_path_factory.mktemp("flights") / "flights.csv"
    frame.to_csv(path, index=False)
    return frame, str(path)


@pytest.mark.parametrize(
    ("estimator", "parameters"),
    [
        ("dep", {}),
        ("dep", {"monotonic_cst": "auto"}),
        ("rdep", {"ordering": "signed"}),
        ("rdep", {"ordering": "boxes", "dep__beta": 0.5}),
        ("box_score", {"max_conditions": 5, "cv": None}),
        ("competitive", {"max_boxes": 5}),
        ("competitive", {"training": "ccp", "random_state": 0}),
        ("dendrites", {"max_dendrites": 5}),
        ("dendrites", {"training": "divide", "max_depth": 1, "max_dendrites": 5}),
    ],
)
def test_in_the_units_of_a_table_with_categories(flights, estimator, parameters):
    frame, path = flights
    model = fit_table(path, "late", estimator=estimator, **parameters)
    text = model.summary["rules"]
    read = labels_of(text, Table(frame))
    predicted = [repr(label) for label in model.estimator.predict(frame).tolist()]
    assert np.flatnonzero(read != np.array(predicted)).tolist() == [], text


def test_categories_are_read_as_categories(flights):
    frame, path = flights
    rules = fit_table(path, "late", estimator="rdep", ordering="signed").summary["rules"]
    assert "  carrier is not AS" in rules or "  carrier is AS" in rules
    model = fit_table(path, "late", estimator="rdep", ordering="signed")
    explained = explanations(model, frame)
    names = set(explained["dilation_by"]) | set(explained["erosion_by"])
    assert names & {"carrier is AS", "carrier is not AS", "carrier is HA", "carrier is not HA"}
    assert not any("=" in name for name in names)
    assert all(name.isascii() for name in names)


def test_a_short_line_at_a_prompt_and_a_table_in_a_notebook():
    _, X, y = TABLES[3]
    for model in MODELS:
        model.fit(X, y)
        for shown in (model.rules(), model.explain(X)):
            assert len(repr(shown)) < 80
            assert "\n" not in repr(shown)
            assert shown._repr_html_().startswith(("<pre>", "<table", "<div"))
            assert len(shown.to_frame())
        assert len(model.explain(X).to_frame()) == len(X)
        assert len(model.explain(X)._repr_html_()) < 10_000


def test_texts_are_escaped_in_a_notebook():
    _, X, y = TABLES[3]
    frame = pd.DataFrame(X, columns=["<b>", "b", "c"])
    assert "<b>" not in RDEPClassifier("signed").fit(frame, y).rules()._repr_html_()
    assert "<b>" not in RDEPClassifier("signed").fit(frame, y).explain(frame)._repr_html_()
