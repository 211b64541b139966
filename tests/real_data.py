"""The paper's data sets from a folder of ARFF files."""

import gzip
import io
import json

import numpy as np
from scipy.io.arff import loadarff
from sklearn.impute import SimpleImputer


def load(data_dir, name):
    """X with nominal values as codes in declaration order and missing ones imputed; y 0 and 1."""
    entries = json.loads((data_dir / "openml" / "manifest.json").read_text())
    entry = next(entry for entry in entries if entry["name"] == name)
    raw = (data_dir / "openml" / entry["file"]).read_bytes()
    text = (gzip.decompress(raw) if entry["file"].endswith(".gz") else raw).decode()
    table, meta = loadarff(io.StringIO(text))
    columns = {column: codes(table[column], *meta[column]) for column in meta.names()}
    y = columns.pop(entry["target"]).astype(int)
    return SimpleImputer().fit_transform(np.column_stack(list(columns.values()))), y


def codes(values, kind, names):
    if kind != "nominal":
        return values.astype(float)
    code = {name.encode(): number for number, name in enumerate(names)}
    return np.array([code.get(value, np.nan) for value in values], dtype=float)
