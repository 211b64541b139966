"""Workbooks as people save them."""

import datetime
import io

import pytest
import xlsxwriter

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
    with pytest.warns(UserWarning, match="t.xlsx has 2 sheets: 'Sheet1' is read, and not 'Sheet2'"):
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
