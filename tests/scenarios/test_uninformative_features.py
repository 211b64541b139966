"""Features that say nothing about the classes must not decide."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, make_blobs
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

from benchmarks import degenerate, uninformative
from rdep import (
    DEPClassifier,
    DEPClassifierCV,
    MorphologicalPerceptron,
    RDEPClassifier,
    dilation,
)
from rdep.exceptions import DegenerateFitWarning
from rdep.model_files import load_model, save_model
from rdep.training import DilationProblem, Objective, TrainingSet
from tests.places import DOCS, RESULTS

X, Y = load_breast_cancer(return_X_y=True)
Y = 1 - Y  # most measurements are greater in malignant tumours
CONSTANT = np.column_stack([X, np.full(len(X), 7.0)])


@pytest.mark.parametrize(
    "make",
    [
        DEPClassifier,
        lambda: DEPClassifier(margin=1e-6, weighting="distance", beta_loss="hinge"),
        lambda: DEPClassifier(joint=True),
        lambda: DEPClassifier(beta_holdout=0.3, random_state=0),
        lambda: DEPClassifierCV(Cs=[0.1, 0.01], margins=[0.25], cv=2),
        MorphologicalPerceptron,
        lambda: MorphologicalPerceptron("erosion", reference="mean"),
        lambda: RDEPClassifier("signed"),
        lambda: RDEPClassifier("boxes"),
    ],
)
def test_a_constant_column_changes_nothing(make):
    plain, more = make().fit(X[::3], Y[::3]), make().fit(CONSTANT[::3], Y[::3])
    np.testing.assert_array_equal(more.decision_function(CONSTANT), plain.decision_function(X))
    changed = CONSTANT.copy()
    changed[:, -1] = 1e6
    np.testing.assert_array_equal(more.predict(changed), plain.predict(X))


def test_weights_of_a_constant_feature_leave_maximum_and_minimum_as_they_are():
    dep = DEPClassifier().fit(CONSTANT, Y)
    assert dep.dilation_weights_[-1] == -np.inf
    assert dep.erosion_weights_[-1] == np.inf
    assert np.isfinite(dep.dilation_weights_[:-1]).all()
    assert "ignored" in dep.summary(max_features=31)
    explained = dep.explain(CONSTANT)
    assert (explained.dilation_index < 30).all()
    assert (explained.erosion_index < 30).all()
    rule = dep.rules(max_conditions=100)
    assert {condition.feature for condition in rule.negative.conditions} <= {
        f"x{j}" for j in range(30)
    }
    inside, outside = rule.positive.contains(CONSTANT), rule.negative.contains(CONSTANT)
    settled = inside != outside
    np.testing.assert_array_equal(dep.predict(CONSTANT)[settled], inside[settled])


def test_samples_without_weight_do_not_make_a_feature_vary():
    varied = CONSTANT.copy()
    varied[0, -1] = 8.0
    weights = np.ones(len(X))
    weights[0] = 0.0
    dep = DEPClassifier().fit(varied, Y, sample_weight=weights)
    assert dep.dilation_weights_[-1] == -np.inf


def test_a_model_with_a_constant_feature_in_a_file(tmp_path):
    model = RDEPClassifier("boxes").fit(CONSTANT, Y)
    save_model(model, tmp_path / "model.rdep")
    loaded = load_model(tmp_path / "model.rdep").estimator
    np.testing.assert_array_equal(
        loaded.decision_function(CONSTANT), model.decision_function(CONSTANT)
    )


def test_constant_features_alone_are_kept():
    ones = np.ones((20, 2))
    with pytest.warns(DegenerateFitWarning):
        dep = DEPClassifier().fit(ones, np.arange(20) % 2)
    assert np.isfinite(dep.dilation_weights_).all()


@pytest.mark.parametrize("operator", ["dilation", "erosion"])
@pytest.mark.parametrize("margin", [0.0, 1e-6, 0.1])
def test_the_reference_brings_everything_to_the_boundary_at_almost_no_loss(operator, margin):
    """The theory's bound: F(r) is at most 2 μ times the penalties of the class outside, any C."""
    signs = np.where(Y == 1, 1.0, -1.0)
    samples = TrainingSet.from_samples(CONSTANT, signs)
    for C in (0.0, 0.01, 10.0):
        problem = DilationProblem.from_training_set(
            samples, operator, Objective(C=C, margin=margin)
        )
        at = problem.at(np.zeros(problem.n_features))
        bound = 2 * margin * samples.spread * problem.positive_penalties.sum()
        assert at.objective * problem.unit <= bound * (1 + 1e-9) + 1e-12


def test_the_greater_of_both_ways_is_constant_on_two_values():
    x = np.array([[0.0], [1.0], [1.0]])
    assert dilation(np.hstack([x, -x]), [-1.0, 0.0]).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("ordering", ["signed", "boxes"])
def test_a_coin_flip_does_not_ruin_readable_models(ordering):
    coin = np.column_stack([X, np.random.default_rng(0).integers(0, 2, len(X))])
    before, after = (
        cross_val_score(RDEPClassifier(ordering), data, Y, scoring="balanced_accuracy").mean()
        for data in (X, coin)
    )
    assert after > before - 0.01


def _blobs_with_a_flag():
    samples, classes = make_blobs(
        [300, 300], centers=[[0, 0], [2, 2]], cluster_std=1.0, random_state=0
    )
    flag = np.random.default_rng(0).random(len(samples)) < 0.01
    return np.column_stack([samples, flag]), classes


def test_the_warning_looks_at_the_decision_values():
    """Nearly all at 1e-6 from the boundary, where rounding does not explain it."""
    samples, classes = _blobs_with_a_flag()
    with pytest.warns(DegenerateFitWarning, match="next to the decision boundary"):
        DEPClassifier.paper().fit(samples, classes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DEPClassifier().fit(samples, classes)


def test_the_warning_advises_what_helps_and_is_not_there_already():
    samples, classes = _blobs_with_a_flag()
    scaled = StandardScaler().fit_transform(samples)
    with pytest.warns(DegenerateFitWarning) as caught:
        DEPClassifier.paper().fit(scaled, classes)
    advice = caught[0].message.settings
    assert {"margin", "weighting", "beta_loss"} <= set(advice)
    helped = DEPClassifier.paper(**advice).fit(scaled, classes)
    assert balanced_accuracy_score(classes, helped.predict(scaled)) > 0.9

    with pytest.warns(DegenerateFitWarning, match="dep__margin=0.5") as caught:
        RDEPClassifier("signed", DEPClassifier.paper()).fit(samples, classes)
    message = caught[0].message
    assert "monotonic_cst" not in str(message)
    assert "RDEPClassifier" not in str(message)
    assert message.settings["ordering"] == "mixed"


def test_the_warning_of_a_search_leaves_what_the_search_chooses():
    samples, classes = _blobs_with_a_flag()
    with pytest.warns(DegenerateFitWarning) as caught:
        DEPClassifierCV(DEPClassifier.paper(), Cs=[0.01], margins=[1e-6], cv=2).fit(
            samples, classes
        )
    assert set(caught[0].message.settings) == {
        "dep__weighting", "dep__beta_loss", "dep__escape",
    }  # fmt: skip


def test_the_advice_is_to_change_all_at_once():
    samples, classes = _blobs_with_a_flag()
    with pytest.warns(DegenerateFitWarning, match=r"help: RDEPClassifier, .*, all together\."):
        DEPClassifier.paper().fit(samples, classes)


def test_the_warning_names_the_class_that_it_is_about():
    samples, classes = _blobs_with_a_flag()
    far = samples[:50] + 20
    labels = np.array(["left", "right", "far"])[np.r_[classes, np.full(50, 2)]]
    with pytest.warns(DegenerateFitWarning) as caught:
        DEPClassifier.paper().fit(np.vstack([samples, far]), labels)
    troubles = [entry.message.trouble for entry in caught]
    assert all(
        any(f"class {label!r} against the rest: " in trouble for label in ("left", "right", "far"))
        for trouble in troubles
    )
    assert not any("True" in trouble or "False" in trouble for trouble in troubles)


def _advice_measured():
    return pd.read_csv(RESULTS / "degenerate" / "table.csv")


def test_what_was_measured_of_the_advice():
    """All of it together silences the warning and helps; a parameter alone mostly does neither."""
    rows = _advice_measured()
    assert rows.loc[rows["change"] == degenerate.AS_IT_IS, "warns"].all()
    assert not rows.loc[rows["change"] == degenerate.TOGETHER, "warns"].any()
    gained = degenerate.gains(rows.to_dict("records"))
    reduced = gained.drop("DEP", level="model")
    assert len(reduced) == 6
    assert (reduced[degenerate.TOGETHER] > 0).all()
    assert gained.loc["DEP", degenerate.TOGETHER].mean() > 0
    assert (gained.loc["DEP", degenerate.REDUCED] > 0.05).all()


@pytest.mark.slow
def test_the_advice_of_a_degenerate_fit_helps(data_dir):
    cases = [("DEP", "Titanic"), ("ensemble r-DEP", "Titanic"), ("bagging r-DEP", "Titanic")]
    rows = list(degenerate.measured(cases, only=(degenerate.AS_IT_IS, degenerate.TOGETHER)))
    assert (degenerate.gains(rows)[degenerate.TOGETHER] > 0).all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")
def test_what_columns_that_say_nothing_cost_on_eleven_data_sets(data_dir):
    rows = list(uninformative.accuracies(("DEP", "signed", "boxes")))
    lost = uninformative.losses(rows)
    assert (lost.groupby("classifier").mean() <= 0.01).all(axis=None)
    assert (lost <= 0.03).all(axis=None)


def test_what_was_measured_is_what_is_said():
    """The committed table keeps what the page claims."""
    rows = pd.read_csv(RESULTS / "uninformative" / "table.csv").to_dict("records")
    lost = uninformative.losses(rows).loc[["DEP", "signed", "boxes"]]
    page = (DOCS / "guide" / "pitfalls.md").read_text()
    assert f"{lost.groupby('classifier').mean().max(axis=None):.3f}" in page
    assert f"{lost.max(axis=None):.3f}" in page
