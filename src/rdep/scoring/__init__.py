"""Scoring of one model on one table: held-out rows, curves over thresholds, importance."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._answers import Answers as Answers
    from ._answers import held_out_answers as held_out_answers
    from ._attribution import moved_by as moved_by
    from ._calibration import binned as binned
    from ._calibration import calibration_curve as calibration_curve
    from ._curves import ThresholdCurve as ThresholdCurve
    from ._curves import cost_curve as cost_curve
    from ._curves import threshold_curve as threshold_curve
    from ._dependence import Dependence as Dependence
    from ._dependence import dependence as dependence
    from ._held_out import Scored as Scored
    from ._held_out import held_out as held_out
    from ._held_out import scored as scored
    from ._importance import Importance as Importance
    from ._importance import importance as importance
    from ._importance import importance_of_parts as importance_of_parts
    from ._numbers import ScoredNumbers as ScoredNumbers
    from ._numbers import constant_error as constant_error
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_answers": ("Answers", "held_out_answers"),
            "_attribution": ("moved_by",),
            "_calibration": ("binned", "calibration_curve"),
            "_curves": ("ThresholdCurve", "cost_curve", "threshold_curve"),
            "_dependence": ("Dependence", "dependence"),
            "_held_out": ("Scored", "held_out", "scored"),
            "_importance": ("Importance", "importance", "importance_of_parts"),
            "_numbers": ("ScoredNumbers", "constant_error"),
        },
    )

__all__ = [
    "Dependence",
    "Importance",
    "Scored",
    "ScoredNumbers",
    "ThresholdCurve",
    "binned",
    "calibration_curve",
    "cost_curve",
    "dependence",
    "held_out",
    "importance",
    "moved_by",
    "scored",
    "threshold_curve",
]
