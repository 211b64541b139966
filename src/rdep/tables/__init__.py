"""Tables: reading in blocks, the schema that a model expects, and classifiers fitted on them."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._blocks import STANDARD_INPUT as STANDARD_INPUT
    from ._blocks import Block as Block
    from ._calibration import CALIBRATIONS as CALIBRATIONS
    from ._calibration import calibrated as calibrated
    from ._describing import description_text as description_text
    from ._encoding import CategoryEncoder as CategoryEncoder
    from ._layers import first_step as first_step
    from ._layers import inner_classifiers as inner_classifiers
    from ._layers import inside as inside
    from ._model import TableModel as TableModel
    from ._model import fit_table as fit_table
    from ._names import split_names as split_names
    from ._output_formats import output_format as output_format
    from ._packages import pandas as pandas
    from ._pipeline import encoded_frame as encoded_frame
    from ._read_options import ReadOptions as ReadOptions
    from ._schema import CATEGORY as CATEGORY
    from ._schema import NUMBER as NUMBER
    from ._schema import Column as Column
    from ._schema import Schema as Schema
    from ._scoring import explanations as explanations
    from ._scoring import predictions as predictions
    from ._scoring import score_table as score_table
    from ._training_table import TrainingTable as TrainingTable
    from ._training_table import read_training_table as read_training_table
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_blocks": (
                "STANDARD_INPUT",
                "Block",
            ),
            "_calibration": (
                "CALIBRATIONS",
                "calibrated",
            ),
            "_describing": ("description_text",),
            "_encoding": ("CategoryEncoder",),
            "_layers": (
                "first_step",
                "inner_classifiers",
                "inside",
            ),
            "_model": (
                "TableModel",
                "fit_table",
            ),
            "_names": ("split_names",),
            "_output_formats": ("output_format",),
            "_packages": ("pandas",),
            "_pipeline": ("encoded_frame",),
            "_read_options": ("ReadOptions",),
            "_schema": (
                "CATEGORY",
                "NUMBER",
                "Column",
                "Schema",
            ),
            "_scoring": (
                "explanations",
                "predictions",
                "score_table",
            ),
            "_training_table": (
                "TrainingTable",
                "read_training_table",
            ),
        },
    )

__all__ = [
    "CategoryEncoder",
    "Column",
    "ReadOptions",
    "Schema",
    "TableModel",
    "fit_table",
]
