"""What a file is, from its first bytes: read, or refused with what to do."""

import bz2
import gzip
import io
import lzma
import pickle
import sys
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from rdep.tables import ReadOptions
from rdep.tables._blocks import read_blocks, read_table

CSV = b"a,b\n" + b"1,x\n2,y\n" * 500


def zstd(content):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


def zipped(**files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


COMPRESSED = {
    "gzip": gzip.compress(CSV),
    "bzip2": bz2.compress(CSV),
    "xz": lzma.compress(CSV),
    "zstd": zstd(CSV),
    "zip": zipped(table=CSV),
}


@pytest.mark.parametrize("kind", COMPRESSED)
def test_half_a_compressed_file(tmp_path, kind):
    path = tmp_path / "table.csv"
    content = COMPRESSED[kind]
    for n_bytes in (len(content) // 3, len(content) - 5):
        path.write_bytes(content[:n_bytes])
        with pytest.raises(ValueError, match=r"table.csv is (damaged or cut off|a zip archive)"):
            read_table(str(path))


@pytest.mark.parametrize("kind", COMPRESSED)
def test_compressed_standard_input(monkeypatch, kind):
    class Pipe(io.RawIOBase):
        content = io.BytesIO(COMPRESSED[kind])

        def readable(self):
            return True

        def readinto(self, buffer):
            return self.content.readinto(buffer)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Pipe())))
    assert read_table("-").table.num_rows == 1000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (pickle.dumps({"a": [1]}), "is a Python pickle .it could run any code. and cannot be read"),
        (b'[\n {"a": 1}]', "is one JSON document and cannot be read: write JSON lines instead"),
        (b'{"a": 1\n', "is not JSON"),
        (b"\n  <html>", "is HTML or XML"),
        (b"\x93NUMPY\x01\0", "is a NumPy array"),
        (b"SQLite format 3\0", "is an SQLite database"),
        (b"\x89HDF\r\n", "is an HDF5 file"),
        (b"FEA1\0\0\0\0", "is a Feather file of the first version .*: write it again"),
        (
            "a,b\n1,2\n".encode("utf-16-le"),
            r"seems to be text in UTF-16: .*encoding='utf-16-le'",
        ),
        (
            "a,b\n1,2\n".encode("utf-16-be"),
            r"seems to be text in UTF-16: .*encoding='utf-16-be'",
        ),
        (b"\x7fELF\0\0\1\0", "is not text but binary data of an unknown kind"),
        (zipped(one=CSV, two=CSV), "is a zip archive of 2 files: unpack it"),
        (zipped(**{"rdep.json": "{}"}), "is a model file of rdep: a table is needed here"),
        (gzip.compress(gzip.compress(gzip.compress(CSV))), "is compressed more than 2 times"),
        (b"PK\x03\x04" + bytes(50), "is a zip archive that cannot be read"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "is damaged or not a workbook"),
        (b"ARROW1\0\0" + bytes(50), "is damaged or not an Arrow file"),
        (b"PAR1" + bytes(50), "is damaged or not a Parquet file"),
    ],
    ids=lambda value: value if isinstance(value, str) else "content",  # bytes have a time in them
)
def test_what_is_no_table(tmp_path, content, message):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"table.csv {message}"):
        read_table(str(path))


@pytest.mark.parametrize("name", ["PAR1", "ARROW1", "FEA1", "BZh9", "PK", "ORC", "7z", "Obj"])
def test_headers_that_begin_like_another_format(tmp_path, name):
    path = tmp_path / "table.csv"
    path.write_text(f"{name},{name}2,y\n1,2,x\n")
    assert read_table(str(path)).table.column_names == [name, f"{name}2", "y"]


def test_what_macos_adds_to_an_archive_is_ignored(tmp_path):
    path = tmp_path / "table.zip"
    path.write_bytes(zipped(table=CSV, **{"__MACOSX/table": b"\0\1"}))
    assert read_table(str(path)).table.num_rows == 1000


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["", "xl/workbook.xml"], "is damaged or not a workbook"),
        (["", "table.csv"], "is a zip archive of 2 files"),
    ],
)
def test_an_archive_with_an_entry_without_a_name(tmp_path, names, message):
    path = tmp_path / "table.xlsx"
    path.write_bytes(zipped(**dict.fromkeys(names, CSV)))
    with pytest.raises(ValueError, match=message):
        read_table(str(path))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-32", "shift_jis"])
def test_long_texts_in_other_encodings(tmp_path, encoding):
    """Letters are cut where a part of the file ends, and put together again."""
    word = "ソ" if encoding == "shift_jis" else "é"
    path = tmp_path / "table.csv"
    path.write_text(f"{word},b\n" + f"x{word},1\n" * 50_000, encoding=encoding)
    options = ReadOptions(encoding=None if encoding in ("utf-16", "utf-32") else encoding)
    column = read_table(str(path), options).table.column(word)
    assert column.unique().to_pylist() == [f"x{word}"]
    assert len(column) == 50_000


def test_another_encoding_than_was_said(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 30_000 + b"\xff,1\n")
    with pytest.raises(ValueError, match="not text in the encoding ascii, from about line .*give"):
        read_table(str(path), ReadOptions(encoding="ascii"))


def test_the_share_is_that_of_the_block_not_of_what_was_read_ahead(tmp_path, monkeypatch):
    monkeypatch.setattr("rdep.tables._csv._BLOCK_BYTES", 1 << 16)
    monkeypatch.setattr("rdep.tables._csv._BYTES_PER_CELL", 1)
    path = tmp_path / "table.csv"
    frame = pd.DataFrame({"a": range(100_000), "b": 0.5})
    frame.to_csv(path, index=False)
    shares = [block.share for block in read_blocks(str(path))]
    assert len(shares) > 5
    for share, block in zip(shares, read_blocks(str(path)), strict=True):
        rows = (block.first_row - 1 + block.table.num_rows) / 100_000
        assert share == pytest.approx(rows, abs=0.15)
    assert shares == sorted(shares)
    frame.to_parquet(tmp_path / "table.parquet")
    shares = [block.share for block in read_blocks(str(tmp_path / "table.parquet"))]
    assert shares == pytest.approx([k / 10 for k in range(1, 11)])


def test_damage_within_the_first_rows(tmp_path):
    """The beginning can be decompressed, and what the header is sought in cannot."""
    random = np.random.default_rng(0)
    rows = "".join(f"{value},x\n" for value in random.normal(size=20_000))
    content = bytearray(gzip.compress(f"a,b\n{rows}".encode()))
    content[10_000:10_050] = bytes(50)
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"table.csv is damaged or cut off"):
        read_table(str(path))
