"""What a rule says is what the model does: its boxes, its text, and what is between the boxes."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError

from rdep import BoxesOrdering, DEPClassifier, RDEPClassifier, dilation, erosion
from rdep.datasets import load_ripley
from rdep.inspection import Box, Condition, Rule

MODELS = [
    DEPClassifier(),
    DEPClassifier(monotonic_cst="auto"),
    RDEPClassifier("signed"),
    RDEPClassifier("boxes"),
    RDEPClassifier("boxes", DEPClassifier(margin=0, C=0)),
    RDEPClassifier("boxes", scale_input=False),
    RDEPClassifier("boxes", scale_ordering=False),
    RDEPClassifier(
        BoxesOrdering(), DEPClassifier(margin=0.1), scale_input=False, scale_ordering=False
    ),
    RDEPClassifier("boxes", DEPClassifier(beta=0.3), class_weight="balanced"),
    RDEPClassifier("boxes", DEPClassifier(monotonic_cst="auto")),
    RDEPClassifier("signed", DEPClassifier(beta=0)),
    RDEPClassifier("signed", DEPClassifier(beta=1)),
]


def ripley():
    X, X_test, y, _ = load_ripley()
    return X, X_test, y


def cancer():
    """Half of it to train on; some of the rest is outside of the ranges of that."""
    X, y = load_breast_cancer(return_X_y=True)
    return X[::2], X[1::2], y[::2]


def far_from_zero():
    """Numbers of which the last few digits matter."""
    X, X_test, y = ripley()
    return 1e6 + 1e-3 * X, 1e6 + 1e-3 * X_test, y


def whole_numbers():
    X, X_test, y = ripley()
    return np.round(5 * X), np.round(5 * X_test), y


DATA = [ripley, cancer, far_from_zero, whole_numbers]
everywhere = pytest.mark.parametrize("load", DATA, ids=lambda load: load.__name__)
of_every_model = pytest.mark.parametrize("model", MODELS, ids=repr)
quiet = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")


def operators(model, X):
    """δ_w and ε_m as they are computed to predict, and what counts as zero."""
    dep = getattr(model, "dep_", model)
    oriented = (X if dep is model else model.reduced_space(X)) * dep.orientation_
    return (
        dilation(oriented, dep.dilation_weights_),
        erosion(oriented, dep.erosion_weights_),
        model._rounding(),
    )


def at_the_bounds(rule, X):
    """Samples moved to every bound in turn, and to the numbers next to it."""
    moved = []
    for box in (rule.positive, rule.negative):
        for condition in (*box.conditions, *box.left_out):
            for bound in (condition.low, condition.high):
                if np.isfinite(bound):
                    rows = X[:20].copy()
                    neighbours = [bound, np.nextafter(bound, np.inf), np.nextafter(bound, -np.inf)]
                    rows[:, condition.index] = np.resize(neighbours, len(rows))
                    moved.append(rows)
    return np.vstack(moved)


@everywhere
@of_every_model
@quiet
def test_the_boxes_are_exact(load, model):
    X, X_test, y = load()
    rule = model.fit(X, y).rules()
    for samples in (X, X_test, at_the_bounds(rule, X)):
        dilated, eroded, rounding = operators(model, samples)
        inside_e, inside_d = rule.positive.contains(samples), rule.negative.contains(samples)
        assert np.array_equal(inside_e, eroded >= -rounding)
        assert np.array_equal(inside_d, dilated < -rounding)
        positive = model.predict(samples) == rule.classes[1]
        assert positive[inside_e & ~inside_d].all()
        assert not positive[inside_d & ~inside_e].any()
        if rule.beta == 0:
            assert np.array_equal(positive, inside_e)
        if rule.beta == 1:
            assert np.array_equal(positive, ~inside_d)


@everywhere
@of_every_model
@quiet
def test_what_is_left_out_changes_no_training_sample(load, model):
    X, _, y = load()
    rule = model.fit(X, y).rules()
    for box in (rule.positive, rule.negative):
        shown = np.all([c.holds(X) for c in box.conditions] or [np.ones(len(X), bool)], axis=0)
        assert np.array_equal(shown, box.contains(X))
        for condition in box.left_out:
            assert condition.holds(X).all()
        for condition in box.conditions:
            if condition.training_range is not None:
                assert not condition.holds(X).all()


@everywhere
@of_every_model
@quiet
def test_between_the_boxes_the_last_sentence_decides(load, model):
    """Computed again from the bounds alone, in the units that the sentence says."""
    X, X_test, y = load()
    rule = model.fit(X, y).rules()
    for samples in (X, X_test):
        excess, shortfall = np.full((2, len(samples)), -np.inf)
        for condition in (*rule.negative.conditions, *rule.negative.left_out):
            unit = condition.scale if rule.standardised else 1.0
            values = samples[:, condition.index]
            over = np.maximum(values - condition.high, condition.low - values) / unit
            excess = np.maximum(excess, over)
        for condition in (*rule.positive.conditions, *rule.positive.left_out):
            unit = condition.scale if rule.standardised else 1.0
            values = samples[:, condition.index]
            under = np.maximum(condition.low - values, values - condition.high) / unit
            shortfall = np.maximum(shortfall, under)
        value = rule.beta * excess - (1 - rule.beta) * shortfall
        clear = np.abs(value) > 1e-6
        positive = model.predict(samples) == rule.classes[1]
        assert clear.mean() > 0.5
        assert np.array_equal(positive[clear], value[clear] > 0)


CONDITION = re.compile(r"^  (?:(\S+) ([≤<]) )?x(\d+)(?: ([≤<≥>]) (\S+))?$", re.MULTILINE)
MEANS = {"<": np.less, "≤": np.less_equal, ">": np.greater, "≥": np.greater_equal}


def inside_by_text(text, X):
    inside = np.ones(len(X), dtype=bool)
    for low, at_low, feature, at_high, high in CONDITION.findall(text):
        values = X[:, int(feature)]
        if low:
            inside &= MEANS[at_low](float(low), values)
        if high:
            inside &= MEANS[at_high](values, float(high))
    return inside


@pytest.mark.parametrize("load", [ripley, cancer, whole_numbers], ids=lambda load: load.__name__)
@of_every_model
@quiet
def test_the_numbers_in_the_text_put_every_training_sample_on_its_side(load, model):
    X, _, y = load()
    rule = model.fit(X, y).rules(max_conditions=X.shape[1])
    parts = [part for part in str(rule).split("\n\n") if part.startswith("Box of ")]
    assert [part.split(",")[0].split(":")[0] for part in parts] == {
        0: ["Box of 1"],
        1: ["Box of 0"],
    }.get(rule.beta, ["Box of 1", "Box of 0"])
    boxes = {"Box of 1": rule.positive, "Box of 0": rule.negative}
    for part in parts:
        box = boxes[part[:8]]
        assert len(CONDITION.findall(part)) == len(box.conditions)
        assert np.array_equal(inside_by_text(part, X), box.contains(X))


def test_the_text_by_name_and_in_the_units_of_the_data():
    X = pd.DataFrame({"age": np.arange(20.0, 60.0), "height": np.arange(40.0) % 7 / 100 + 1.6})
    y = np.where((X["age"] >= 30) & (X["age"] < 45), "yes", "no")
    model = RDEPClassifier("boxes", DEPClassifier.paper(beta=0.25)).fit(X, y)
    assert (
        str(model.rules())
        == """\
Box of 'yes', where all of these hold:
  30 ≤ age ≤ 44
  (left out: 2 bounds that no training sample violates)

Box of 'no', where all of these hold:
  1.62 < height < 1.65
  age > 29
  (left out: 1 bound that no training sample violates)

In the box of 'yes' only: 'yes'. In the box of 'no' only: 'no'.
Otherwise: 'yes' if 0.25 × excess ≥ 0.75 × shortfall, else 'no', where

excess over the bounds of 'no' is the largest of
  (1.62 − height) / 0.019645
  (height − 1.65) / 0.019645
  (29 − age) / 11.543
  (age − 59) / 11.543

shortfall from the bounds of 'yes' is the largest of
  (30 − age) / 11.543
  (age − 44) / 11.543
  (1.6 − height) / 0.019645
  (height − 1.66) / 0.019645"""
    )
    one_box = model.set_params(dep__beta=0).fit(X, y).rules()
    assert (
        str(one_box)
        == """\
Box of 'yes', where all of these hold:
  30 ≤ age ≤ 44
  (left out: 2 bounds that no training sample violates)

β = 0: 'yes' inside the box, 'no' outside."""
    )


NONE = np.nan


@pytest.mark.parametrize(
    ("low", "high", "closed", "near", "expected"),
    [
        (2.9999999, np.inf, True, [[2, 3], [NONE, NONE]], "age ≥ 3"),
        (2.9999999, np.inf, True, [[2, 2.99999995], [NONE, NONE]], "age ≥ 2.9999999"),
        (3.0000001, np.inf, True, [[3, 4], [NONE, NONE]], "age > 3"),
        (-np.inf, 2.9999999, False, [[NONE, NONE], [3, 2]], "age < 3"),
        (-np.inf, 3.0000001, False, [[NONE, NONE], [4, 3]], "age ≤ 3"),
        (3.0, np.inf, True, [[2, 3], [NONE, NONE]], "age ≥ 3"),
        (-np.inf, 3.0, False, [[NONE, NONE], [3, 2]], "age < 3"),
        (-1e-9, 1234.5678901, True, [[-1, 0], [1235, 1234.5678]], "0 ≤ age < 1234.568"),
        (-1e-9, 1234.5678901, True, [[-1, 0], [1234.56795, 1234.5678]], "0 ≤ age < 1234.5679"),
    ],
)
def test_numbers_are_rounded_and_relations_go_with_them(low, high, closed, near, expected):
    """Whether the number printed meets the condition is said of that number.

    Between the nearest samples on both sides it is as short as it can be.
    """
    condition = Condition("age", 0, low, high, closed, scale=1.0)
    assert str(condition.shown_for(np.array(near, dtype=float))) == expected
    assert "age" in str(condition)


def test_one_bound_for_each_coordinate():
    X, _, y = cancer()
    rule = RDEPClassifier("boxes").fit(X, y).rules()
    for box in (rule.positive, rule.negative):
        assert sum(c.n_bounds for c in box.conditions) + box.n_left_out == 60
    text = str(rule)
    for box in (rule.positive, rule.negative):
        n = len(box.conditions)
        assert f"… and {n - 10} more: rules(max_conditions={n}) shows all" in text
        assert f"(left out: {box.n_left_out} bounds that no training sample violates)" in text
        shares = [condition.kept_share for condition in box.conditions]
        assert shares == sorted(shares)
    assert "more:" not in str(RDEPClassifier("boxes").fit(X, y).rules(max_conditions=30))


def test_empty_boxes_and_boxes_without_bounds():
    impossible = Box((Condition("x0", 0, 5.0, 3.0, True),))
    everything = Box((), (Condition("x0", 0, -9.0, np.inf, False),))
    text = str(Rule((0, 1), impossible, everything, 0.5, False))
    assert "Box of 1, which is empty: no sample can satisfy all of these:\n  5 ≤ x0 ≤ 3" in text
    assert "Box of 0: every training sample is inside\n  (left out: 1 bound that" in text
    assert not impossible.contains([[4.0]]).any()
    assert everything.contains([[4.0], [-10.0]]).tolist() == [True, False]


def test_other_orderings_have_none():
    X, _, y = ripley()
    with pytest.raises(ValueError, match="not EnsembleOrdering"):
        RDEPClassifier("ensemble").fit(X, y).rules()


def test_nothing_to_tell_before_a_fit():
    with pytest.raises(NotFittedError):
        RDEPClassifier("boxes").rules()


def iris():
    flowers = load_iris(as_frame=True)
    return flowers.data, flowers.target_names[flowers.target]


@of_every_model
@quiet
def test_of_more_classes_the_greatest_value_of_their_rules_decides(model):
    """Decision values computed again from the bounds alone, in the units that the text says."""
    X, y = iris()
    rules = model.fit(X, y).rules().by_class
    assert list(rules) == list(model.classes_)
    values = []
    for label, rule in rules.items():
        assert rule.classes == ("the rest", label)
        excess, shortfall = (
            np.max([beyond(c, X, rule) for c in (*box.conditions, *box.left_out)], axis=0)
            for box in (rule.negative, rule.positive)
        )
        values.append(rule.beta * excess - (1 - rule.beta) * shortfall)
    values = np.column_stack(values)
    clear = np.diff(np.sort(values, axis=1)[:, -2:], axis=1).ravel() > 1e-6
    assert clear.mean() > 0.5
    assert np.array_equal(model.predict(X)[clear], model.classes_[values.argmax(axis=1)][clear])


def beyond(condition, X, rule):
    """How far outside of the condition samples are; negative inside."""
    values = X.to_numpy()[:, condition.index]
    unit = condition.scale if rule.standardised else 1.0
    return np.maximum(condition.low - values, values - condition.high) / unit


def test_the_text_of_more_classes_shows_the_boxes_that_count():
    X, y = iris()
    text = str(RDEPClassifier("boxes", DEPClassifier(beta=0)).fit(X, y).rules())
    assert re.findall("^.* against the rest, value .*$", text, re.MULTILINE) == [
        f"'{name}' against the rest, value −shortfall"
        for name in ("setosa", "versicolor", "virginica")
    ]
    assert "Box of 'virginica', where all of these hold:\n" in text
    assert "Box of the rest" not in text
    text = str(RDEPClassifier("boxes", DEPClassifier(beta=1)).fit(X, y).rules())
    assert text.count("\n\nBox of the rest") == 3
    assert "Box of 'virginica'" not in text
    assert text.endswith("are equal; then the first class is predicted.")


def test_an_ordering_by_members_has_no_rules_for_more_classes():
    X, y = iris()
    with pytest.raises(ValueError, match="ordering of the features"):
        RDEPClassifier("ensemble").fit(X, y).rules()


@pytest.mark.parametrize("ordering", [None, "signed", "boxes"])
def test_values_next_to_the_bounds_are_those_of_the_conditions(ordering):
    """Found for all features at once in the fit, and one condition after the other here."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(80, 5)), 1)
    X[:, 3] = 1.0
    y = X[:, 0] + rng.normal(size=80) > 0
    model = DEPClassifier() if ordering is None else RDEPClassifier(ordering)
    rule = model.fit(X, y)._rule(np.arange(5), 1)
    expected = [rule.positive.nearest_values(X), rule.negative.nearest_values(X)]
    np.testing.assert_array_equal(model.bound_values_, expected)
