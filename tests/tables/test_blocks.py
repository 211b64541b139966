"""Tables in blocks against pandas and against the same table in one piece."""

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rdep.datasets._arff import read_arff
from rdep.tables import _csv, _formats
from rdep.tables._blocks import read_blocks, read_table
from rdep.tables._cells import MISSING

from ..real_tables import frame_of, path_of


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(_csv, "_BLOCK_BYTES", 4096)
    monkeypatch.setattr(_csv, "_BYTES_PER_CELL", 1)
    monkeypatch.setattr(_formats, "_ROWS", 100)


def joined(source):
    """All blocks one after the other, and their number."""
    found = list(read_blocks(str(source)))
    first_rows = [block.first_row for block in found]
    lengths = [block.table.num_rows for block in found]
    assert first_rows == [1, *(1 + np.cumsum(lengths)[:-1])]
    frames = [block.table.to_pandas() for block in found]
    return pd.concat(frames, ignore_index=True), len(found)


def test_csv_is_what_pandas_reads(tmp_path, data_dir, small_blocks):
    path = tmp_path / "table.csv"
    frame_of(data_dir, "credit-approval-1").to_csv(path, index=False)
    expected = pd.read_csv(path, dtype=str, na_values=list(MISSING), keep_default_na=False)
    found, n_blocks = joined(path)
    assert n_blocks > 3
    pd.testing.assert_frame_equal(found, expected)
    with gzip.open(tmp_path / "table.csv.gz", "wb") as file:
        file.write(path.read_bytes())
    pd.testing.assert_frame_equal(joined(tmp_path / "table.csv.gz")[0], expected)


def test_arff_is_what_its_reader_reads(data_dir, small_blocks):
    path = data_dir / "openml" / "credit-approval-1.arff"
    found, n_blocks = joined(path)
    assert n_blocks == 7
    whole = read_arff(path)
    for column in whole.columns:
        codes = whole.column(column)
        if column in whole.categories:
            names = np.array(whole.categories[column], dtype=object)
            known = found[column].notna().to_numpy()
            assert np.array_equal(known, ~np.isnan(codes))
            assert found[column][known].tolist() == names[codes[known].astype(int)].tolist()
        else:
            np.testing.assert_array_equal(found[column].to_numpy(float), codes)


def test_parquet_is_what_was_written(tmp_path, data_dir, small_blocks):
    frame = frame_of(data_dir, "credit-approval-1").sample(350, random_state=0)
    frame.to_parquet(tmp_path / "table.parquet")  # with pandas' numbering of the rows
    found, n_blocks = joined(tmp_path / "table.parquet")
    assert n_blocks == 4
    pd.testing.assert_frame_equal(found, frame.reset_index(drop=True))


@pytest.mark.parametrize("kind", ["csv", "parquet", "arff"])
def test_standard_input(tmp_path, data_dir, monkeypatch, kind):
    frame = frame_of(data_dir, "phoneme-1")[:50]
    path = tmp_path / "table"
    if kind == "arff":
        lines = Path(path_of(data_dir, "phoneme-1")).read_text().splitlines(keepends=True)
        start = next(k for k, line in enumerate(lines) if line.strip().lower() == "@data")
        path.write_text("".join(lines[: start + 51]))
    else:
        getattr(frame, f"to_{kind}")(path, index=False)

    class Pipe(io.RawIOBase):
        content = io.BytesIO(path.read_bytes())

        def readable(self):
            return True

        def readinto(self, buffer):
            return self.content.readinto(buffer)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe())))
    found = read_table("-").table.to_pandas()
    assert found.shape == frame.shape
    np.testing.assert_array_equal(found["V1"].astype(float), frame["V1"])


@pytest.mark.parametrize(
    "text",
    [
        'a,b\n"x, y",1\n"two\nlines",2\n',
        'a;b\nx, y;1\n"two\nlines";2\n',
        'a\tb\nx, y\t1\n"two\nlines"\t2\n',
        'a|b\r\nx, y|1\r\n"two\nlines"|2\r\n',
        '\ufeff"a","b"\n "x, y" ,1\n"two\nlines", 2 '.replace(' "x, y" ', '"x, y"'),
    ],
)
def test_dialects_of_csv(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8", newline="")
    table = read_table(str(path)).table
    assert table.to_pydict() == {"a": ["x, y", "two\nlines"], "b": ["1", "2"]}


def test_rows_are_counted_through_all_blocks(tmp_path, small_blocks):
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1,2\n" * 5000 + "3\n")
    with pytest.raises(ValueError, match="row 5001 of .* has 1 values, the header names 2"):
        list(read_blocks(str(path)))
    path.write_bytes(b"a,b\n" + b"1,2\n" * 5000 + b"3,\xff\n")
    with pytest.raises(ValueError, match=r"UTF-8 encoding \(row 5001, column 'b'\)"):
        list(read_blocks(str(path)))
    path.write_text("@relation r\n@attribute a {x,y}\n@data\n" + "x\n" * 250 + "z\n")
    with pytest.raises(ValueError, match="rows 201 to 251, cannot be read as ARFF"):
        list(read_blocks(str(path)))


def test_an_open_quotation_mark(tmp_path, small_blocks):
    path = tmp_path / "table.csv"
    path.write_text('a,b\n1,"2\n' + "1,2\n" * 5000)
    with pytest.raises(ValueError, match="is a quotation mark not closed"):
        list(read_blocks(str(path)))
