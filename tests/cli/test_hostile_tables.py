"""Tables as people have them: what is said names the culprit and an option that helps."""

import json
import logging
import sys

import numpy as np
import pandas as pd
import pytest

from rdep.model_files import load_model

N = 60
RNG = np.random.default_rng(0)
SIZE = RNG.normal(size=N).round(3)
LEFT = np.where(SIZE + 0.3 * RNG.normal(size=N) > 0, "yes", "no")
FRAME = pd.DataFrame({"size": SIZE, "colour": np.tile(["red", "blue", "green"], N // 3)})
FIT = ("fit", "t.csv", "-t", "left", "--estimator", "dep", "-o", "m.rdep")


@pytest.fixture
def table(tmp_path):
    """Write a table with more columns, or others, and the target."""

    def write(name="t.csv", left=LEFT, **columns):
        frame = FRAME.assign(**columns, left=left)
        if name.endswith(".jsonl"):
            frame.to_json(tmp_path / name, orient="records", lines=True)
        else:
            frame.to_csv(tmp_path / name, index=False)
        return frame

    return write


DISGUISED = {
    "money": ([f"${1000 * abs(v) + k:,.2f}" for k, v in enumerate(SIZE)], "has formatted numbers"),
    "shares": ([f"{v:.1f}%" for v in SIZE + 3], "has formatted numbers, such as '"),
    "accounts": (
        [f"({-v})" if v < 0 else f"{v}" for v in SIZE],
        "has formatted numbers",
    ),
    "thousands": ([f"{abs(int(1e6 * v)) + 1000:,}" for v in SIZE], "has numbers with commas"),
}


@pytest.mark.parametrize("kind", DISGUISED)
def test_numbers_in_disguise_are_offered_by_name_and_read_alike_at_predict(run, table, kind):
    cells, message = DISGUISED[kind]
    table(price=cells)
    code, _, errors = run(*FIT)
    assert code == 2
    assert f"column 'price' of t.csv {message}" in errors
    assert "--number price" in errors
    assert run(*FIT, "--number", "price")[0] == 0
    column = load_model("m.rdep").schema.columns[-1]
    assert column.kind == "number"
    assert column.unit is not None
    code, out, _ = run("predict", "m.rdep", "t.csv")
    assert code == 0
    # The same numbers, written as numbers, give the same predictions.
    signed = [c.replace("(", "-").translate(str.maketrans("", "", "$%,)")) for c in cells]
    table("plain.csv", price=signed)
    assert run("predict", "m.rdep", "plain.csv")[1] == out


def test_a_model_without_the_option_says_what_to_do(run, table):
    table(price=SIZE)
    assert run(*FIT)[0] == 0
    table("new.csv", price=[f"${v:.2f}" for v in abs(SIZE)])
    code, _, errors = run("predict", "m.rdep", "new.csv")
    assert code == 2
    assert "column 'price' of new.csv should hold numbers, row 1 has '$" in errors
    assert "--number price" in errors


def test_other_units_than_in_training_are_refused(run, table):
    table(price=[f"${abs(v):.2f}" for v in SIZE])
    assert run(*FIT, "--number", "price")[0] == 0
    table("new.csv", price=[f"€{abs(v):.2f}" for v in SIZE])
    code, _, errors = run("predict", "m.rdep", "new.csv")
    assert code == 2
    assert "in row 1, and the model was fitted on numbers in $: convert it" in errors


def test_a_frequent_word_among_numbers_is_named(run, table):
    table(score=["a" if k % 5 < 3 else str(v) for k, v in enumerate(SIZE)])
    code, _, errors = run(*FIT)
    assert code == 0
    assert "the others are numbers: row 1 has 'a', as 36 rows do" in errors
    assert "--na-values a" in errors
    code, _, errors = run(*FIT, "--na-values", "a")
    assert code == 0
    assert load_model("m.rdep").schema.columns[-1].kind == "number"


def test_times_are_refused_with_advice(run, table):
    table(at=[f"{k % 24}:{k % 60:02d}" for k in range(N)])
    code, _, errors = run(*FIT)
    assert code == 2
    assert "column 'at' of t.csv holds times of the day, such as '0:00' in row 1" in errors
    assert "--drop at" in errors


def test_classes_are_counted_and_those_that_differ_by_case_or_spaces_are_named(run, table):
    table()
    out = run(*FIT)[1]
    counts = ", ".join(f"{label} {(label == LEFT).sum()}" for label in ("no", "yes"))
    assert out.startswith(f"Classes of left: {counts}; positive: yes\n")
    mixed = LEFT.astype(object)
    mixed[:8], mixed[8:16], mixed[16:24] = "Yes", "very good", "Very  good"
    table(left=mixed)
    code, _, errors = run(*FIT)
    assert code == 0
    assert "classes that differ only in upper and lower case or spaces" in errors
    assert "'Yes' (8 rows) and 'yes'" in errors
    assert "'Very  good' (8 rows) and 'very good' (8 rows)" in errors


def test_a_count_as_target_looks_like_a_number(run, table):
    table(left=[*range(30), *range(30)])
    code, _, errors = run(*FIT, "--task", "classification")
    assert code == 0
    assert (
        "looks like a number: it has 30 different values from 0 to 29, and each becomes" in errors
    )
    table(left=[*range(29), 57, *range(29), 3])
    code, _, errors = run(*FIT, "--task", "classification")
    assert code == 2
    assert "looks like a number: it has 30 different values from 0 to 57" in errors


def test_rows_without_a_class_are_left_out_if_asked(run, table):
    left = LEFT.astype(object)
    left[[2, 5, 7]] = None
    frame = table(left=left)
    code, _, errors = run(*FIT)
    assert code == 2
    assert (
        "missing in 3 of 60 rows, first in row 3: leave these rows out (--drop-unlabelled)"
        in errors
    )
    code, out, errors = run(*FIT, "--drop-unlabelled")
    assert code == 0
    assert "missing in 3 of 60 rows, which are left out" in errors
    assert "fitted on 57 rows" in out
    first = run("predict", "m.rdep", "t.csv")[1]
    frame.dropna(subset="left").to_csv("t.csv", index=False)
    assert run(*FIT)[0] == 0
    frame.to_csv("t.csv", index=False)
    assert run("predict", "m.rdep", "t.csv")[1] == first


def test_messages_count_the_rows_of_the_table_if_some_are_left_out(run, table):
    left = LEFT.astype(object)
    left[[2, 5]] = None
    cells = [str(v) for v in SIZE]
    cells[10] = "1e999"
    table(left=left, price=cells)
    assert "too large to use, in row 11" in run(*FIT, "--drop-unlabelled")[2]


def test_lines_above_the_header(run, table, tmp_path):
    table()
    text = (tmp_path / "t.csv").read_text()
    (tmp_path / "t.csv").write_text(f"# exported\n# on Monday\n{text}")
    code, _, errors = run(*FIT)
    assert code == 2
    assert "the header names 1 column: '# exported'" in errors
    assert "--skip-rows 2" in errors
    assert run(*FIT, "--skip-rows", "2")[0] == 0
    assert run("predict", "m.rdep", "t.csv", "--skip-rows", "2")[0] == 0


def test_a_table_without_header_is_recognised(run, tmp_path):
    (tmp_path / "t.csv").write_text("".join(f"{v},{k},{LEFT[k]}\n" for k, v in enumerate(SIZE)))
    errors = run(*FIT)[2]
    assert "has no column 'left'" in errors
    assert "Its first line looks like a row and not like names of columns" in errors


def test_json_lines_in_fit_predict_and_out(run, table, tmp_path):
    table("t.jsonl", id=[f"{k:03d}" for k in range(N)])
    command = ("t.jsonl", "-t", "left", "--drop", "id", "--estimator", "dep", "-o", "m.rdep")
    assert run("fit", *command)[0] == 0
    code, out, _ = run("predict", "m.rdep", "t.jsonl", "--json", "--keep", "id,size")
    assert code == 0
    first = json.loads(out.splitlines()[0])
    assert first["id"] == "000"
    assert first["size"] == SIZE[0]
    table()
    expected = run("predict", "m.rdep", "t.csv", "--json")[1]
    predicted = [json.loads(line)["score"] for line in out.splitlines()]
    assert predicted == [json.loads(line)["score"] for line in expected.splitlines()]


def test_kept_columns_have_their_types(run, table, tmp_path):
    columns = {"count": range(N), "code": [f"{k:03d}" for k in range(N)], "flag": ["TRUE"] * N}
    table(**columns, late=[*range(N - 1), "x"])
    names = ",".join(columns)
    assert run(*FIT, "--drop", f"{names},late")[0] == 0
    code, out, _ = run("predict", "m.rdep", "t.csv", "--json", "--keep", f"{names},late,size")
    assert code == 0
    row = json.loads(out.splitlines()[1])
    assert {name: row[name] for name in (*columns, "late", "size")} == {
        "count": 1,
        "code": "001",
        "flag": True,
        "late": "1",  # one of the others is a word
        "size": SIZE[1],
    }
    assert run("predict", "m.rdep", "t.csv", "-o", "p.parquet", "--keep", names)[0] == 0
    kinds = pd.read_parquet("p.parquet").dtypes
    assert kinds["count"] == np.int64
    assert kinds["flag"] == np.bool_
    run("predict", "m.rdep", "t.csv", "-o", "p.csv", "--keep", "flag", "--keep", "code")
    assert pd.read_csv("p.csv", dtype=str)[["flag", "code"]].iloc[1].tolist() == ["TRUE", "001"]


def test_the_name_of_a_result_has_a_way_out_and_wrong_names_a_hint(run, table):
    table(score=SIZE)
    assert run(*FIT)[0] == 0
    code, out, errors = run("predict", "m.rdep", "t.csv", "--keep", "score")
    assert code == 0
    assert out.startswith("kept_score,prediction,score\n")
    assert "is kept as 'kept_score'" in errors
    errors = run("predict", "m.rdep", "t.csv", "--keep", "Colour")[2]
    assert "has no column 'Colour' to keep; did you mean 'colour'?" in errors
    pd.read_csv("t.csv").rename(columns={"size": "Size"}).to_csv("new.csv", index=False)
    errors = run("predict", "m.rdep", "new.csv")[2]
    assert "lacks a column that the model needs: 'size'; did you mean 'Size'? Then rename" in errors


def test_new_categories_are_counted(run, table):
    table()
    assert run(*FIT)[0] == 0
    colours = FRAME["colour"].to_numpy().copy()
    colours[[10, 20, 30]] = ["pink", "lilac", "pink"]
    table("new.csv", colour=colours)
    code, _, errors = run("predict", "m.rdep", "new.csv")
    assert code == 2
    assert "'pink' in row 11" in errors
    assert "In all, 3 of 60 rows have such a category" in errors
    code, _, errors = run("predict", "m.rdep", "new.csv", "--ignore-new-categories")
    assert code == 0
    assert "3 of 60 rows have a category that the model has not seen" in errors


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("fit", "t.csv", "-t", "left", "-o", "out.csv"), "'out.csv' is not that of a model file"),
        (("export", "m.rdep", "--onnx", "t.txt"), "'t.txt' is not that of an ONNX graph"),
    ],
)
def test_outputs_with_the_ending_of_another_format_are_refused(run, table, command, message):
    table()
    code, _, errors = run(*command)
    assert code == 2
    assert message in errors


def test_many_columns_are_inspected_in_few_lines(run):
    columns = {f"c{k}": RNG.normal(size=N) for k in range(300)}
    pd.DataFrame({**columns, "left": LEFT}).to_csv("t.csv", index=False)
    assert run(*FIT)[0] == 0
    out = run("inspect", "m.rdep")[1]
    assert len(out.splitlines()) < 150
    assert out.endswith("and 270 more\n")


@pytest.mark.parametrize(
    ("value", "advice"), [("true", "write --json alone"), ("false", "leave it out")]
)
def test_a_value_of_a_flag_is_explained(run, value, advice):
    code, _, errors = run("predict", "m.rdep", "t.csv", "--json", value)
    assert code == 2
    assert f"--json takes no value, such as '{value}': {advice}" in errors


@pytest.mark.parametrize("command", [(), ("predict",), ("evaluate",)])
def test_help_shows_flags_without_a_value(run, command):
    assert "<bool>" not in run(*command, "--help")[1]


def test_formats_are_all_listed(run, table, tmp_path):
    table()
    (tmp_path / "t.csv").write_bytes(b"\x7fELF\0\0\1\0")
    errors = run(*FIT)[2]
    for name in ("CSV", "Parquet", "Feather", "ARFF", "JSON lines", "Excel", "OpenDocument"):
        assert name in errors


def test_a_classifier_in_a_file_of_the_current_folder_is_found(run, table, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [place for place in sys.path if place not in ("", ".")])
    table()
    (tmp_path / "own_dummy_file.py").write_text(
        "from sklearn.dummy import DummyClassifier\nmine = DummyClassifier()\n"
    )
    code, out, errors = run(
        "evaluate", "t.csv", "-t", "left", "--folds", "2", "--classifiers", "dep",
        "--add-classifier", "mine=own_dummy_file:mine", "-o", "report",
    )  # fmt: skip
    assert code == 0, errors
    assert "mine" in out


def test_matplotlib_does_not_tell_where_its_cache_is(run):
    """Without a writable home it logs two lines, as a warning."""
    logging.getLogger("matplotlib").setLevel(logging.NOTSET)
    run("--version")
    assert not logging.getLogger("matplotlib.font_manager").isEnabledFor(logging.WARNING)
