"""Workbooks as people save them."""

import datetime
import io
import json

import pytest
import xlsxwriter

from rdep.tables import ReadOptions, _formats
from rdep.tables._blocks import read_table
from rdep.tables._formats import Sheet


def workbook(path, *sheets):
    with xlsxwriter.Workbook(path) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for rows in sheets:
            sheet = book.add_worksheet()
            for i, row in enumerate(rows):
                for j, cell in enumerate(row):
                    if isinstance(cell, datetime.date):
                        sheet.write_datetime(i, j, cell, day)
                    elif cell is not None:
                        sheet.write(i, j, cell)
            sheet.write_blank(len(rows) + 5, 0, None, day)  # a format below the table
    return str(path)


def test_cells_of_all_kinds(tmp_path):
    path = workbook(
        tmp_path / "t.xlsx",
        [
            ["n", 2019, "flag", "text", "when"],
            [1, 2.5, True, " red ", datetime.date(2024, 5, 1)],
            [2, None, False, "NA", datetime.datetime(2024, 5, 1, 7, 30)],
        ],
    )
    assert read_table(path).table.to_pydict() == {
        "n": ["1", "2"],
        "2019": ["2.5", None],
        "flag": ["true", "false"],
        "text": ["red", None],
        "when": ["2024-05-01", "2024-05-01 07:30:00"],
    }


def test_the_first_sheet_with_content_is_read_and_the_others_are_named(tmp_path):
    rows = [["a", "b"], [1, "x"]]
    path = workbook(tmp_path / "t.xlsx", rows, [["c"], [3]])
    with pytest.warns(UserWarning, match="t.xlsx has 2 sheets: 'Sheet1' is read, but not 'Sheet2'"):
        assert read_table(path).table.to_pydict() == {"a": ["1"], "b": ["x"]}


def test_an_empty_workbook(tmp_path):
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        book.add_worksheet()
    with pytest.raises(ValueError, match=r"t.xlsx is empty"):
        read_table(str(tmp_path / "t.xlsx"))


def test_a_small_workbook_that_unfolds_to_much_is_refused(tmp_path, monkeypatch):
    path = workbook(tmp_path / "t.xlsx", [["a", "b"], *([1, "x"],) * 1000])
    monkeypatch.setattr("rdep.tables._formats._MOST_BYTES", 10_000)
    with open(path, "rb") as file, pytest.raises(ValueError, match="possible zip bomb"):
        Sheet(io.BytesIO(file.read()), "t.xlsx", ".")


def two_sheets(path):
    return workbook(path, [["Notes"]], [["made by hand"], [None], ["a", "b"], [1, "x"], [2, "y"]])


def test_a_sheet_is_chosen_by_name_or_number_below_lines_that_are_no_header(tmp_path):
    path = two_sheets(tmp_path / "t.xlsx")
    for chosen in ("Sheet2", "2"):
        options = ReadOptions(sheet=chosen, skip_rows=2)
        assert read_table(path, options).table.to_pydict() == {"a": ["1", "2"], "b": ["x", "y"]}
    with pytest.raises(ValueError, match="has no sheet 'Data'; it has 'Sheet1', 'Sheet2'"):
        read_table(path, ReadOptions(sheet="Data"))
    with pytest.raises(ValueError, match="below 9 rows, the sheet 'Sheet2' of .* is empty"):
        read_table(path, ReadOptions(sheet="Sheet2", skip_rows=9))


def test_rows_above_an_empty_area_count_as_a_person_counts_them(tmp_path):
    with xlsxwriter.Workbook(tmp_path / "t.xlsx") as book:
        sheet = book.add_worksheet()
        for i, row in enumerate([["title"], ["a", "b"], [1, 2]]):
            sheet.write_row(i + 2, 1, row)
    path = str(tmp_path / "t.xlsx")
    assert read_table(path, ReadOptions(skip_rows=3)).table.to_pydict() == {"a": ["1"], "b": ["2"]}


@pytest.mark.filterwarnings("ignore:.*sheets")
def test_messages_name_the_sheet(tmp_path):
    with pytest.raises(ValueError, match="the sheet 'Sheet1' of .*t.xlsx has a header but no rows"):
        read_table(two_sheets(tmp_path / "t.xlsx"))


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("a,b\n1,2\n", {"sheet": "x"}, "is CSV and has no sheets"),
        ('{"a": 1}\n', {"sheet": "x"}, "is JSON lines and has no sheets"),
        ("a\n1\n", {"skip_rows": 5}, "has no header below 5 lines"),
    ],
)
def test_options_that_a_file_has_no_use_for(tmp_path, content, options, message):
    (tmp_path / "t").write_text(content)
    with pytest.raises(ValueError, match=message):
        read_table(str(tmp_path / "t"), ReadOptions(**options))


def test_json_lines(tmp_path):
    (tmp_path / "t.jsonl").write_text(
        '{"n": 1, "x": 1, "flag": true, "id": "007", "mixed": 1, "tags": [1]}\n\n'
        '{"x": 2.5, "flag": null, "id": "NA", "mixed": "a"}\r\n'
        '{"n": null, "x": 3, "later": 9007199254740993}'
    )
    assert read_table(str(tmp_path / "t.jsonl")).table.to_pydict() == {
        "n": [1, None, None],
        "x": [1.0, 2.5, 3.0],
        "flag": [True, None, None],
        "id": ["007", None, None],
        "mixed": ["1", "a", None],
        "tags": [["[1]"], None, None],
        "later": [None, None, 9007199254740993],
    }


def test_json_lines_of_several_blocks_are_those_of_one(tmp_path, monkeypatch):
    rows = [{"a": k, "b": "x" if k == 7 else k, "c": None if k < 5 else k} for k in range(10)]
    (tmp_path / "t.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    whole = read_table(str(tmp_path / "t.jsonl")).table
    monkeypatch.setattr(_formats, "_ROWS", 3)
    assert read_table(str(tmp_path / "t.jsonl")).table.to_pydict() == whole.to_pydict()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}\n3\n', "line 2 of .* is not an object with the names of columns"),
        ('{"a": 1}\n{"a": 2\n', "line 2 of .* is not JSON"),
        ('{"a": ' + "[" * 100_000, "line 1 of .* is not JSON"),
        ('{"a": "\\ud800"}', "not valid Unicode"),
        ('{"": 1}', "column 1 of .* has no name"),
        ("{}", "no rows of data"),
    ],
)
def test_json_lines_that_are_no_table(tmp_path, content, message):
    (tmp_path / "t.jsonl").write_text(content)
    with pytest.raises(ValueError, match=message):
        read_table(str(tmp_path / "t.jsonl"))
