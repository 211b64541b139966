"""Layers of dilations and erosions for PyTorch, an extra: ``pip install 'rdep[torch]'``."""

from ..._utils._imports import optional

optional("torch", "rdep.networks.layers", "torch")

from ._box import Box  # noqa: E402
from ._conversion import dep_classifier, dep_layer  # noqa: E402
from ._dep import DEP  # noqa: E402
from ._diagonal import Diagonal  # noqa: E402
from ._images import Dilation2d, Erosion2d  # noqa: E402
from ._max_min_plus import MaxMinPlus  # noqa: E402
from ._max_plus import MaxPlus, MinPlus  # noqa: E402
from ._products import max_plus, min_plus  # noqa: E402
from ._rank_linear import RankLinear  # noqa: E402

__all__ = [
    "DEP", "Box", "Diagonal", "Dilation2d", "Erosion2d", "MaxMinPlus", "MaxPlus", "MinPlus",
    "RankLinear", "dep_classifier", "dep_layer", "max_plus", "min_plus",
]  # fmt: skip
