"""Well-formed files to begin from: most damage is near something that works."""

import gzip
import io

import pandas as pd

from rdep.experiment.store import FORMAT, encode

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
CSV = 'a,colour,y\n1,red,n\n,blue,y\n3.5,"gr,ün",n\n'.encode()
STORE = encode({"format": FORMAT, "protocol": IDENTITY}) + b"".join(
    encode({"dataset": "ä", "repeat": 0, "fold": fold, "classifier": "dep", "score": fold / 3})
    for fold in range(3)
)


def _parquet() -> bytes:
    buffer = io.BytesIO()
    pd.read_csv(io.BytesIO(CSV)).to_parquet(buffer)
    return buffer.getvalue()


SEEDS = {
    "arff": ARFF,
    "gzipped_arff": gzip.compress(ARFF, mtime=0),
    "arff_text": ARFF,
    "table": CSV,
    "parquet": _parquet(),
    "store": STORE,
}
