"""Networks of dilations and erosions; layers and training with PyTorch are an extra."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._elm import MorphologicalELMClassifier as MorphologicalELMClassifier
    from ._elm import MorphologicalELMRegressor as MorphologicalELMRegressor
    from ._features import MorphologicalFeatures as MorphologicalFeatures
    from ._network_classifier import (
        MorphologicalNetworkClassifier as MorphologicalNetworkClassifier,
    )
    from ._preparation import pytorch as pytorch
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_preparation": ("pytorch",),
        },
    )

__all__ = [
    "MorphologicalELMClassifier",
    "MorphologicalELMRegressor",
    "MorphologicalFeatures",
    "MorphologicalNetworkClassifier",
]
