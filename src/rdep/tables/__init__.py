"""Tables: reading them in blocks, the schema of a model, and models fitted on tables."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._blocks import Block as Block
    from ._blocks import block_of_rows as block_of_rows
    from ._blocks import read_blocks as read_blocks
    from ._calibration import CALIBRATIONS as CALIBRATIONS
    from ._calibration import HeldOutCalibration as HeldOutCalibration
    from ._calibration import calibrated as calibrated
    from ._estimators import make_estimator as make_estimator
    from ._estimators import possible_task as possible_task
    from ._estimators import predicted_quantile as predicted_quantile
    from ._facts import Choices as Choices
    from ._facts import TableFacts as TableFacts
    from ._facts import class_codes as class_codes
    from ._facts import means_of as means_of
    from ._facts import schema_of as schema_of
    from ._facts import table_facts as table_facts
    from ._facts import with_classes_only as with_classes_only
    from ._matching import labelled_rows as labelled_rows
    from ._matching import matching_frame as matching_frame
    from ._model import TableModel as TableModel
    from ._model import fit_table as fit_table
    from ._model import weights_by_label as weights_by_label
    from ._opening import STANDARD_INPUT as STANDARD_INPUT
    from ._opening import ReadOptions as ReadOptions
    from ._output_formats import output_format as output_format
    from ._pipeline import CategoryEncoder as CategoryEncoder
    from ._pipeline import encoded_frame as encoded_frame
    from ._pipeline import fitted_preprocessing as fitted_preprocessing
    from ._pipeline import pipeline_around as pipeline_around
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
    from ._summary import block_summary as block_summary
    from ._summary import description_text as description_text
    from ._summary import held_out_text as held_out_text
    from ._summary import passes_text as passes_text
    from ._summary import plain_value as plain_value
    from ._summary import score_text as score_text
    from ._targets import AUTO as AUTO
    from ._thresholds import check_threshold as check_threshold
    from ._thresholds import positive_label as positive_label
    from ._thresholds import with_threshold as with_threshold
    from ._training_table import TrainingTable as TrainingTable
    from ._training_table import read_training_table as read_training_table
    from ._training_table import warn_of_unlabelled as warn_of_unlabelled
    from ._unwrapping import Threshold as Threshold
    from ._unwrapping import calibrations as calibrations
    from ._unwrapping import first_step as first_step
    from ._unwrapping import inner_classifiers as inner_classifiers
    from ._unwrapping import inner_input as inner_input
    from ._unwrapping import inside as inside
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_blocks": ("Block", "block_of_rows", "read_blocks"),
            "_calibration": ("CALIBRATIONS", "HeldOutCalibration", "calibrated"),
            "_estimators": ("make_estimator", "possible_task", "predicted_quantile"),
            "_facts": (
                "Choices",
                "TableFacts",
                "class_codes",
                "means_of",
                "schema_of",
                "table_facts",
                "with_classes_only",
            ),
            "_matching": ("labelled_rows", "matching_frame"),
            "_model": ("TableModel", "fit_table", "weights_by_label"),
            "_opening": ("STANDARD_INPUT", "ReadOptions"),
            "_output_formats": ("output_format",),
            "_pipeline": (
                "CategoryEncoder",
                "encoded_frame",
                "fitted_preprocessing",
                "pipeline_around",
            ),
            "_regression_summary": ("target_text", "training_text"),
            "_schema": ("CATEGORY", "NUMBER", "Column", "Schema", "plain_classes", "split_names"),
            "_scoring": ("explanations", "predictions", "score_table"),
            "_summary": (
                "block_summary",
                "description_text",
                "held_out_text",
                "passes_text",
                "plain_value",
                "score_text",
            ),
            "_targets": ("AUTO",),
            "_thresholds": ("check_threshold", "positive_label", "with_threshold"),
            "_training_table": ("TrainingTable", "read_training_table", "warn_of_unlabelled"),
            "_unwrapping": (
                "Threshold",
                "calibrations",
                "first_step",
                "inner_classifiers",
                "inner_input",
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
