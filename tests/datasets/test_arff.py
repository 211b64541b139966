"""ARFF as other programs write it."""

import pytest

from rdep.datasets._arff import parse_arff, read_arff
from rdep.tables._blocks import read_table

WITH_DATES = """@relation visits
@attribute when date 'yyyy-MM-dd'
@ATTRIBUTE "last visit"  DATE
@attribute 'due date' numeric
@attribute note string
@attribute y {n, y}
@data
2024-01-30, "2024-01-30 10:00:00", 1, 'so, so', n
?, 2024-01-31, 2, ?, y
"""


def test_dates_and_texts_in_tables(tmp_path):
    path = tmp_path / "visits.arff"
    path.write_text(WITH_DATES)
    assert read_table(str(path)).table.to_pydict() == {
        "when": ["2024-01-30", None],
        "last visit": ["2024-01-30 10:00:00", "2024-01-31"],
        "due date": [1.0, 2.0],
        "note": ["so, so", None],
        "y": ["n", "y"],
    }


def test_dates_and_texts_are_no_numbers():
    with pytest.raises(ValueError, match=r"free text or dates, \['when'"):
        parse_arff(WITH_DATES, "x")
    table = parse_arff(WITH_DATES, "x", free_text=True)
    assert table.column("due date").tolist() == [1.0, 2.0]
    assert table.texts["note"] == ["so, so", None]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(tmp_path, end):
    path = tmp_path / "data.arff"
    text = "% one\n@relation r\n@attribute a numeric\n@attribute y {n,y}\n@data\n1,n\n2,y\n"
    path.write_bytes(text.replace("\n", end).encode())
    assert read_arff(path).values.tolist() == [[1.0, 0.0], [2.0, 1.0]]
    assert read_table(str(path)).table.to_pydict() == {"a": [1.0, 2.0], "y": ["n", "y"]}
