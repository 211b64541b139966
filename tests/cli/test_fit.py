"""What ``rdep fit`` makes of columns and of parameters."""

import json
import os
import subprocess

import pytest

from rdep import BaggingOrdering, RDEPClassifier
from rdep._registry import classifiers
from rdep.cli._options import parse_settings, parse_value
from rdep.model_files import load_model
from rdep.tables._estimators import PRESETS, make_estimator

from .command import RDEP


def test_columns_left_out_and_numbers_as_categories(tmp_path, run):
    rows = [f"id{k},{k % 3},{k % 5},{'y' if k % 3 == 1 else 'n'}," for k in range(150)]
    (tmp_path / "t.csv").write_text("\n".join(["id,kind,x,answer,nothing", *rows]))
    code, _, errors = run(
        "fit", "t.csv", "-t", "answer", "-o", "t.rdep", "--drop", "id", "--categorical", "kind",
        "--estimator", "paper",
    )  # fmt: skip
    assert code == 0, errors
    schema = json.loads(run("inspect", "t.rdep", "--json")[1])["schema"]
    assert [(column["name"], column["kind"]) for column in schema["columns"]] == [
        ("kind", "category"), ("x", "number"),
    ]  # fmt: skip
    assert schema["dropped"] == ["id", "nothing"]
    code, out, _ = run("predict", "t.rdep", "t.csv", "--keep", "id")
    assert [line.split(",")[:2] for line in out.splitlines()[1:4]] == [
        ["id0", "n"], ["id1", "y"], ["id2", "n"],
    ]  # fmt: skip
    text = run("inspect", "t.rdep")[1]
    assert "not used    'id', 'nothing'" in text
    assert "kind: one of '0', '1', '2'" in text
    assert "x: number, 0 to 4 in training" in text


def test_parameters_reach_the_classifier(tmp_path, churn, run):
    arguments = [
        "--estimator", "rdep", "--ordering", "bagging", "--class-weight", "no=1,yes=3",
        "--random-state", 3, "--n-jobs", 1, "--set", "scale_ordering=false",
        "--set", "ordering__n_estimators=4", "--set", "dep__C=0.5", "--set", "dep__weighting=none",
        "--set", "dep__reference=mean", "--set", "dep__max_iter=77",
    ]  # fmt: skip
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "m.rdep", *arguments)
    assert code == 0, errors
    parameters = load_model(tmp_path / "m.rdep").classifier.get_params()
    chosen = {
        "class_weight": {"no": 1.0, "yes": 3.0}, "random_state": 3, "n_jobs": 1,
        "scale_input": True, "scale_ordering": False, "ordering__n_estimators": 4, "dep__C": 0.5,
        "dep__weighting": None, "dep__reference": "mean", "dep__max_iter": 77,
        "dep__solver": "descent",
    }  # fmt: skip
    assert {name: parameters[name] for name in chosen} == chosen
    assert isinstance(parameters["ordering"], BaggingOrdering)
    text = run("inspect", "m.rdep")[1]
    assert "scale_ordering=False, ordering__n_estimators=4, dep__C=0.5, dep__weighting=None" in text


def test_the_default_is_the_rdep(tmp_path, churn, run):
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "m.rdep", "--random-state", 0)
    assert code == 0, errors
    model = load_model(tmp_path / "m.rdep")
    assert repr(model.classifier) == repr(RDEPClassifier(random_state=0))
    assert "decision    for yes: β = " in run("inspect", "m.rdep")[1]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("none", None), ("null", None), ("None", None), ("true", True), ("False", False),
        ("3", 3), ("-3", -3), ("0.5", 0.5), ("1e-6", 1e-6), ("1,0.5", [1, 0.5]), ("0.1,", [0.1]),
        ("auto", "auto"), ("1,two", "1,two"), ("", ""), (",", ","),
    ],
)  # fmt: skip
def test_values(text, value):
    parsed = parse_value(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "C"], "--set 'C' should read NAME=VALUE, such as --set dep__C=0.1"),
        (["--set", "=3"], "--set '=3' should read NAME=VALUE"),
        (["--set", "dep__C=1", "--set", "dep__C=2"], "--set gives the parameter 'dep__C' twice"),
        (
            ["--random-state", "1", "--set", "random_state=2"],
            "--random-state and --set give the parameter 'random_state' twice",
        ),
        (["--set", "C=0.1"], "RDEPClassifier has no parameter 'C'; did you mean 'dep__C'? It has "),
        (["--set", "dep__C=-1"], "The 'C' parameter of DEPClassifier must be a float in"),
        (["--estimator", "svm"], "unknown estimator 'svm'; known: paper, "),
        (
            ["--estimator", "dep", "--ordering", "bagging"],
            "DEPClassifier has no parameter 'ordering'",
        ),
        (["--class-weight", "good:1"], "--class-weight 'good:1' should be `balanced` or read "),
    ],
)
def test_mistakes_in_parameters_are_found_before_any_work(tmp_path, run, arguments, message):
    code, out, errors = run("fit", "none.csv", "-t", "left", "-o", "m.rdep", *arguments)
    assert (code, out) == (2, "")
    assert errors.startswith("rdep: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("churn.csv", "the output churn.csv is the same file as the input churn.csv"),
        ("hard.csv", "the output hard.csv is the same file as the input churn.csv"),
        ("none/m.rdep", "none/m.rdep cannot be written: there is no folder"),
        (".", "is a folder: name a file in it"),
    ],
)
def test_the_place_of_the_model_is_looked_at_first(tmp_path, run, output, message):
    (tmp_path / "churn.csv").write_text("no table at all")
    os.link(tmp_path / "churn.csv", tmp_path / "hard.csv")
    code, out, errors = run("fit", "churn.csv", "-t", "left", "-o", output)
    assert (code, out) == (2, "")
    assert message in errors
    assert (tmp_path / "churn.csv").read_text() == "no table at all"


def test_a_model_is_as_private_as_its_table_and_stays_so(tmp_path, churn, run):
    fit = ("fit", "churn.csv", "-t", "left", "-o", "m.rdep", "--estimator", "dep")
    churn.chmod(0o640)
    assert run(*fit)[0] == 0
    assert (tmp_path / "m.rdep").stat().st_mode & 0o777 == 0o640
    (tmp_path / "m.rdep").chmod(0o600)
    churn.chmod(0o644)
    assert run(*fit)[0] == 0
    assert (tmp_path / "m.rdep").stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_a_model_through_a_pipe(tmp_path, churn):
    result = subprocess.run(
        f"{RDEP} fit churn.csv -t left -o /dev/stdout --estimator dep | cat > m.rdep",
        shell=True, capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert "Model: /dev/stdout" in result.stderr
    assert load_model(tmp_path / "m.rdep").schema.classes == ("no", "yes")


def as_typed(value):
    """A parameter's value as a text; None for objects, which only Python can give."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, tuple | list) and all(isinstance(item, int | float) for item in value):
        return ",".join(map(str, value))
    return None


@pytest.mark.parametrize("name", [*PRESETS, *classifiers()])
def test_every_parameter_can_be_set(name):
    parameters = make_estimator(name, {}).get_params()
    typed = {key: as_typed(value) for key, value in parameters.items()}
    by_python_only = {key.rpartition("__")[2] for key, text in typed.items() if text is None}
    assert by_python_only <= {"dep", "estimators", "estimator", "rbf", "linear", "poly"}
    for key, text in typed.items():
        if text is not None:
            made = make_estimator(name, parse_settings([f"{key}={text}"]))
            assert as_typed(made.get_params()[key]) == text


def test_a_degenerate_fit_is_told_in_options(tmp_path, run):
    rows = [f"{k},{'yes' if k < 30 else 'no'}" for k in range(60)]  # decreasing
    (tmp_path / "t.csv").write_text("\n".join(["a,y", *rows]))
    code, _, errors = run(
        "fit", "t.csv", "-t", "y", "-o", "m.rdep", "--estimator", "perceptron",
        "--set", "operator=erosion", "--set", "C=10", "--set", "margin=0", "--set", "escape=false",
    )  # fmt: skip
    assert code == 0
    assert "Degenerate fit" in errors
    for option in ("--set margin=0.5", "--set escape=true", "--estimator rdep"):
        assert option in errors
    assert "RDEPClassifier" not in errors
