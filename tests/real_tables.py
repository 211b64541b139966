"""Real tables with categories and gaps, and their models in ONNX Runtime."""

from functools import cache

import numpy as np
from onnxruntime import InferenceSession, SessionOptions

from rdep.onnx import to_onnx
from rdep.tables._blocks import read_table
from rdep.tables._schema import NUMBER

# Target columns of the files in the data folder.
TARGETS = {
    "credit-g-1": "class",
    "mushroom-1": "class",
    "credit-approval-1": "class",
    "sick-1": "Class",
    "phoneme-1": "Class",
}


def path_of(data_dir, name):
    return str(data_dir / "openml" / f"{name}.arff")


@cache
def frame_of(data_dir, name):
    """All rows and columns, texts as texts, gaps as gaps."""
    return read_table(path_of(data_dir, name)).table.to_pandas()


def write_sample(data_dir, name, path, n_rows=1500):
    """Some rows as a CSV file: a part of the larger data sets, as they take long to fit."""
    frame = frame_of(data_dir, name)
    frame.sample(min(n_rows, len(frame)), random_state=1).to_csv(path, index=False)
    return path


def thousand_rows(data_dir, name, schema):
    """1000 rows drawn from all, twice the same where there are not as many."""
    frame = frame_of(data_dir, name)
    chosen = frame.sample(1000, replace=len(frame) < 1000, random_state=2)
    return chosen[schema.names].reset_index(drop=True)


def run_onnx(model, feeds, **arguments):
    options = SessionOptions()
    options.intra_op_num_threads = 1
    proto = to_onnx(model, **arguments)
    session = InferenceSession(proto.SerializeToString(), options)
    return session.run(None, feeds)


def column_feeds(schema, frame):
    """One tensor for each column, gaps as the graph documents them."""
    feeds = {}
    for column in schema.columns:
        values = frame[[column.name]]
        if column.kind == NUMBER:
            feeds[column.name] = values.to_numpy(np.float64)
        else:
            feeds[column.name] = values.astype(object).where(values.notna(), "").to_numpy(object)
    return feeds
