"""Separators, decimal marks and headers, as people and programs write them."""

import io

import pytest

from rdep.tables import ReadOptions, _csv
from rdep.tables._blocks import read_table
from rdep.tables._csv import read_header


def dialect(text, **options):
    found, rest = read_header(io.BytesIO(text.encode()), "t.csv", ReadOptions(**options))
    return found, rest.read().decode()


@pytest.mark.parametrize(
    ("text", "separator", "names"),
    [
        ('"size (l;w;h)",y\n1,2\n', ",", ["size (l;w;h)", "y"]),
        ('"last, first, middle";y\nx;2\n', ";", ["last, first, middle", "y"]),
        ("last, first;y\nx;2\n", ";", ["last, first", "y"]),  # both once; the rows decide
        ("a;b\n1,5;2,5\n", ";", ["a", "b"]),
        ('5" disk,y\n1,2\n', ",", ['5" disk', "y"]),
        ('"a ""b"";c",d\n1,2\n', ",", ['a "b";c', "d"]),
        ('"two\nlines;x",y\n1,2\n', ",", ["two\nlines;x", "y"]),
        ("a\tb|c\ty\n1\t2\t3\n", "\t", ["a", "b|c", "y"]),
        ("a;b;c\n1;2;3\n\n4;5;6\n", ";", ["a", "b", "c"]),
        ("a,b;c\n1\n", ",", ["a", "b;c"]),  # uneven either way
        ("only\n1\n", ",", ["only"]),
    ],
)
def test_separators_respect_quotes_and_rows(text, separator, names):
    found, rest = dialect(text)
    assert (found.separator, found.names) == (separator, names)
    assert text.endswith(rest)
    assert rest.startswith(("1", "x"))


@pytest.mark.parametrize(
    ("text", "options", "decimal"),
    [
        ("a;b\n1,25;x\n", {}, ","),
        ("a;b\n1,250;x\n", {}, "."),  # may be a thousand
        ("a;b\n1,250;x\n0,5;y\n", {}, ","),
        ("a;b\n0,250;x\n", {}, ","),
        ("a;b\n1,25;1.5\n", {}, "."),
        ("a;b\n1,25;01.02.2024\n", {}, ","),
        ('a,b\n"1,25",x\n', {}, "."),  # quotes may be for a text
        ('a,b\n"1,25",x\n', {"decimal": ","}, ","),
        ("a;b\n1,25;x\n", {"decimal": "."}, "."),
    ],
)
def test_decimal_marks(text, options, decimal):
    assert dialect(text, **options)[0].decimal == decimal


def test_a_header_longer_than_the_first_sample(monkeypatch):
    monkeypatch.setattr(_csv, "_SAMPLE_BYTES", 16)
    names = [f"column {k}" for k in range(100)]
    found, rest = dialect(";".join(names) + "\n" + ";".join("1" * 100) + "\n")
    assert found.names == names
    assert rest == ";".join("1" * 100) + "\n"


def test_a_header_without_end(monkeypatch):
    with pytest.raises(ValueError, match="the first line of t.csv does not name columns"):
        dialect("a" * 200_000 + "\n1\n")
    monkeypatch.setattr(_csv, "_SAMPLE_BYTES", 16)
    monkeypatch.setattr(_csv, "_MAX_HEADER_BYTES", 64)
    with pytest.raises(ValueError, match="the first line of t.csv is longer than 64 MB"):
        dialect("a," * 1000)


@pytest.mark.parametrize("n_bytes", range(1, 40, 3))
def test_letters_and_line_ends_across_samples(monkeypatch, tmp_path, n_bytes):
    """What is read first may end within a letter, or between the two characters of a line end."""
    monkeypatch.setattr(_csv, "_SAMPLE_BYTES", n_bytes)
    path = tmp_path / "t.csv"
    path.write_bytes('ä,ö\r\nß,"é\r\n1"\r\nü,2\r\n'.encode())
    assert read_table(str(path)).table.to_pydict() == {"ä": ["ß", "ü"], "ö": ["é\r\n1", "2"]}


def test_what_is_asked_for_is_done(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a~b\n1;5~x\n")
    table = read_table(str(path), ReadOptions(sep="~")).table
    assert table.to_pydict() == {"a": ["1;5"], "b": ["x"]}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sep": ";;"}, "sep=';;' must be one ASCII character, 'tab' or 'space'"),
        ({"sep": ""}, "must be one ASCII character"),
        ({"sep": '"'}, "must be one ASCII character"),
        ({"sep": "¦"}, "must be one ASCII character"),
        ({"decimal": "'"}, "decimal=.* must be '.' or ','"),
        ({"encoding": "latin-77"}, "encoding='latin-77' is not known: try utf-8"),
        ({"encoding": "hex"}, "is not known"),
    ],
)
def test_options_that_cannot_be_meant(options, message):
    with pytest.raises(ValueError, match=message):
        ReadOptions(**options)
    for written in ("tab", "\\t", "\t"):
        assert ReadOptions(sep=written).separator == "\t"
