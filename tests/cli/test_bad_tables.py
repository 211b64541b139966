"""Tables that cannot be used: one line that says why, code 2, and nothing written."""

import gzip

import pandas as pd
import pytest

from rdep.tables._schema import MAX_COLUMNS

from .tables import HEADER, ROWS, with_row, write

MANY_COLUMNS = ",".join(f"c{k}" for k in range(MAX_COLUMNS + 1))

BAD_TO_PREDICT = {
    "a missing column": (
        write("age\n30\n"),
        "new.csv lacks a column that the model needs: 'colour'",
    ),
    "an extra column": (
        write("age,colour,size\n30,red,4\n"),
        "new.csv has a column that the model does not know: 'size'. Remove such columns, or "
        "ignore them with --ignore-extra",
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
    "too many columns": (
        write(MANY_COLUMNS + "\n" + "1," * MAX_COLUMNS + "1\n"),
        f"new.csv has {MAX_COLUMNS + 1:,} columns, at most {MAX_COLUMNS:,} can be used: is the "
        "table transposed",
    ),
    "many extra columns": (
        write(HEADER + "".join(f",c{k}" for k in range(3000)) + "\n" + "1," * 3002 + "1\n"),
        "new.csv has 3,000 columns that the model does not know: 'c0', 'c1', 'c2', 'c3', 'c4' and "
        "2,995 more",
    ),
    "another encoding": (
        lambda path: path.write_bytes("age,colour\n30,grün\n".encode("latin-1")),
        "new.csv is not text in UTF-8 encoding (row 1, column 'colour'): name its encoding, often "
        "--encoding latin-1 or --encoding cp1252",
    ),
    "another encoding of the header": (
        write("age,größe\n30,1\n", "latin-1"),
        "new.csv is not text in UTF-8 encoding",
    ),
    "UTF-16 without a mark": (
        write("age,colour\n30,red\n", "utf-16-be"),
        "new.csv seems to be text in UTF-16: give --encoding utf-16-be",
    ),
    "a word for a missing number": (
        with_row("n.a.,red,no"),
        "column 'age' of new.csv should hold numbers, row 21 has 'n.a.': if that stands for a "
        "missing value, give --na-values n.a.",
    ),
    "decimal commas": (
        with_row('"30,5",red,no'),
        "column 'age' of new.csv should hold numbers, row 21 has '30,5': if that is a decimal "
        "comma, give --decimal ,",
    ),
    "a pickle": (
        lambda path: pd.DataFrame({"age": [1], "colour": ["red"]}).to_pickle(path),
        "new.csv is a Python pickle (it could run any code) and cannot be read: export the table",
    ),
    "JSON lines": (
        write('{"age": 30, "colour": "red"}\n{"age": 30\n'),
        "line 2 of new.csv is not JSON (Expecting ',' delimiter): JSON lines have one object in",
    ),
    "a PDF document": (write("%PDF-1.7\n"), "new.csv is a PDF document and cannot be read"),
    "a web page": (write("<!DOCTYPE html>\n"), "new.csv is HTML or XML and cannot be read"),
    "a model": (
        lambda path: path.write_bytes(path.with_name("churn.rdep").read_bytes()),
        "new.csv is a model file of rdep: a table is needed here",
    ),
    "binary data": (
        lambda path: path.write_bytes(b"x\0y\xff\0\0z" * 20),
        "new.csv is not text but binary data of an unknown kind",
    ),
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
        "column 'age' of new.csv should hold numbers, row 1 has '2024-01-01'",
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
    for command in ("predict", "explain") if kind == "a missing column" else ("predict",):
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
        write("a,b\n1,\n2,\n"), "b", "the target 'b' of new.csv has no values",
    ),
    "a constant target": (
        write("a,b\n1,x\n2,x\n"), "b",
        "the target 'b' of new.csv is constant: every row has x. A classifier needs at least two",
    ),
    "a numbering as the target": (
        write("a,b\n" + "".join(f"{k % 3},{k}\n" for k in range(50))), "b",
        "the target 'b' of new.csv numbers the rows from 0 to 49: choose another column, or",
    ),
    "a class of one row": (
        with_row("1,red,maybe"), "left", "has only one row of class maybe: a class needs at least",
    ),
    "the target alone": (
        write("b\nx\ny\nx\ny\n"), "b", "new.csv has no columns besides the target 'b'",
    ),
    "free text": (
        write("a,b\n" + "".join(f"name {k},{k % 2}\n" for k in range(200))), "b",
        "column 'a' of new.csv has 200 different texts, such as 'name 0', 'name 1': for names or "
        "free text leave the column out (--drop a)",
    ),
    "a number column with a word, of many values": (
        write("a,b\n" + "".join(f"{'n.a.' if k == 7 else k / 8},{k % 2}\n" for k in range(200))),
        "b",
        "column 'a' of new.csv has 200 different texts, most of its cells are numbers: row 8 has "
        "'n.a.'. If that stands for a missing value, give --na-values n.a.",
    ),
    "decimal commas": (
        write("a,b\n" + "".join(f'"{k},25",{k % 2}\n' for k in range(20))), "b",
        "column 'a' of new.csv has numbers with commas, such as '0,25' in row 1: if these are "
        "decimal commas, give --decimal ,",
    ),
    "dates": (
        write("a,b\n" + "".join(f"2024-02-0{1 + k % 9},{k % 2}\n" for k in range(20))), "b",
        "column 'a' of new.csv holds dates, such as '2024-02-01' in row 1: leave it out (--drop "
        "a)",
    ),
    "an empty file": (write(""), "b", "new.csv is empty"),
    "a header only": (write("a,b\n"), "b", "new.csv has a header but no rows of data"),
    "too many columns": (
        write(MANY_COLUMNS), "c0", f"has {MAX_COLUMNS + 1:,} columns, at most",
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
