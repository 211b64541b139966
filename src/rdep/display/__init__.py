"""Display objects for perceptrons, as in scikit-learn's inspection module.

``from_estimator`` computes and draws, ``plot(ax)`` draws again into other axes. ``ax_`` and
``figure_`` are the axes and the figure of the last drawing, and the numbers shown are attributes.
Displays need matplotlib: ``pip install 'rdep[plot]'``.
"""

from ._boundaries import BoundariesDisplay
from ._boxes import BoxesDisplay
from ._certified import CertifiedAccuracyDisplay
from ._deciding import DecidingDisplay
from ._objective import LossDisplay, ObjectiveDisplay
from ._penalties import PenaltyWeightsDisplay
from ._regions import ReducedSpaceDisplay, RegionsDisplay

__all__ = [
    "BoundariesDisplay",
    "BoxesDisplay",
    "CertifiedAccuracyDisplay",
    "DecidingDisplay",
    "LossDisplay",
    "ObjectiveDisplay",
    "PenaltyWeightsDisplay",
    "ReducedSpaceDisplay",
    "RegionsDisplay",
]
