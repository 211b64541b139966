"""Explanations and rules by the columns of the table."""

import csv
import json

import pytest


@pytest.mark.parametrize(
    "arguments",
    [
        ["--estimator", "dep", "--set", "monotonic_cst=auto"],
        ["--estimator", "dep_cv"],
        ["--estimator", "paper", "--ordering", "signed"],
        ["--estimator", "paper", "--ordering", "boxes"],
    ],
    ids=["dep", "dep_cv", "signed", "boxes"],
)
def test_models_on_columns_are_explained_by_columns(tmp_path, churn, run, arguments):
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "d.rdep", *arguments)
    assert code == 0, errors
    scores = run("predict", "d.rdep", "churn.csv")[1].splitlines()[1:]
    reasons = list(csv.DictReader(run("explain", "d.rdep", "churn.csv")[1].splitlines()))
    names = {
        reason[by].removeprefix("-") for reason in reasons for by in ("dilation_by", "erosion_by")
    }
    assert "age" in names
    categories = {f"colour is {which}" for which in ("red", "blue", "not red", "not blue")}
    assert names <= {"age", *categories}
    for line, reason in zip(scores, reasons, strict=True):
        total = float(reason["dilation_share"]) + float(reason["erosion_share"])
        assert total == pytest.approx(float(line.split(",")[1]), abs=1e-12)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--estimator", "paper", "--ordering", "signed", "--set", "dep__beta=0"],
        [
            "--estimator",
            "rdep",
            "--ordering",
            "boxes",
            "--set",
            "dep__beta=0",
            "--set",
            "dep__margin=1e-6",
        ],
        ["--estimator", "dep", "--set", "beta=0", "--set", "margin=1e-6"],
    ],
    ids=["signed", "boxes", "dep"],
)
def test_a_model_on_columns_is_shown_as_a_rule_in_the_units_of_the_table(churn, run, arguments):
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "d.rdep", *arguments)
    assert code == 0, errors
    text = run("inspect", "d.rdep")[1]
    assert "rules       Box of 'yes', where all of these hold:\n" in text
    assert f"\n{14 * ' '}age ≥ 30\n" in text
    assert f"\n{12 * ' '}β = 0: 'yes' inside the box, 'no' outside.\n" in text


def test_a_model_on_members_has_no_rules(churn, run):
    assert "rules" not in run("inspect", "churn.rdep")[1]
    assert json.loads(run("inspect", "churn.rdep", "--json")[1])["summary"]["rules"] is None


def test_a_model_of_one_operator_says_so(churn, run):
    arguments = ["--estimator", "perceptron", "--set", "operator=erosion"]
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "p.rdep", *arguments)
    assert code == 0, errors
    text = run("inspect", "p.rdep")[1]
    assert "classifier  MorphologicalPerceptron (perceptron, operator=erosion)\n" in text
    assert "decision    for yes: by erosion\n" in text
    code, out, errors = run("explain", "p.rdep", "churn.csv")
    assert (code, out) == (2, "")
    assert "predictions of a MorphologicalPerceptron cannot be explained" in errors


def test_radii_and_counterfactuals_of_rows(churn, run):
    run("fit", "churn.csv", "-t", "left", "-o", "d.rdep", "--estimator", "box_score")
    code, out, errors = run("explain", "d.rdep", "churn.csv", "--robust", "--keep", "age")
    assert code == 0, errors
    rows = list(csv.DictReader(out.splitlines()))
    assert all(row["radius_is_exact"].lower() == "true" for row in rows)
    # Rows are decided by age: the farther from the bound between 29 and 30, the larger the radius.
    by_age = {float(row["age"]): float(row["radius"]) for row in rows}
    assert by_age[20] > by_age[28] > 0
    assert by_age[39] > by_age[31] > 0
    assert {row["counterfactual"].split(" → ")[1] for row in rows if row["age"] < "30"} == {"30"}


def test_a_model_without_radii_is_refused_in_words(churn, run):
    run("fit", "churn.csv", "-t", "left", "-o", "d.rdep", "--estimator", "elm")
    code, _, errors = run("explain", "d.rdep", "churn.csv", "--robust")
    assert code == 2
    assert "no certificate for a MorphologicalELMClassifier" in errors


def test_columns_behind_members(churn, run):
    fit = ("fit", "churn.csv", "-t", "left", "-o", "m.rdep", "--ordering", "ensemble", "--folds", 0)
    assert run(*fit)[0] == 0
    code, out, errors = run("explain", "m.rdep", "churn.csv", "--features")
    assert code == 0, errors
    rows = list(csv.DictReader(out.splitlines()))
    assert {row["member"] for row in rows} <= {"rbf", "linear", "poly"}
    assert all({row["moved_by_1"], row["moved_by_2"]} == {"age", "colour"} for row in rows)
    code, _, errors = run("explain", "m.rdep", "churn.csv", "--features", "--robust")
    assert code == 2
    assert "--robust and --features exclude each other" in errors
