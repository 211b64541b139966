"""The commands around models as they are typed: from a table to predictions, and mistakes."""

import csv
import gzip
import inspect
import json
import os
import pickle
import pty
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from typer.main import get_command

from rdep import RDEPClassifier
from rdep.cli import _app as app
from rdep.cli import main
from rdep.experiment._evaluate import evaluate
from rdep.model_files import load_model
from rdep.tables import fit_table
from rdep.tables._names import MAX_COLUMNS
from rdep.tables._scoring import score_table

from ..model_files.forgery import forged
from ..real_tables import frame_of, write_sample
from .command import RDEP, rdep


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """The command in the folder of the test: exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["rdep", *map(str, arguments)])
        with pytest.raises(SystemExit) as leaving:
            main()
        captured = capsys.readouterr()
        return leaving.value.code, captured.out, captured.err

    return run


def test_mushrooms_from_standard_input_to_standard_output(tmp_path, data_dir, run):
    """Categories with gaps, a CSV file, pipes, and the same answers from every format."""
    model, table = tmp_path / "mushroom.rdep", tmp_path / "mushroom.csv"
    write_sample(data_dir, "mushroom-1", table, n_rows=1000)
    with table.open() as lines:
        fitted = rdep("fit", "-", "-t", "class", "-o", model, "--json", stdin=lines)
    assert fitted.returncode == 0, fitted.stderr
    assert fitted.stderr == ""  # no progress where nobody watches
    assert json.loads(fitted.stdout)["training_balanced_accuracy"] == 1.0

    others = frame_of(data_dir, "mushroom-1").sample(1000, random_state=7)
    others["number"] = np.arange(1000)
    shuffled = others[others.columns[::-1]]  # columns go by their names
    shuffled.to_parquet(tmp_path / "others.parquet")
    known = ["--ignore-new-categories", "--keep", "number"]
    result = rdep("predict", model, tmp_path / "others.parquet", *known)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["number"] for row in rows] == [str(k) for k in range(1000)]
    right = np.array([row["prediction"] for row in rows]) == others["class"].to_numpy()
    assert right.mean() > 0.98

    with gzip.open(tmp_path / "others.csv.gz", "wt") as file:
        others.to_csv(file, index=False)
    output = tmp_path / "out.jsonl"
    code, _, errors = run("predict", model, tmp_path / "others.csv.gz", *known, "-o", output)
    assert code == 0, errors
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [line["prediction"] for line in lines] == [row["prediction"] for row in rows]
    scores = [float(row["score"]) for row in rows]
    assert [line["score"] for line in lines] == pytest.approx(scores, abs=1e-14)


def test_a_person_sees_progress(tmp_path, churn):
    """Standard error is a terminal, standard output a pipe."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [RDEP, "predict", "churn.rdep", "churn.csv"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs, text=True,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    out, _ = process.communicate(timeout=60)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert process.returncode == 0
    assert len(out.splitlines()) == 21
    assert "20 rows" in shown


def test_shell_completion():
    completed = rdep(
        env={
            **os.environ,
            "_RDEP_COMPLETE": "complete_bash",
            "COMP_WORDS": "rdep pre",
            "COMP_CWORD": "1",
        }
    )
    assert completed.stdout.split() == ["predict"]


# From here on in this process: the command takes longer to start than to do its work.


HEADER = "age,colour,left"
ROWS = [f"{20 + k},{'red' if k % 3 else 'blue'},{'yes' if k > 9 else 'no'}" for k in range(20)]


@pytest.fixture
def churn(tmp_path, run):
    """A model on a number and a category, and the table behind it."""
    (tmp_path / "churn.csv").write_text("\n".join([HEADER, *ROWS]) + "\n")
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "churn.rdep")
    assert code == 0, errors
    return tmp_path / "churn.csv"


def write(text, encoding="utf-8"):
    return lambda path: path.write_text(text, encoding=encoding)


def with_row(row, header=HEADER):
    return write("\n".join([header, *ROWS, row]) + "\n")


BAD_TO_PREDICT = {
    "a missing column": (
        write("age\n30\n"),
        "new.csv lacks a column that the model needs: 'colour'",
    ),
    "an extra column": (
        write("age,colour,size\n30,red,4\n"),
        "new.csv has a column that the model does not know: 'size'. Remove such columns, or "
        "leave them aside with --ignore-extra",
    ),
    "a new category": (
        with_row("30,pink,no"),
        "column 'colour' of new.csv has a category that the model has not seen, 'pink' in row 21; "
        "it knows 'blue', 'red'",
    ),
    "a wrong type": (
        with_row("thirty,red,no"),
        "column 'age' of new.csv should hold numbers, row 21 has 'thirty'",
    ),
    "a number too large": (
        with_row("1e999,red,no"),
        "column 'age' of new.csv has a number too large to use, in row 21",
    ),
    "an empty file": (write(""), "new.csv is empty"),
    "a header only": (write(HEADER + "\n"), "new.csv has a header but no rows of data"),
    "a million columns": (
        write(",".join(f"c{k}" for k in range(1_000_000)) + "\n" + "1," * 999_999 + "1\n"),
        f"new.csv has 1,000,000 columns, at most {MAX_COLUMNS:,} can be used: is the table turned "
        "on its side",
    ),
    "many extra columns": (
        write(HEADER + "".join(f",c{k}" for k in range(3000)) + "\n" + "1," * 3002 + "1\n"),
        "new.csv has 3,000 columns that the model does not know: 'c0', 'c1', 'c2', 'c3', 'c4' and "
        "2,995 more",
    ),
    "another encoding": (
        lambda path: path.write_bytes("age,colour\n30,grün\n".encode("latin-1")),
        "new.csv is not text in UTF-8 encoding (row 1, column 'colour'): save it again as “CSV "
        "UTF-8”",
    ),
    "another encoding of the header": (
        write("age,größe\n30,1\n", "latin-1"),
        "new.csv is not text in UTF-8 encoding",
    ),
    "UTF-16": (write("age,colour\n30,red\n", "utf-16"), "new.csv is not text in UTF-8 encoding"),
    "a row too short": (
        with_row("30,red"),
        "row 21 of new.csv has 2 values, the header names 3 columns",
    ),
    "a row too long": (
        with_row("30,red,no,7"),
        "row 21 of new.csv has 4 values, the header names 3 columns",
    ),
    "two columns of one name": (
        write("age,age,colour\n1,2,red\n"),
        "new.csv has two columns called 'age': rename or remove one",
    ),
    "a column without a name": (
        write("age,,colour\n1,2,red\n"),
        "column 2 of new.csv has no name: give it one in the header",
    ),
    "half a gzipped file": (
        lambda path: path.write_bytes(gzip.compress(("\n".join([HEADER, *ROWS])).encode())[:60]),
        "damaged or cut off",
    ),
    "half a Parquet file": (
        lambda path: path.write_bytes(b"PAR1" + bytes(100)),
        "new.csv is damaged or not a Parquet file",
    ),
    "half an ARFF file": (write("@relation x\n@attribute a {"), "new.csv"),
    "dates": (
        lambda path: pd.DataFrame(
            {"age": pd.to_datetime(["2024-01-01"]), "colour": ["red"]}
        ).to_parquet(path),
        "column 'age' of new.csv holds values of type timestamp",
    ),
    "truth values for numbers": (
        lambda path: pd.DataFrame({"age": [True], "colour": ["red"]}).to_parquet(path),
        "column 'age' of new.csv should hold numbers, row 1 has True",
    ),
    "a folder": (lambda path: path.mkdir(), "new.csv is a folder: name a file"),
    "no file": (lambda path: None, "new.csv does not exist"),
}


@pytest.mark.parametrize("kind", BAD_TO_PREDICT)
def test_bad_tables_to_predict(tmp_path, churn, run, kind):
    make, message = BAD_TO_PREDICT[kind]
    make(tmp_path / "new.csv")
    before = {path.name for path in tmp_path.iterdir()}
    for command in ("predict", "explain"):
        code, out, errors = run(command, "churn.rdep", "new.csv", "-o", "out.csv")
        assert code == 2
        assert out == ""
        assert errors.startswith("rdep: ")
        assert message in errors
        assert errors.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == before  # nothing half-written


BAD_TO_FIT = {
    "no such target": (
        with_row("1,red,no"), "lft", "new.csv has no column 'lft'; did you mean 'left'?",
    ),
    "nothing like the target": (
        with_row("1,red,no"), "zzz", "new.csv has no column 'zzz'; it has 'age', 'colour', 'left'",
    ),
    "gaps in the target": (
        with_row("1,red,"), "left",
        "the target 'left' of new.csv is missing in 1 of 21 rows, first in row 21",
    ),
    "a target without values": (
        write("a,b\n1,\n2,\n"), "b", "the target 'b' of new.csv has no values at all",
    ),
    "a constant target": (
        write("a,b\n1,x\n2,x\n"), "b",
        "the target 'b' of new.csv is constant: every row has x. A classifier needs at least two",
    ),
    "a continuous target": (
        write("a,b\n1,2\n2,0.5\n"), "b",
        "the target 'b' of new.csv is continuous: row 2 has 0.5",
    ),
    "a numbering as the target": (
        write("a,b\n" + "".join(f"{k % 3},{k}\n" for k in range(50))), "b",
        "the target 'b' of new.csv has 50 different values in 50 rows: these are no classes",
    ),
    "a class of one row": (
        with_row("1,red,maybe"), "left", "has one row only of class maybe: a class needs at least",
    ),
    "the target alone": (
        write("b\nx\ny\nx\ny\n"), "b", "new.csv has no columns besides the target 'b'",
    ),
    "free text": (
        write("a,b\n" + "".join(f"name {k},{k % 2}\n" for k in range(200))), "b",
        "column 'a' of new.csv has 200 different texts (such as 'name 0', 'name 1'): for names or "
        "free text leave the column out (--drop 'a')",
    ),
    "an empty file": (write(""), "b", "new.csv is empty"),
    "a header only": (write("a,b\n"), "b", "new.csv has a header but no rows of data"),
    "a million columns": (
        write(",".join(f"c{k}" for k in range(1_000_000))), "c0", "has 1,000,000 columns, at most",
    ),
    "another encoding": (
        write("a,b\ngrün,1\n", "latin-1"), "b", "not text in UTF-8 encoding (row 1, column 'a')",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD_TO_FIT)
def test_bad_tables_to_fit(tmp_path, run, kind):
    make, target, message = BAD_TO_FIT[kind]
    make(tmp_path / "new.csv")
    code, out, errors = run("fit", "new.csv", "-t", target, "-o", "model.rdep")
    assert code == 2
    assert out == ""
    assert errors.startswith("rdep: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]


def test_an_earlier_output_stays_when_a_later_block_is_bad(tmp_path, churn, run):
    (tmp_path / "out.csv").write_text("earlier")
    rows = [row for _ in range(3000) for row in ROWS]
    (tmp_path / "new.csv").write_text("\n".join([HEADER, *rows, "x,red,no"]))
    code, _, errors = run("predict", "churn.rdep", "new.csv", "-o", "out.csv")
    assert code == 2
    assert "row 60001 has 'x'" in errors
    assert (tmp_path / "out.csv").read_text() == "earlier"


def test_a_mistake_in_a_process_of_its_own(tmp_path, churn):
    (tmp_path / "new.csv").write_text("age\n30\n")
    result = rdep("predict", "churn.rdep", "new.csv", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == "rdep: new.csv lacks a column that the model needs: 'colour'\n"


def test_a_closed_pipe_is_no_tragedy(tmp_path, churn):
    (tmp_path / "long.csv").write_text("\n".join([HEADER, *(ROWS * 2000)]))
    result = subprocess.run(
        f"{RDEP} predict churn.rdep long.csv | head -2",
        shell=True, capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert result.stdout.splitlines()[0] == "prediction,score"
    assert result.stderr == ""


def test_an_interruption_leaves_no_file(tmp_path, churn):
    process = subprocess.Popen(
        [RDEP, "predict", "churn.rdep", "-", "-o", "out.csv"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".out.csv.*")):  # it has begun to write and waits for rows
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert not list(tmp_path.glob("*out.csv*"))


def test_what_is_no_mistake(tmp_path, churn, run):
    """Columns in another order, the target, spaces, gaps, semicolons, a byte order mark."""
    expected = run("predict", "churn.rdep", "churn.csv")[1].splitlines()
    moved = [";".join(reversed(row.split(","))) for row in ROWS]
    (tmp_path / "new.csv").write_text(
        "\n".join(["left;colour; age", *moved, "? ;NA; "]), encoding="utf-8-sig"
    )
    code, out, _ = run("predict", "churn.rdep", "new.csv")
    assert code == 0
    assert out.splitlines()[:-1] == expected
    (tmp_path / "new.csv").write_text("age,colour,size\n30,pink,1\n")
    code, out, _ = run(
        "predict", "churn.rdep", "new.csv", "--ignore-extra", "--ignore-new-categories"
    )
    assert code == 0
    assert len(out.splitlines()) == 2


def test_columns_left_out_and_numbers_as_categories(tmp_path, run):
    rows = [f"id{k},{k % 3},{k % 5},{'y' if k % 3 == 1 else 'n'}," for k in range(150)]
    (tmp_path / "t.csv").write_text("\n".join(["id,kind,x,answer,nothing", *rows]))
    code, _, errors = run(
        "fit", "t.csv", "-t", "answer", "-o", "t.rdep", "--drop", "id", "--categorical", "kind"
    )
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
        "--C", 0.5, "--margin", 0, "--beta", 0.25, "--weighting", "none", "--reference", "mean",
        "--class-weight", "no=1,yes=3", "--no-scale-ordering", "--escape", "--n-init", 2,
        "--random-state", 3, "--max-iter", 77, "--tol", 0.001, "--ordering", "bagging",
    ]  # fmt: skip
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "m.rdep", *arguments)
    assert code == 0, errors
    classifier = load_model(tmp_path / "m.rdep").classifier
    chosen = {
        "C": 0.5, "margin": 0.0, "beta": 0.25, "weighting": None, "reference": "mean",
        "class_weight": {"no": 1.0, "yes": 3.0}, "scale_ordering": False, "escape": True,
        "n_init": 2, "random_state": 3, "max_iter": 77, "tol": 0.001, "ordering": "bagging",
        "scale_input": True, "solver": "descent",
    }  # fmt: skip
    parameters = classifier.get_params(deep=False)
    assert {name: parameters[name] for name in chosen} == chosen
    code, _, errors = run(
        "fit", "churn.csv", "-t", "left", "-o", "m.rdep", "--estimator", "dep",
        "--ordering", "bagging",
    )  # fmt: skip
    assert code == 2
    assert "DEPClassifier has no parameter 'ordering': leave it out" in errors


def test_more_than_two_classes(tmp_path, run):
    frame, species = load_iris(return_X_y=True, as_frame=True)
    frame["species"] = np.array(["setosa", "versicolor", "virginica"])[species]
    frame.to_csv(tmp_path / "iris.csv", index=False)
    assert run("fit", "iris.csv", "-t", "species", "-o", "iris.rdep")[0] == 0
    rows = list(csv.DictReader(run("predict", "iris.rdep", "iris.csv")[1].splitlines()))
    assert list(rows[0])[1:] == ["score_setosa", "score_versicolor", "score_virginica"]
    for row in rows:
        scores = {name[6:]: float(row[name]) for name in row if name.startswith("score_")}
        assert row["prediction"] == max(scores, key=scores.get)
    right = [row["prediction"] for row in rows] == frame["species"]
    assert right.mean() > 0.95
    reasons = run("explain", "iris.rdep", "iris.csv", "--json")[1].splitlines()
    for row, line in zip(rows, reasons, strict=True):
        reason = json.loads(line)
        assert reason["prediction"] == row["prediction"]
        assert reason["dilation_by"] in ("rbf", "linear", "poly")
        winner = float(row[f"score_{row['prediction']}"])
        assert reason["decision"] == pytest.approx(winner, abs=1e-9)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--estimator", "dep", "--monotonic-cst", "auto"],
        ["--ordering", "signed"],
        ["--ordering", "boxes"],
    ],
    ids=["dep", "signed", "boxes"],
)
def test_models_on_columns_are_explained_by_columns(tmp_path, churn, run, arguments):
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "d.rdep", *arguments)
    assert code == 0, errors
    scores = run("predict", "d.rdep", "churn.csv")[1].splitlines()[1:]
    reasons = list(csv.DictReader(run("explain", "d.rdep", "churn.csv")[1].splitlines()))
    names = {
        reason[by].removeprefix("−") for reason in reasons for by in ("dilation_by", "erosion_by")
    }
    assert "age" in names
    assert names <= {"age", "colour=red", "colour=blue"}
    for line, reason in zip(scores, reasons, strict=True):
        total = float(reason["dilation_share"]) + float(reason["erosion_share"])
        assert total == pytest.approx(float(line.split(",")[1]), abs=1e-12)


def test_a_model_on_columns_is_shown_as_a_rule_in_the_units_of_the_table(tmp_path, churn, run):
    for arguments in (["--ordering", "signed"], ["--ordering", "boxes"], ["--estimator", "dep"]):
        code, _, errors = run(
            "fit", "churn.csv", "-t", "left", "-o", "d.rdep", "--beta", 0, *arguments
        )
        assert code == 0, errors
        text = run("inspect", "d.rdep")[1]
        assert "rules       Box of 'yes', where all of these hold:\n" in text
        assert f"\n{14 * ' '}age ≥ 30\n" in text
        assert f"\n{12 * ' '}β = 0: 'yes' inside the box, 'no' outside.\n" in text
    assert "rules" not in run("inspect", "churn.rdep")[1]
    assert json.loads(run("inspect", "churn.rdep", "--json")[1])["summary"]["rules"] is None


def test_hostile_and_wrong_model_files(tmp_path, churn, run):
    class Evil:
        def __reduce__(self):
            return os.system, (f"touch {tmp_path / 'code-has-run'}",)

    (tmp_path / "evil.rdep").write_bytes(pickle.dumps(Evil()))
    (tmp_path / "half.rdep").write_bytes((tmp_path / "churn.rdep").read_bytes()[:3000])
    for model, message in {
        "evil.rdep": "is a Python pickle, which could run any code: it is not loaded",
        "half.rdep": "is not a model file of rdep, or it is cut off",
        "churn.csv": "is not a model file of rdep",
        "none.rdep": "the model file none.rdep does not exist",
    }.items():
        for arguments in (
            ["predict", model, "churn.csv", "-o", "out.csv"],
            ["explain", model, "churn.csv", "-o", "out.csv"],
            ["inspect", model],
            ["export", model, "--onnx", "out.onnx"],
        ):
            code, out, errors = run(*arguments)
            assert code == 2
            assert out == ""
            assert message in errors
    assert not (tmp_path / "code-has-run").exists()
    assert not list(tmp_path.glob("out.*"))


def test_a_description_gives_no_orders_to_the_terminal(tmp_path, churn, run):
    content = (tmp_path / "churn.rdep").read_bytes()

    def retitle(description):
        description["schema"]["columns"][0]["name"] = "\x1b[2Jage"

    (tmp_path / "sly.rdep").write_bytes(forged(content, change_description=retitle))
    code, out, _ = run("inspect", "sly.rdep")
    assert code == 0
    assert "\x1b" not in out
    assert "�[2Jage: number" in out
    (tmp_path / "odd.rdep").write_bytes(
        forged(content, change_description=lambda about: about.update(summary={"rows": 3}))
    )
    code, _, errors = run("inspect", "odd.rdep")
    assert code == 2
    assert "describes itself wrongly (KeyError('class_counts'))" in errors


def test_a_pickle_on_request(tmp_path, churn, run):
    code, _, errors = run("fit", "churn.csv", "-t", "left", "-o", "m.pickle", "--pickle")
    assert code == 0
    assert "warning: a pickle runs code when it is loaded" in errors
    code, out, errors = run("predict", "m.pickle", "churn.csv", "--allow-pickle")
    assert code == 0
    assert "warning: loading the pickle m.pickle runs whatever code" in errors
    assert out == run("predict", "churn.rdep", "churn.csv")[1]


@pytest.mark.parametrize("command", ["fit", "predict", "explain", "inspect", "export", "evaluate"])
def test_help_has_examples(run, command):
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"rdep {command} " in out.split("Example")[1]


def keywords(function):
    parameters = inspect.signature(function).parameters.values()
    return {parameter.name for parameter in parameters if parameter.kind == parameter.KEYWORD_ONLY}


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("fit", set(RDEPClassifier().get_params(deep=False))),
        ("fit", keywords(fit_table) | {"pickle"}),
        ("predict", keywords(score_table) - {"progress"} | keywords(load_model)),
        ("explain", keywords(score_table) - {"progress"} | keywords(load_model)),
        ("evaluate", keywords(evaluate) - {"progress", "command"}),
    ],
)
def test_every_parameter_has_a_flag_of_its_name(command, names):
    flags = {flag for option in get_command(app).commands[command].params for flag in option.opts}
    assert {f"--{name.replace('_', '-')}" for name in names} <= flags
