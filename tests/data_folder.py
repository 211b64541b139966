"""The real data that tests and benchmarks read: where RDEP_DATA_DIR says."""

import os
from pathlib import Path


def data_folder() -> Path | None:
    """The folder, or None where the variable is not set."""
    folder = os.environ.get("RDEP_DATA_DIR")
    return Path(folder) if folder else None
