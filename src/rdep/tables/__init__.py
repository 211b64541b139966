"""Tables: reading them in blocks, the schema of a model, and models fitted on tables."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._blocks import Block as Block
    from ._calibration import CALIBRATIONS as CALIBRATIONS
    from ._calibration import HeldOutCalibration as HeldOutCalibration
    from ._calibration import calibrated as calibrated
    from ._estimators import make_estimator as make_estimator
    from ._estimators import possible_task as possible_task
    from ._estimators import predicted_quantile as predicted_quantile
    from ._matching import labelled_rows as labelled_rows
    from ._model import TableModel as TableModel
    from ._model import fit_table as fit_table
    from ._opening import STANDARD_INPUT as STANDARD_INPUT
    from ._opening import ReadOptions as ReadOptions
    from ._output_formats import output_format as output_format
    from ._pipeline import CategoryEncoder as CategoryEncoder
    from ._pipeline import encoded_frame as encoded_frame
    from ._regression_summary import target_text as target_text
    from ._regression_summary import training_text as training_text
    from ._schema import CATEGORY as CATEGORY
    from ._schema import NUMBER as NUMBER
    from ._schema import Column as Column
    from ._schema import Schema as Schema
    from ._schema import plain_classes as plain_classes
    from ._schema import split_names as split_names
    from ._scoring import explanations as explanations
    from ._scoring import predictions as predictions
    from ._scoring import score_table as score_table
    from ._summary import description_text as description_text
    from ._summary import held_out_text as held_out_text
    from ._targets import AUTO as AUTO
    from ._targets import CLASSIFICATION as CLASSIFICATION
    from ._targets import REGRESSION as REGRESSION
    from ._thresholds import check_threshold as check_threshold
    from ._thresholds import positive_label as positive_label
    from ._thresholds import with_threshold as with_threshold
    from ._training_table import TrainingTable as TrainingTable
    from ._training_table import read_training_table as read_training_table
    from ._unwrapping import Threshold as Threshold
    from ._unwrapping import calibrations as calibrations
    from ._unwrapping import first_step as first_step
    from ._unwrapping import inner_classifiers as inner_classifiers
    from ._unwrapping import inside as inside
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_blocks": ("Block",),
            "_calibration": ("CALIBRATIONS", "HeldOutCalibration", "calibrated"),
            "_matching": ("labelled_rows",),
            "_estimators": ("make_estimator", "possible_task", "predicted_quantile"),
            "_model": ("TableModel", "fit_table"),
            "_opening": ("STANDARD_INPUT", "ReadOptions"),
            "_output_formats": ("output_format",),
            "_pipeline": ("CategoryEncoder", "encoded_frame"),
            "_regression_summary": ("target_text", "training_text"),
            "_schema": ("CATEGORY", "NUMBER", "Column", "Schema", "plain_classes", "split_names"),
            "_scoring": ("explanations", "predictions", "score_table"),
            "_summary": ("description_text", "held_out_text"),
            "_targets": ("AUTO", "CLASSIFICATION", "REGRESSION"),
            "_thresholds": ("check_threshold", "positive_label", "with_threshold"),
            "_training_table": ("TrainingTable", "read_training_table"),
            "_unwrapping": (
                "Threshold",
                "calibrations",
                "first_step",
                "inner_classifiers",
                "inside",
            ),
        },
    )

__all__ = [
    "CategoryEncoder",
    "Column",
    "HeldOutCalibration",
    "ReadOptions",
    "Schema",
    "TableModel",
    "fit_table",
]
