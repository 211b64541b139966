"""One table in every format: the same schema, the same model, the same predictions."""

import bz2
import csv
import gzip
import io
import lzma
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rdep.tables import ReadOptions, fit_table
from rdep.tables._blocks import read_blocks
from rdep.tables._matching import matching_frame
from rdep.tables._scoring import predictions, score_table
from rdep.tables._training_table import read_training_table

# Of the Latin-1 alphabet, so that every encoding has them.
WORDS = ["red", "dark blue", "grün", 'say "x"', "a,b", "x;y", "p|q", "l'eau", "5 %", "1.5.2"]
TARGETS = [["no", "yes"], [False, True], [0, 3], ["ja", "nö", "?!"]]


def csv_text(frame, **dialect):
    return frame.to_csv(index=False, **dialect)


def encoded(encoding, **dialect):
    return lambda frame: csv_text(frame, **dialect).encode(encoding)


def arrow(codec):
    def write(frame):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, codec) as stream:
            stream.write(csv_text(frame).encode())
        return sink.getvalue().to_pybytes()

    return write


def zipped(frame):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("folder/table.csv", csv_text(frame))
    return buffer.getvalue()


def parquet(frame):
    return frame.to_parquet(index=False)


def parquet_of_floats(frame):
    """As pandas has it when there are gaps: integers as floats, categories as dictionaries."""
    return frame.astype({"grade": float, "colour": "category"}).to_parquet(index=False)


def feather(frame):
    buffer = io.BytesIO()
    frame.to_feather(buffer)
    return buffer.getvalue()


def excel(frame):
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer, engine="xlsxwriter") as writer:
        frame.to_excel(writer, index=False)
    return buffer.getvalue()


def arff(frame):
    def quoted(value):
        return "'" + str(value).replace("'", "\\'") + "'"

    lines = ["@relation table"]
    for name in frame:
        numeric = pd.api.types.is_numeric_dtype(frame[name]) and frame[name].dtype.kind != "b"
        values = frame[name].dropna().unique()
        kind = "numeric" if numeric else "{" + ", ".join(map(quoted, values)) + "}"
        lines.append(f"@attribute {name} {kind}")
        cells = frame[name].map(str if numeric else quoted).astype(object)
        frame = frame.assign(**{name: cells.where(frame[name].notna(), "?")})
    rows = [",".join(row) for row in frame.itertuples(index=False)]
    return "\n".join([*lines, "@data", *rows]).encode()


FORMATS = {
    "CSV": (encoded("utf-8"), {}),
    "semicolons": (encoded("utf-8", sep=";", quoting=csv.QUOTE_NONNUMERIC), {}),
    "tabs": (encoded("utf-8", sep="\t"), {}),
    "bars, Windows": (encoded("utf-8", sep="|", lineterminator="\r\n"), {}),
    "old Mac": (encoded("utf-8", lineterminator="\r"), {}),
    "decimal commas": (encoded("utf-8", sep=";", decimal=","), {}),
    "decimal commas in quotes": (
        encoded("utf-8", decimal=",", quoting=csv.QUOTE_ALL), {"decimal": ","},
    ),
    "another separator": (encoded("utf-8", sep="~"), {"sep": "~"}),
    "a word for gaps": (encoded("utf-8", na_rep="n.a."), {"na_values": ("n.a.",)}),
    "byte order mark": (encoded("utf-8-sig"), {}),
    "UTF-16": (encoded("utf-16", sep="\t"), {}),
    "UTF-16 without a mark": (encoded("utf-16-le"), {"encoding": "utf-16-le"}),
    "Latin-1": (encoded("latin-1"), {"encoding": "latin-1"}),
    "gzip": (lambda frame: gzip.compress(csv_text(frame).encode()), {}),
    "bzip2": (lambda frame: bz2.compress(csv_text(frame).encode()), {}),
    "xz": (lambda frame: lzma.compress(csv_text(frame).encode()), {}),
    "zstd": (arrow("zstd"), {}),
    "lz4": (arrow("lz4"), {}),
    "zip": (zipped, {}),
    "Parquet": (parquet, {}),
    "Parquet of floats": (parquet_of_floats, {}),
    "gzipped Parquet": (lambda frame: gzip.compress(parquet(frame)), {}),
    "Feather": (feather, {}),
    "ARFF": (arff, {}),
    "Excel": (excel, {}),
}  # fmt: skip


@st.composite
def tables(draw):
    """Numbers, grades to be taken as categories, truth values, texts; gaps in all of them."""
    n_rows = draw(st.integers(12, 30))

    def column(values, first):
        drawn = draw(st.lists(values, min_size=n_rows - len(first), max_size=n_rows - len(first)))
        return [*first, *drawn]

    classes = draw(st.sampled_from(TARGETS))
    hundredths = st.integers(-99_999, 99_999).map(lambda k: k / 100)
    return pd.DataFrame(
        {
            "price": pd.array(column(st.none() | hundredths, [0.25, 1.5]), "float64"),
            "grade": pd.array(column(st.none() | st.integers(-2, 12), [1, 2]), "Int64"),
            "flag": pd.array(column(st.none() | st.booleans(), [True, False]), "boolean"),
            "colour": pd.array(column(st.none() | st.sampled_from(WORDS), WORDS[:2]), "str"),
            "y": column(st.sampled_from(classes), 2 * classes),
        }
    )


def in_every_format(frame, formats):
    """The file of each format in turn, and how to read it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table"
        for name in formats:
            write, options = FORMATS[name]
            path.write_bytes(write(frame))
            yield name, str(path), ReadOptions(**options)


def check_tables(frame, formats):
    """What a model is fitted on, and what it is given to predict, is the same to the last bit."""
    first = None
    for name, path, options in in_every_format(frame, formats):
        table = read_training_table(path, "y", categorical=("grade",), options=options)
        first = first or table
        assert table.schema == first.schema, name
        assert table.y.tolist() == first.y.tolist(), name
        (block,) = read_blocks(path, options)
        for found in (table.frame, matching_frame(block, first.schema)):
            pd.testing.assert_frame_equal(found, first.frame, check_exact=True, obj=name)


def check_models(frame, formats):
    """A model of each format predicts the same; so does that of the first, from each format."""
    first = expected = None
    for name, path, options in in_every_format(frame, formats):
        model = fit_table(path, "y", "ritter_sussner", categorical=("grade",), options=options)
        output = Path(path).with_name("out.csv")
        if first is None:
            rows = read_training_table(path, "y", categorical=("grade",), options=options).frame
            first, expected = model, model.estimator.decision_function(rows)
            score_table(predictions, first, path, output, options=options)
            written = output.read_bytes()
        assert np.array_equal(model.estimator.decision_function(rows), expected), name
        score_table(predictions, first, path, output, options=options)
        assert output.read_bytes() == written, name


@pytest.mark.parametrize(("check", "examples"), [(check_tables, 3), (check_models, 1)])
def test_one_table_in_every_format(check, examples):
    # Without shrinking, which would take minutes: the tables are small.
    @settings(max_examples=examples, deadline=None, phases=[Phase.generate])
    @given(tables())
    def run(frame):
        check(frame, FORMATS)

    run()


@pytest.mark.parametrize("check", [check_tables, check_models])
def test_a_format_that_is_read_wrongly_would_be_found(check, monkeypatch):
    """The comparison sees one cell that differs."""
    frame = pd.DataFrame(
        {
            "price": np.linspace(0.25, 5, 20),
            "grade": pd.array([1, 2] * 10, "Int64"),
            "flag": pd.array([True, False, None, True] * 5, "boolean"),
            "colour": pd.array(["red", "blue"] * 10, "str"),
            "y": ["no"] * 9 + ["yes"] * 11,
        }
    )
    check(frame, ["CSV", "Parquet"])
    changed = frame.assign(price=frame["price"].where(frame.index != 19, 7.75))
    monkeypatch.setitem(FORMATS, "changed", (lambda _: parquet(changed), {}))
    with pytest.raises(AssertionError, match="changed"):
        check(frame, ["CSV", "changed"])
