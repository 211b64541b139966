"""Pictures of perceptrons, in the manner of scikit-learn's displays.

``from_estimator`` computes and draws, ``plot(ax)`` draws again into other axes; ``ax_`` and
``figure_`` are where, and the numbers behind each picture are attributes. They need matplotlib:
``pip install 'rdep[plot]'``.
"""

from .boundaries import BoundariesDisplay
from .deciding import DecidingDisplay
from .objective import ObjectiveDisplay
from .penalties import PenaltyWeightsDisplay
from .reduced import ReducedSpaceDisplay
from .regions import RegionsDisplay

__all__ = [
    "BoundariesDisplay",
    "DecidingDisplay",
    "ObjectiveDisplay",
    "PenaltyWeightsDisplay",
    "ReducedSpaceDisplay",
    "RegionsDisplay",
]
