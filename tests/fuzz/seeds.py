"""Well-formed files to begin from: most damage is near something that works."""

import gzip
import io
import lzma
import tempfile
from pathlib import Path

import pandas as pd

from rdep import DEPClassifier
from rdep.datasets import load_ripley
from rdep.model_files import save_model
from rdep_experiment.run._store import FORMAT, encode

from .readers import IDENTITY

ARFF = b"""% a comment
@relation small
@attribute 'a b' integer
@attribute colour {red, 'dark blue'}
@attribute y {n, y}
@data
1, red, n
?, 'dark blue', y
{0 3, 2 y}
""".replace(b"{0 3, 2 y}\n", b"2, red, y\n")
CSV = """a,colour,y
1,red,n
,blue,y
3.5,"gr,ün",n
2,red,y
""".encode()
JSON_LINES = b"""{"a": 1, "colour": "red", "y": "n"}
{"colour": "blue", "y": "y", "flag": true}
{"a": 3.5, "colour": "gr,\\u00fcn", "y": "n"}
{"a": null, "colour": "red", "y": "y"}
"""
STORE = encode({"format": FORMAT, "protocol": IDENTITY}) + b"".join(
    encode({"dataset": "ä", "repeat": 0, "fold": fold, "classifier": "dep", "score": fold / 3})
    for fold in range(3)
)


def _parquet() -> bytes:
    buffer = io.BytesIO()
    pd.read_csv(io.BytesIO(CSV)).to_parquet(buffer)
    return buffer.getvalue()


def _workbook() -> bytes:
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer, engine="xlsxwriter") as writer:
        pd.read_csv(io.BytesIO(CSV)).to_excel(writer, index=False)
    return buffer.getvalue()


def _feather() -> bytes:
    buffer = io.BytesIO()
    pd.read_csv(io.BytesIO(CSV)).to_feather(buffer)
    return buffer.getvalue()


def _model() -> bytes:
    X, _, y, _ = load_ripley()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.rdep"
        save_model(DEPClassifier().fit(X, y), path)
        return path.read_bytes()


SEEDS = {
    "arff": ARFF,
    "gzipped_arff": gzip.compress(ARFF, mtime=0),
    "arff_text": ARFF,
    "table": CSV,
    "parquet": _parquet(),
    "workbook": _workbook(),
    "feather": _feather(),
    "json_lines": JSON_LINES,
    "model": _model(),
    "store": STORE,
    "packed_store": lzma.compress(STORE),
}
