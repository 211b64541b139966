"""Hyperbox classifiers."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._box_classifier import LEAST_DIFFERENCE as LEAST_DIFFERENCE
    from ._box_classifier import NO_BOX as NO_BOX
    from ._box_classifier import SHARE_ROUNDING as SHARE_ROUNDING
    from ._box_classifier import BoxClassifier as BoxClassifier
    from ._box_score import BoxScoreClassifier as BoxScoreClassifier
    from ._competitive import CompetitiveClassifier as CompetitiveClassifier
    from ._dendrites import DendriteClassifier as DendriteClassifier
    from ._ritter_sussner import RitterSussnerClassifier as RitterSussnerClassifier
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_box_classifier": (
                "LEAST_DIFFERENCE",
                "NO_BOX",
                "SHARE_ROUNDING",
                "BoxClassifier",
            ),
        },
    )

__all__ = [
    "BoxScoreClassifier",
    "CompetitiveClassifier",
    "DendriteClassifier",
    "RitterSussnerClassifier",
]
