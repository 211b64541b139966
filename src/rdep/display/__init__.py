"""Pictures of perceptrons, in the manner of scikit-learn's displays.

``from_estimator`` computes and draws, ``plot(ax)`` draws again into other axes; ``ax_`` and
``figure_`` are where, and the numbers behind each picture are attributes. They need matplotlib:
``pip install 'rdep[plot]'``.
"""

from ._boundaries import BoundariesDisplay
from ._deciding import DecidingDisplay
from ._objective import ObjectiveDisplay
from ._penalties import PenaltyWeightsDisplay
from ._reduced import ReducedSpaceDisplay
from ._regions import RegionsDisplay

__all__ = [
    "BoundariesDisplay",
    "DecidingDisplay",
    "ObjectiveDisplay",
    "PenaltyWeightsDisplay",
    "ReducedSpaceDisplay",
    "RegionsDisplay",
]
