"""Missing values inside a model: they take no part in a maximum or a minimum, from fit to file."""

import io

import numpy as np
import pandas as pd
import pytest
from onnxruntime import InferenceSession
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.utils import get_tags

from rdep import (
    BoxScoreClassifier,
    DEPClassifier,
    DEPClassifierCV,
    LinearDEPClassifier,
    MorphologicalPerceptron,
    RDEPClassifier,
)
from rdep.explorer import to_html
from rdep.explorer._columns import packed
from rdep.explorer._page import _payload
from rdep.guarantees import counterfactual, robustness_radius
from rdep.model_files import load_model, save_model
from rdep.onnx._classifiers import decision_values
from rdep.tables import TableModel, fit_table
from rdep.training import _descend as descend_module

from ..cli.command import rdep_here
from ..onnx.running import run_graph

MODELS = {
    "dep": DEPClassifier(monotonic_cst="auto"),
    "free": DEPClassifier(monotonic_cst=[0] * 8, C=0.01),
    "paper": DEPClassifier.paper(monotonic_cst="auto"),
    "joint": DEPClassifier(monotonic_cst="auto", joint=True),
    "held out": DEPClassifier(monotonic_cst="auto", beta_holdout=0.3, random_state=0),
    "starts": DEPClassifier(monotonic_cst="auto", n_init=3, reference="mean", random_state=0),
    "auto start": DEPClassifier(monotonic_cst="auto", n_init="auto"),
    "cv": DEPClassifierCV(DEPClassifier(monotonic_cst="auto"), Cs=[0.1, 0.01], margins=[0.5], cv=3),
    "perceptron": MorphologicalPerceptron(monotonic_cst="auto"),
    "signed": RDEPClassifier("signed"),
    "boxes": RDEPClassifier("boxes"),
    "partial": RDEPClassifier("boxes", monotonic_cst=[-1, 0, 0, -1, 0, 0, 0, 0]),
}


def gappy(share=0.2, n=200, seed=0):
    """Standardised samples with gaps; the first four have no value at all."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:n, :8]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    X[:4] = np.nan
    return X, y[:n]


X, Y = gappy()


@pytest.fixture(scope="module")
def fitted():
    return {name: clone(model).fit(X, Y) for name, model in MODELS.items()}


def value_by_hand(model, x):
    """The definition, in plain Python: coordinates with a value only."""
    dep = model if hasattr(model, "dilation_weights_") else model.dep_
    known = ~np.isnan(x)
    if not known.any():
        return dep.prior_
    above = max(x[j] + dep.dilation_weights_[j] for j in np.flatnonzero(known))
    below = min(x[j] + dep.erosion_weights_[j] for j in np.flatnonzero(known))
    return dep.beta_ * above + (1 - dep.beta_) * below


@pytest.mark.parametrize("name", [name for name in MODELS if name != "perceptron"])
def test_the_definition(fitted, name):
    model = fitted[name]
    if isinstance(model, RDEPClassifier):
        rows = model.reduced_space(X)
    else:
        inner = getattr(model, "dep_", model)
        rows = X[:, inner.features_] * inner.orientation_
    by_hand = [value_by_hand(model, row) for row in rows]
    assert model.decision_function(X) == pytest.approx(by_hand, abs=1e-9)


def test_a_perceptron_has_one_operator(fitted):
    model = fitted["perceptron"]
    values = np.nanmax(X[4:] * model.orientation_ + model.weights_, axis=1)
    assert model.decision_function(X[4:]) == pytest.approx(values)
    assert (model.decision_function(X[:4]) == model.prior_).all()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "model", [DEPClassifier(), MorphologicalPerceptron("erosion"), RDEPClassifier("boxes")]
)
def test_without_any_value_the_prior_decides(model):
    nothing = np.full((1, 8), np.nan)
    rows, y = X[4:], Y[4:]
    for class_weight, weights, expected in (
        (None, None, int(y.mean() > 0.5)),
        ({0: 1.0, 1: 50.0}, None, 1),
        ({0: 50.0, 1: 1.0}, None, 0),
        (None, np.where(y == 1, 9.0, 1.0), 1),
        (None, np.where(y == 1, 0.1, 1.0), 0),
        ("balanced", None, 1),  # zero is positive
    ):
        made = clone(model).set_params(class_weight=class_weight)
        assert made.fit(rows, y, weights).predict(nothing)[0] == expected
    # Training samples without any value tell more than all the others.
    for label in (0, 1):
        empty, of_empty = np.vstack([rows, np.full((20, 8), np.nan)]), np.append(y, [label] * 20)
        assert clone(model).fit(empty, of_empty).predict(nothing)[0] == label


def test_the_prior_is_the_log_ratio_in_units_of_spread():
    model = DEPClassifier(monotonic_cst="auto").fit(X, Y)
    valued = X[4:]
    spread = np.sqrt(np.nanvar(valued, axis=0).mean())
    counts = np.array([(1 - Y).sum(), Y.sum()])
    none = np.array([(1 - Y)[:4].sum(), Y[:4].sum()])
    ratio = np.divide(*(none + 0.01 * counts)[::-1])
    assert model.prior_ == pytest.approx(spread * np.log(ratio))
    complete = DEPClassifier(monotonic_cst="auto").fit(np.nan_to_num(X), Y)
    assert np.sign(complete.prior_) == np.sign(np.log(Y.sum() / (1 - Y).sum()))


def test_one_operator_decides_alone_if_the_other_has_no_value():
    model = DEPClassifier(monotonic_cst="auto").fit(X, Y)
    model.dilation_weights_ = model.dilation_weights_.copy()
    model.dilation_weights_[:4] = -np.inf
    rows = np.full((2, 8), np.nan)
    rows[:, 0], rows[1, 5] = [0.3, -0.2], 0.7
    oriented = rows * model.orientation_
    alone = oriented[0, 0] + model.erosion_weights_[0]
    both = model.beta_ * (oriented[1, 5] + model.dilation_weights_[5]) + (
        1 - model.beta_
    ) * np.nanmin(oriented[1] + model.erosion_weights_)
    assert model.decision_function(rows) == pytest.approx([alone, both])
    explained = model.explain(rows)
    assert explained.decision == pytest.approx([alone, both])
    assert explained.dilation_by.tolist() == ["no value", "x5"]
    with pytest.raises(ValueError, match="no certificate for samples with missing values"):
        robustness_radius(model, rows)


def test_samples_without_any_value_leave_the_training():
    for name in ("dep", "joint", "boxes"):
        whole, rest = (clone(MODELS[name]).fit(X[rows:], Y[rows:], None) for rows in (0, 4))
        values = whole.decision_function(X[4:])
        assert values == pytest.approx(rest.decision_function(X[4:]), abs=1e-9)


@pytest.mark.parametrize("name", ["dep", "paper", "joint", "boxes"])
def test_rows_in_another_order_and_repeated_rows(name):
    order = np.random.default_rng(1).permutation(len(X))
    model = clone(MODELS[name]).fit(X, Y)
    permuted = clone(MODELS[name]).fit(X[order], Y[order])
    assert permuted.decision_function(X) == pytest.approx(model.decision_function(X), abs=1e-9)
    weights = np.random.default_rng(2).integers(0, 3, len(X))
    repeated = clone(MODELS[name]).fit(np.repeat(X, weights, axis=0), np.repeat(Y, weights))
    weighted = clone(MODELS[name]).fit(X, Y, weights)
    assert repeated.decision_function(X) == pytest.approx(weighted.decision_function(X), abs=1e-9)


@pytest.mark.parametrize("name", ["dep", "free", "paper", "starts"])
def test_both_forms_of_training_agree(fitted, name, monkeypatch):
    monkeypatch.setattr(descend_module, "_core", None)
    plain = clone(MODELS[name]).fit(X, Y)
    for attribute in ("dilation_result_", "erosion_result_"):
        compiled, by_numpy = (getattr(model, attribute) for model in (fitted[name], plain))
        assert by_numpy.objective == pytest.approx(compiled.objective, rel=1e-9)
        assert by_numpy.weights == pytest.approx(compiled.weights, abs=1e-9)


def objective(model, operator):
    """The training objective with missing values left out, from its definition."""
    rows, y = (X[4:] * model.orientation_), Y[4:]
    weights = getattr(model, f"{operator}_weights_")
    values = (np.nanmax if operator == "dilation" else np.nanmin)(rows + weights, axis=1)
    margin = 0.5 * np.sqrt(np.nanvar(X[4:], axis=0).mean())
    losses = np.maximum(margin - np.where(y == 1, 1, -1) * values, 0)
    if operator == "dilation":
        reference = -(np.nanmax(rows[y == 0], axis=0) + margin)
    else:
        reference = -(np.nanmin(rows[y == 1], axis=0) - margin)
    penalty = model.C * np.abs(weights - reference).sum()
    return losses[y == 1].mean() + losses[y == 0].mean() + penalty


@pytest.mark.parametrize("operator", ["dilation", "erosion"])
def test_the_objective_is_that_without_missing_values(fitted, operator):
    result = getattr(fitted["dep"], f"{operator}_result_")
    assert result.objective == pytest.approx(objective(fitted["dep"], operator), rel=1e-9)


def test_no_step_of_one_weight_descends(fitted):
    """The trained point is a minimum along each coordinate of the objective by definition."""
    model = clone(fitted["dep"]).fit(X, Y)
    for operator in ("dilation", "erosion"):
        weights = getattr(model, f"{operator}_weights_")
        least = objective(model, operator)
        for j in range(8):
            for step in (-30.0, -1.0, -0.1, -1e-3, 1e-3, 0.1, 1.0, 30.0):
                weights[j] += step
                assert objective(model, operator) >= least - 1e-9
                weights[j] -= step


def test_the_global_search_is_not_above_the_descent():
    rows = X[:, [0, 1]]
    found = DEPClassifier(monotonic_cst="auto", solver="global").fit(rows, Y)
    descended = DEPClassifier(monotonic_cst="auto").fit(rows, Y)
    for attribute in ("dilation_result_", "erosion_result_"):
        best, local = (getattr(model, attribute).objective for model in (found, descended))
        assert best <= local + 1e-9
    certificates = descended.certify(rows, Y)
    assert all(found.status == "optimal" for found in certificates.values())


def test_features_without_values_in_one_class_or_in_both():
    rows = X.copy()
    rows[:, 0] = np.nan
    rows[Y == 0, 1] = np.nan
    for name in ("dep", "paper", "boxes", "joint"):
        model = clone(MODELS[name]).fit(rows, Y)
        values = model.decision_function(X)
        assert np.isfinite(values).all()
        changed = X.copy()
        changed[:, 0] = 1e6  # never seen: takes no part
        assert np.array_equal(model.decision_function(changed), values)


@pytest.mark.parametrize("name", MODELS)
def test_files_and_graphs(fitted, name, tmp_path):
    model = fitted[name]
    save_model(model, tmp_path / "model.rdep")
    values = model.decision_function(X)
    assert np.array_equal(load_model(tmp_path / "model.rdep").decision_function(X), values)
    of_graph = run_graph(lambda graph, rows: decision_values(graph, model, rows), X)
    assert of_graph[:, 0] == pytest.approx(values, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in MODELS if name != "perceptron"])
def test_explanations_and_rules(fitted, name):
    model = fitted[name]
    explained = model.explain(X)
    values = model.decision_function(X)
    assert explained.decision[4:] == pytest.approx(values[4:], abs=1e-9)
    assert (explained.dilation_by[:4] == "no value").all()
    assert "no value" not in explained.dilation_by[4:]
    rule, predicted = model.rules(), model.predict(X)
    inside, outside = rule.positive.contains(X), rule.negative.contains(X)
    assert (inside & outside)[:4].all()  # a missing value satisfies a condition
    assert (predicted[inside & ~outside] == 1).all()
    assert (predicted[outside & ~inside] == 0).all()
    assert "A missing value satisfies every condition" in str(rule)
    assert f"any\nvalue: {predicted[0]}." in str(rule)


def test_rules_without_missing_values_say_nothing_of_them():
    complete = np.nan_to_num(X)
    assert "missing" not in str(DEPClassifier(monotonic_cst="auto").fit(complete, Y).rules())


@pytest.mark.parametrize("name", ["dep", "free", "signed", "boxes", "perceptron"])
def test_radii_of_what_is_known(fitted, name):
    model = fitted[name]
    rows = X[:40]
    found = robustness_radius(model, rows)
    assert np.isposinf(found.radii[:4]).all()
    assert found.exact.all()
    codes = model.predict(rows)
    assert (model.predict(found.flips[4:]) != codes[4:]).all()
    assert np.array_equal(np.isnan(found.flips[4:]), np.isnan(rows[4:]))
    moves = np.nanmax(np.abs(found.flips[4:] - rows[4:]), axis=1)
    assert moves == pytest.approx(found.radii[4:], rel=1e-6, abs=1e-8)
    rng = np.random.default_rng(3)
    for _ in range(200):
        steps = rng.choice([-0.999999, 0.0, 0.999999], rows[4:].shape)
        assert (model.predict(rows[4:] + found.radii[4:, None] * steps) == codes[4:]).all()
    with pytest.raises(ValueError, match="sample 0 has missing values"):
        counterfactual(model, rows)


def test_a_page_shows_what_python_computes(fitted):
    """The script of a page computes with numbers: it decides rows without gaps only."""
    for name in ("dep", "boxes"):
        model = TableModel.of(fitted[name])
        page = _payload(model, X, None)
        assert page["model"] is None
        assert page["values"] == [packed(model.decision_function(X))]
        assert _payload(model, np.nan_to_num(X), None)["model"] is not None
        assert to_html(fitted[name], X).startswith("<!doctype html>")


def test_several_classes():
    rows, kinds = load_iris(return_X_y=True)
    rows = rows.copy()
    rows[np.random.default_rng(0).random(rows.shape) < 0.15] = np.nan
    model = RDEPClassifier("boxes").fit(rows, kinds)
    assert model.score(rows, kinds) > 0.85
    found = robustness_radius(model, rows[:30])
    codes = model.predict(rows[:30])
    assert not found.exact[np.isnan(rows[:30]).any(axis=1)].any()
    rng = np.random.default_rng(1)
    for _ in range(100):
        steps = rng.choice([-0.999999, 0.999999], rows[:30].shape)
        assert (model.predict(rows[:30] + found.radii[:, None] * steps) == codes).all()
    assert "A missing value" in str(model.rules())


def test_who_takes_missing_values():
    for model in (*MODELS.values(), RDEPClassifier("signed", DEPClassifierCV())):
        assert get_tags(model).input_tags.allow_nan
    for model in (
        RDEPClassifier(),
        RDEPClassifier("ensemble"),
        RDEPClassifier("boxes", LinearDEPClassifier()),
        LinearDEPClassifier(),
        BoxScoreClassifier(),
    ):
        assert not get_tags(model).input_tags.allow_nan
        with pytest.raises(ValueError, match="contains NaN"):
            model.fit(X, Y)


def test_infinite_values_and_empty_classes_are_refused():
    rows = X.copy()
    rows[5, 0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        DEPClassifier().fit(rows, Y)
    rows = X.copy()
    rows[Y == 1] = np.nan
    with pytest.raises(ValueError, match="every value of every sample of a class is missing"):
        DEPClassifier().fit(rows, Y)


def test_gaps_that_carry_information():
    """Findings are noted if they are striking: means in their place would be striking, too."""
    gains = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(2500, 5))
        y = (rows > 1).any(axis=1).astype(int)
        rows[rng.random(rows.shape) < np.where(rows > 1, 0.1, 0.9)] = np.nan
        y = np.where(rng.random(len(y)) < 0.05, 1 - y, y)
        train, test = slice(0, 500), slice(500, 2500)
        filled = np.where(np.isnan(rows), np.nanmean(rows[train], axis=0), rows)
        inside, imputed = (
            DEPClassifier().fit(X[train], y[train]).score(X[test], y[test]) for X in (rows, filled)
        )
        gains.append(inside - imputed)
    assert np.mean(gains) > 0.005


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("gaps") / "gaps.csv"
    frame = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    frame["kind"] = np.where(np.arange(len(X)) % 3 == 0, "x", "y")
    frame["class"] = np.where(Y == 1, "benign", "malignant")
    frame.to_csv(path, index=False)
    return path


def test_the_command_keeps_them(table, tmp_path):
    common = ["fit", table, "-t", "class", "--ordering", "boxes"]
    assert rdep_here(*common, "--keep-missing", "-o", "kept.rdep", cwd=tmp_path).returncode == 0
    assert rdep_here(*common, "-o", "imputed.rdep", cwd=tmp_path).returncode == 0
    twin = fit_table(str(table), "class", ordering="boxes", keep_missing=True)
    frame = pd.read_csv(table)
    values = load_model(tmp_path / "kept.rdep").decision_function(frame)
    assert np.array_equal(values, twin.decision_function(frame))
    imputed = load_model(tmp_path / "imputed.rdep").decision_function(frame)
    assert not np.array_equal(values, imputed)
    assert "a missing value" in rdep_here("inspect", "kept.rdep", cwd=tmp_path).stdout.lower()
    rdep_here("export", "kept.rdep", "--onnx", "kept.onnx", cwd=tmp_path)
    session = InferenceSession(tmp_path / "kept.onnx")
    inputs = {
        name: frame[[name]].to_numpy(object if name == "kind" else np.float64)
        for name in ("a", "b", "c", "kind")
    }
    assert session.run(None, inputs)[0].tolist() == twin.predict(frame).tolist()
    robust = rdep_here("explain", "kept.rdep", table, "--robust", cwd=tmp_path).stdout
    lines = pd.read_csv(io.StringIO(robust))
    assert len(lines) == len(X)
    assert lines["radius_is_exact"].all()
    assert lines["counterfactual"].isna()[np.isnan(X[:, :3]).any(axis=1)].all()
    assert lines["counterfactual"].notna().any()


def test_the_command_refuses_models_that_impute(table, tmp_path):
    found = rdep_here("fit", table, "-t", "class", "--keep-missing", "-o", "x.rdep", cwd=tmp_path)
    assert found.returncode == 2
    assert "--keep-missing needs an estimator that takes missing values" in found.stderr
