"""The optional packages behind tables, imported where they are needed."""

from __future__ import annotations


def pandas():
    """The module, or an error that says how to get it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("tables need pandas: pip install 'rdep[cli]'") from error
    return pandas


def pyarrow():
    """The module with its parts for CSV, Parquet and computing, or how to get it."""
    try:
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("tables need pyarrow: pip install 'rdep[cli]'") from error
    return pyarrow
