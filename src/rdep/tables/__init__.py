"""Tables: reading in blocks, the schema that a model expects, and classifiers fitted on them."""

from ._encoding import CategoryEncoder
from ._model import TableModel, fit_table
from ._read_options import ReadOptions
from ._schema import Column, Schema

__all__ = ["CategoryEncoder", "Column", "ReadOptions", "Schema", "TableModel", "fit_table"]
