"""Scoring of one model on one table: held-out rows, curves over thresholds, importance."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._answers import held_out_summary as held_out_summary
    from ._attribution import moved_by as moved_by
    from ._calibration import binned as binned
    from ._calibration import calibration_curve as calibration_curve
    from ._curves import ThresholdCurve as ThresholdCurve
    from ._curves import cost_curve as cost_curve
    from ._curves import threshold_curve as threshold_curve
    from ._held_out import Scored as Scored
    from ._held_out import held_out as held_out
    from ._held_out import scored as scored
    from ._importance import Importance as Importance
    from ._importance import importance as importance
    from ._numbers import ScoredNumbers as ScoredNumbers
    from ._numbers import constant_error as constant_error
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_answers": ("held_out_summary",),
            "_attribution": ("moved_by",),
            "_calibration": ("binned", "calibration_curve"),
            "_curves": ("ThresholdCurve", "cost_curve", "threshold_curve"),
            "_held_out": ("Scored", "held_out", "scored"),
            "_importance": ("Importance", "importance"),
            "_numbers": ("ScoredNumbers", "constant_error"),
        },
    )

__all__ = [
    "Importance",
    "Scored",
    "ScoredNumbers",
    "ThresholdCurve",
    "binned",
    "calibration_curve",
    "cost_curve",
    "held_out",
    "importance",
    "moved_by",
    "scored",
    "threshold_curve",
]
