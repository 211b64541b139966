"""Tables of data: reading them in blocks, what a model expects of them, and models for them."""

from ._encoding import CategoryEncoder
from ._model import TableModel, fit_table
from ._schema import Column, Schema

__all__ = ["CategoryEncoder", "Column", "Schema", "TableModel", "fit_table"]
