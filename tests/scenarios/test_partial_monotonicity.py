"""Models with constrained and free features: monotone by construction, whatever reads them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from rdep import (
    DEPClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    LinearDEPClassifier,
    MorphologicalPerceptron,
    RDEPClassifier,
    RitterSussnerClassifier,
)
from rdep.guarantees import counterfactual, robustness_radius
from rdep.model_files import load_model, save_model
from rdep.onnx._classifiers import decision_values

from ..onnx.running import run_graph

NAMES = ["up", "down", "flag", "band", "free"]
SIGNS = np.array([1, -1, 0, 0, 0])
MODELS = {
    "dep": DEPClassifier(monotonic_cst=SIGNS),
    "joint": DEPClassifier(monotonic_cst=SIGNS, joint=True),
    "cv": DEPClassifierCV(DEPClassifier(monotonic_cst=SIGNS), Cs=[0.1, 0.01], margins=[0.5], cv=3),
    "perceptron": MorphologicalPerceptron("erosion", monotonic_cst=SIGNS),
    "signed": RDEPClassifier("signed", monotonic_cst=SIGNS),
    "boxes": RDEPClassifier("boxes", monotonic_cst=SIGNS),
    "mixed": RDEPClassifier(monotonic_cst=SIGNS, random_state=0),
    "in-sample": RDEPClassifier(EnsembleOrdering(stack=True, shrinkage=0.3), monotonic_cst=SIGNS),
    "unscaled": RDEPClassifier(
        EnsembleOrdering(cv=3), monotonic_cst=SIGNS, scale_input=False, scale_ordering=False
    ),
}


def table(n=300, seed=0):
    """Classes that grow with ``up``, fall with ``down``, and lie in a band of ``band``."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    X[:, 2] = X[:, 2] > 0
    value = X[:, 0] - X[:, 1] + 1.5 * (np.abs(X[:, 3]) < 0.7) - 0.7 * X[:, 2]
    return X, (value + rng.normal(scale=0.3, size=n) > 0.3).astype(int)


X, Y = table()


@pytest.fixture(scope="module")
def fitted():
    return {name: clone(model).fit(X, Y) for name, model in MODELS.items()}


@pytest.mark.filterwarnings("ignore::rdep.exceptions.ExtremeValueWarning")
@pytest.mark.parametrize("name", MODELS)
def test_no_pair_violates_the_constraints(fitted, name):
    rng = np.random.default_rng(1)
    n_pairs = 100_000 if name in ("dep", "boxes", "mixed") else 5000
    low = rng.normal(scale=2.0, size=(n_pairs, 5))
    high = low.copy()
    constrained = SIGNS != 0
    steps = rng.exponential(size=(n_pairs, 2)) * (rng.random((n_pairs, 2)) < 0.7)
    high[:, constrained] += SIGNS[constrained] * steps
    values = [fitted[name].decision_function(part) for part in (low, high)]
    assert (values[0] <= values[1]).all()
    assert (values[0] < values[1]).any()  # the constrained features count


@pytest.mark.parametrize("name", ["dep", "boxes", "mixed"])
def test_free_features_may_rise_and_fall(name):
    """Along the band, the class changes twice: no monotone function follows."""
    in_the_band = (np.abs(X[:, 3]) < 0.8).astype(int)
    model = clone(MODELS[name]).fit(X, in_the_band)
    left, centre, right = (X.copy() for _ in range(3))
    left[:, 3], centre[:, 3], right[:, 3] = -2.0, 0.0, 2.0
    values = [model.decision_function(part) for part in (left, centre, right)]
    assert ((values[1] > values[0]) & (values[1] > values[2])).mean() > 0.5


def test_coordinates_of_a_dep(fitted):
    dep = fitted["dep"]
    assert dep.features_.tolist() == [0, 1, 2, 3, 4, 3, 4]  # the flag needs one bound
    assert dep.orientation_.tolist() == [1, -1, -1, 1, 1, -1, -1]
    coordinates = X[:, dep.features_] * dep.orientation_
    values = dep.beta_ * (coordinates + dep.dilation_weights_).max(axis=1)
    values += (1 - dep.beta_) * (coordinates + dep.erosion_weights_).min(axis=1)
    assert dep.decision_function(X) == pytest.approx(values, abs=1e-12)


def test_absent_rows_and_weights_of_zero_are_the_same():
    """A third value of the flag in a row that does not count does not double it."""
    rows = np.vstack([X, X[:1] + 0.5])
    weights = np.append(np.ones(len(X)), 0.0)
    for model in (DEPClassifier(monotonic_cst=SIGNS), RDEPClassifier("boxes", monotonic_cst=SIGNS)):
        values = [
            model.fit(X, Y).decision_function(X),
            model.fit(rows, np.append(Y, 0), weights).decision_function(X),
        ]
        assert values[0] == pytest.approx(values[1], abs=1e-12)


@pytest.mark.parametrize("name", ["dep", "boxes", "mixed"])
def test_names_and_positions_are_the_same(fitted, name):
    frame = pd.DataFrame(X, columns=NAMES)
    by_name = {"up": 1, "down": -1}
    if name == "dep":
        by_name |= dict.fromkeys(NAMES[2:], 0)
    named = type(MODELS[name])(**{**MODELS[name].get_params(deep=False), "monotonic_cst": by_name})
    values = named.fit(frame, Y).decision_function(frame)
    assert values == pytest.approx(fitted[name].decision_function(X), abs=1e-6)


def test_no_member_sees_a_constrained_feature(fitted):
    model = fitted["mixed"]
    assert model.ordering_.n_features_in_ == 3
    changed = X.copy()
    changed[:, :2] = 0.0
    members = model.reduced_space(X)[:, :-2], model.reduced_space(changed)[:, :-2]
    assert np.array_equal(*members)


def test_the_stack_has_the_same_share_in_all_coordinates(fitted):
    """The decision is the DEP, trained on members and features, plus a multiple of the stack."""
    model = fitted["mixed"]
    rho, dep = model.reduced_space(X), model.dep_
    plain = model.ordering_._decision_values(np.delete(model._scaled(X), [0, 1], axis=1))
    plain = model.ordering_._with_stack(plain) / model.ordering_._deviations()
    own = model._scaled(X)[:, :2] * SIGNS[:2]
    without = model._scaled_values(np.hstack([plain, own]))
    share = rho[:, -1] - without[:, -1]
    assert share.std() > 0.1
    assert dep.decision_function(rho) == pytest.approx(
        dep.decision_function(without) + share, abs=1e-6
    )


@pytest.mark.parametrize("name", MODELS)
def test_files_and_graphs(fitted, name, tmp_path):
    model = fitted[name]
    save_model(model, tmp_path / "model.rdep")
    values = model.decision_function(X)
    assert np.array_equal(load_model(tmp_path / "model.rdep").decision_function(X), values)
    of_graph = run_graph(lambda graph, rows: decision_values(graph, model, rows), X)
    assert of_graph[:, 0] == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("name", MODELS)
def test_explanations_add_up_and_rules_decide_alike(fitted, name):
    model = fitted[name]
    if name == "perceptron":
        assert "band" not in model.summary()
        return
    explained = model.explain(X)
    assert np.sign(explained.decision) == pytest.approx(np.sign(model.decision_function(X)))
    assert len(explained.names) == len(model._fitted_operators().features)
    model.summary()
    if name in ("mixed", "in-sample", "unscaled"):
        assert explained.names[-2:].tolist() == ["x0", "-x1"]
        assert not hasattr(model, "n_conditions_")
        return
    rule = model.rules()
    in_positive, in_negative = rule.positive.contains(X), rule.negative.contains(X)
    predicted = model.predict(X)
    assert (predicted[in_positive & ~in_negative] == 1).all()
    assert (predicted[in_negative & ~in_positive] == 0).all()
    assert model.n_conditions_ > 0
    # Constrained features have bounds on one side only.
    for box, is_open in ((rule.positive, ("high", "low")), (rule.negative, ("low", "high"))):
        for condition in (*box.conditions, *box.left_out):
            if condition.index < 2:
                assert np.isinf(getattr(condition, is_open[condition.index]))


@pytest.mark.parametrize("name", ["dep", "perceptron", "signed", "boxes", "mixed"])
def test_radii_hold_and_exact_ones_are_reached(fitted, name):
    model = fitted[name]
    found = robustness_radius(model, X[:30])
    assert found.exact.all() == (name != "mixed")
    codes, rng = model.predict(X[:30]), np.random.default_rng(2)
    for _ in range(300):
        inside = X[:30] + found.radii[:, None] * rng.choice([-0.999999, 0.0, 0.999999], (30, 5))
        assert (model.predict(inside) == codes).all()
    if name != "mixed":
        flips = found.flips
        assert np.abs(flips - X[:30]).max(axis=1) == pytest.approx(found.radii, rel=1e-6, abs=1e-9)
        assert (model.predict(flips) != codes).all()
        nearest = counterfactual(model, X[:1])
        assert model.predict(nearest.samples)[0] != codes[0]


def test_certificates_count_coordinates():
    model = DEPClassifier(monotonic_cst=[1, 0]).fit(X[:60, [0, 3]], Y[:60])
    certificates = model.certify(X[:60, [0, 3]], Y[:60], time_limit=1.0)
    assert all(len(found.best_weights) == 3 for found in certificates.values())


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RDEPClassifier(monotonic_cst=[1] * 5), "none is left for the ordering"),
        (RDEPClassifier(monotonic_cst={"up": 1}), "no feature names"),
        (RDEPClassifier(monotonic_cst=[1, 2, 0, 0, 0]), "and 0 \\(free\\)"),
        (RDEPClassifier(monotonic_cst=[1, 0]), r"shape \(2,\), but X has 5 features"),
        (
            RDEPClassifier("boxes", LinearDEPClassifier(), monotonic_cst=SIGNS),
            "increasing in every coordinate",
        ),
        (
            RDEPClassifier("boxes", RitterSussnerClassifier(boxes=True), monotonic_cst=SIGNS),
            "increasing in every coordinate",
        ),
        (
            RDEPClassifier("boxes", DEPClassifier(monotonic_cst="auto"), monotonic_cst=SIGNS),
            "increasing in every coordinate",
        ),
    ],
)
def test_mistakes(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)
