from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import (
    BoxScoreClassifier,
    CompetitiveClassifier,
    DEPClassifier,
    LinearDEPClassifier,
    RDEPClassifier,
)
from rdep.guarantees import NoCertificateError, counterfactual, robustness_radius

NAMES = ["income", "age", "children", "red", "green", "blue"]
COLOURS = ["red", "green", "blue"]
LIMITS = {"income": (-4.0, 4.0), "age": (-3.0, 3.0), "children": (-9, 9)}
MODELS = [
    DEPClassifier(monotonic_cst="auto"),
    RDEPClassifier("boxes"),
    LinearDEPClassifier((2, 2)),
    BoxScoreClassifier(6, max_faces=2, cv=None),
    make_pipeline(StandardScaler(), DEPClassifier(monotonic_cst="auto")),
    make_pipeline(StandardScaler(), BoxScoreClassifier(6, max_faces=2, cv=None)),
]
pytestmark = pytest.mark.filterwarnings("ignore:Degenerate")


def table(n=150):
    """Two numbers, a whole number and a category, as a data frame."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    X[:, 2] = rng.integers(-4, 5, n)
    X[:, 3:] = np.eye(3)[rng.integers(0, 3, n)]
    y = X[:, 0] - 0.5 * X[:, 1] + 0.4 * X[:, 2] + X[:, 3] - X[:, 4] > 0.3 * rng.normal(size=n)
    return pd.DataFrame(X, columns=NAMES), y.astype(int)


def named(model):
    return type(model).__name__ + (
        " " + type(model[-1]).__name__ if hasattr(model, "steps") else ""
    )


@pytest.mark.parametrize("model", MODELS, ids=named)
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_conditions_are_met_and_nothing_is_nearer(model, sparse):
    """Nothing nearer on a grid of half units, which any rival answer could be on."""
    X, y = table()
    model.fit(X, y)
    rows = X[:6]
    found = counterfactual(
        model, rows, sparse=sparse, ranges=LIMITS, integers=["children"], categories=[COLOURS],
        fixed=["age"],
    )  # fmt: skip
    assert found.found.any()
    predicted = model.predict(rows)
    for i in np.flatnonzero(found.found):
        answer, row = found.samples[i], rows.to_numpy()[i]
        assert model.predict(pd.DataFrame([answer], columns=NAMES)) != predicted[i]
        assert answer[1] == row[1]
        assert answer[2] == round(answer[2])
        assert sorted(answer[3:]) == [0, 0, 1]
        assert abs(answer[0]) <= 4
        assert found.n_moved[i] == (answer != row).sum()
        assert found.distances[i] == pytest.approx(np.abs(answer - row).max())
    steps = np.arange(-8, 8.5, 0.5)
    whole = np.arange(-9, 10)
    for i, row in enumerate(rows.to_numpy()):
        others = [
            [row[0] + step, row[1], number, *colour]
            for step, number, colour in product(steps, whole, np.eye(3))
            if abs(row[0] + step) <= 4
        ]
        others = np.array(others)
        flipped = model.predict(pd.DataFrame(others, columns=NAMES)) != predicted[i]
        if not found.found[i]:
            assert not flipped.any()
            continue
        moved = np.abs(others[flipped] - row)
        if sparse:
            assert ((moved > 0).sum(axis=1) >= found.n_moved[i]).all()
            moved = moved[(moved > 0).sum(axis=1) == found.n_moved[i]]
        assert (moved.max(axis=1) >= found.distances[i] * (1 - 1e-9)).all()


@pytest.mark.parametrize("model", MODELS[:4], ids=named)
def test_without_conditions_it_is_the_flip_of_the_radius(model):
    X, y = table()
    model.fit(X, y)
    found = counterfactual(model, X[:4])
    assert found.distances == pytest.approx(robustness_radius(model, X[:4]).radii, rel=1e-8)
    wide = dict.fromkeys(NAMES, (-1e3, 1e3))
    assert counterfactual(model, X[:4], ranges=wide).distances == pytest.approx(
        found.distances, rel=1e-6
    )


def test_one_feature_alone_if_one_is_enough():
    """By brute force: the distance along each single feature of a DEP."""
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    X = rng.normal(size=(80, 4)) + y[:, None]
    dep = DEPClassifier().fit(X, y)
    found = counterfactual(dep, X[:8], sparse=True, ranges={f"x{j}": (-9, 9) for j in range(4)})
    for i in range(8):
        ends = np.tile(X[i], (8, 1))
        ends[np.arange(8), np.arange(8) % 4] = np.repeat([-9, 9], 4)
        alone = (dep.predict(ends) != dep.predict(X[i : i + 1])).any()
        assert (found.n_moved[i] == 1) == alone


def test_competitive_boxes():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 2)) + 2 * y[:, None]
    model = CompetitiveClassifier("ccp", random_state=0).fit(X, y)
    found = counterfactual(model, X[:3], ranges={"x0": (-5, 5)}, fixed=["x1"])
    assert found.found.any()
    assert (model.predict(found.samples[found.found]) != model.predict(X[:3])[found.found]).all()
    assert (found.samples[found.found, 1] == X[:3][found.found, 1]).all()


def test_three_classes():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 3)) + y[:, None]
    model = LinearDEPClassifier((2, 2)).fit(X, y)
    found = counterfactual(model, X[:4], fixed=["x2"])
    assert found.found.all()
    assert (model.predict(found.samples) != model.predict(X[:4])).all()
    steps = np.random.default_rng(0).uniform(-1, 1, (2000, 1, 2))
    moved = np.tile(X[:4], (2000, 1, 1))
    moved[:, :, :2] += steps * found.distances[:, None] * (1 - 1e-6)
    predicted = model.predict(moved.reshape(-1, 3)).reshape(2000, 4)
    assert (predicted == model.predict(X[:4])).all()


def test_a_tie_at_a_whole_number_hides_no_other_one():
    """Positive from 3 on: the nearest whole number below is 2."""
    X, y = table()
    model = LinearDEPClassifier((1, 1)).fit(X, y)
    lines = {"dilation_coef": np.eye(1, 6, 2), "dilation_intercept": np.array([-3.0])}
    lines |= {"erosion_coef": np.zeros((1, 6)), "erosion_intercept": np.zeros(1)}
    model.result_ = replace(model.result_, **lines)
    for name, value in lines.items():
        setattr(model, f"{name}_", value)
    row = X[:1].assign(children=5.0)
    assert model.predict(row.assign(children=3.0)) == [1]
    found = counterfactual(model, row, integers=["children"], ranges=LIMITS)
    assert found.samples[0, 2] == 2


def test_none_within_the_ranges_is_said():
    X, y = table()
    dep = DEPClassifier(monotonic_cst="auto").fit(X, y)
    narrow = {name: (X[name][0], X[name][0]) for name in NAMES}
    with pytest.warns(UserWarning, match="found no sample within the ranges .* sample 0: widen"):
        found = counterfactual(dep, X[:1], ranges=narrow)
    assert not found.found[0]
    assert np.isnan(found.samples).all()
    assert found.distances.tolist() == [np.inf]
    assert found.n_moved.tolist() == [0]


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        (
            {"ranges": {"age": (50, 60)}},
            "ranges exclude sample 0: its feature 'age' is .* 50 to 60",
        ),
        ({"ranges": {"agee": (0, 1)}}, r"ranges names features that X does not have: \['agee'\]"),
        ({"fixed": ["colour"]}, r"fixed names features that X does not have: \['colour'\]"),
        ({"integers": ["age"]}, "integers name the feature 'age', which is .* in sample 0"),
        ({"categories": [["red", "green"]]}, "exactly one feature of a group of categories"),
        ({"scale": {"age": 0.0}}, "scale must hold positive finite numbers"),
    ],
)
def test_bad_conditions_are_refused(conditions, words):
    X, y = table()
    dep = DEPClassifier(monotonic_cst="auto").fit(X, y)
    rows = X[X["blue"] == 1]
    with pytest.raises(ValueError, match=words):
        counterfactual(dep, rows, **conditions)


def test_models_with_bounds_alone_are_refused():
    X, y = table()
    model = RDEPClassifier("ensemble").fit(X, y)
    with pytest.raises(NoCertificateError, match="no certificate for counterfactuals of a RDEPC"):
        counterfactual(model, X[:1])
