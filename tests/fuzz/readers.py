"""What a stranger's bytes are fed to, and the errors that are documented for each.

Used by hypothesis in the tests and by atheris in ``make fuzz``: each function takes bytes and
returns whether they were accepted. Any other error is a finding.
"""

import tempfile
from pathlib import Path

from rdep.datasets._arff import parse_arff, read_arff
from rdep.model_files import load_model
from rdep_experiment.run._sources import read_table
from rdep_experiment.run._store import RowStore, StoreError, read_rows

IDENTITY = {"n_folds": 2}


def _in_file(name: str, content: bytes, use) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        return use(path)


def _accepted(work, *arguments, errors=(ValueError,)) -> bool:
    try:
        work(*arguments)
    except errors:
        return False
    return True


def arff(content: bytes) -> bool:
    return _in_file("data.arff", content, lambda path: _accepted(read_arff, path))


def gzipped_arff(content: bytes) -> bool:
    return _in_file("data.arff.gz", content, lambda path: _accepted(read_arff, path))


def arff_text(content: bytes) -> bool:
    return _accepted(parse_arff, content.decode("utf-8", "replace"), "data.arff")


def table(content: bytes) -> bool:
    return _in_file("data.csv", content, lambda path: _accepted(read_table, path, "y", "data"))


def parquet(content: bytes) -> bool:
    return _in_file("data.parquet", content, lambda path: _accepted(read_table, path, "y", "data"))


def workbook(content: bytes) -> bool:
    return _in_file("data.xlsx", content, lambda path: _accepted(read_table, path, "y", "data"))


def feather(content: bytes) -> bool:
    return _in_file("data.feather", content, lambda path: _accepted(read_table, path, "y", "data"))


def json_lines(content: bytes) -> bool:
    return _in_file("data.jsonl", content, lambda path: _accepted(read_table, path, "y", "data"))


def model(content: bytes) -> bool:
    return _in_file("model.rdep", content, lambda path: _accepted(load_model, path))


def store(content: bytes) -> bool:
    """A refused file stays as it is; an accepted one can be written to."""

    def use(path):
        readable = _accepted(read_rows, path, errors=(StoreError,))
        row = {"dataset": "d", "repeat": 0, "fold": 0, "classifier": "c"}
        try:
            with RowStore(path, IDENTITY) as rows:
                kept = [*rows.rows, row]
                rows.append(row)
        except StoreError:
            assert path.read_bytes() == content
            return False
        assert read_rows(path) == (IDENTITY, kept)
        return readable

    return _in_file("rows.jsonl", content, use)


def packed_store(content: bytes) -> bool:
    """A refused file stays as it is; an accepted one is unpacked with all its rows."""

    def use(packed):
        path = packed.with_suffix("")
        readable = _accepted(read_rows, path, errors=(StoreError,))
        try:
            with RowStore(path, IDENTITY) as rows:
                kept = rows.rows
        except StoreError:
            assert packed.read_bytes() == content
            return False
        assert not packed.exists()
        assert read_rows(path) == (IDENTITY, kept)
        return readable

    return _in_file("rows.jsonl.xz", content, use)


TARGETS = {
    "arff": arff,
    "gzipped_arff": gzipped_arff,
    "arff_text": arff_text,
    "table": table,
    "parquet": parquet,
    "workbook": workbook,
    "feather": feather,
    "json_lines": json_lines,
    "model": model,
    "store": store,
    "packed_store": packed_store,
}
