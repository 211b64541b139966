"""The regression tables: which of them are reported, and their rows.

Tables come from the folder ``regression`` of the data directory, tab-separated with a column
``target``. Names that begin with A to M were used to choose defaults; the others, and simulated
ones, are reported. Tables with more than 500 rows are drawn down to that number.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from .measure import is_trial, sized
from .problems import data_dir

MOST_ROWS = 500
SIMULATED = ("fri_", "pwLinear")


def is_reported(name: str) -> bool:
    """Whether a table was not used for any choice."""
    return name.startswith(SIMULATED) or name[0].upper() > "M"


def paths() -> dict[str, Path]:
    """The files by the names of the tables."""
    files = sorted((data_dir() / "regression").glob("*.tsv.gz"))
    return {path.name.removesuffix(".tsv.gz"): path for path in files}


def read(path: Path, most_rows: int = MOST_ROWS) -> tuple[np.ndarray, np.ndarray]:
    """Features and targets."""
    frame = pd.read_csv(path, sep="\t")
    if len(frame) > sized(most_rows):
        frame = frame.sample(sized(most_rows), random_state=0)
    return frame.drop(columns="target").to_numpy(float), frame["target"].to_numpy(float)


def made_up() -> tuple[np.ndarray, np.ndarray]:
    """Few rows for a trial run."""
    X = np.random.default_rng(0).normal(size=(sized(60), 3))
    return X, X @ np.arange(1.0, 4.0) + np.abs(X[:, 0])


def reported() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The reported tables; in a trial run one that is made up."""
    if is_trial():
        return {"made up": made_up()}
    return {name: read(path) for name, path in paths().items() if is_reported(name)}
