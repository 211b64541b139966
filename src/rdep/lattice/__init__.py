"""Lattice operators on the extended reals: dilation, erosion, and matrix products."""

from ._boxes import LARGEST_EXPONENT as LARGEST_EXPONENT
from ._boxes import best_boxes as best_boxes
from ._boxes import face_nearness as face_nearness
from ._boxes import inside_boxes as inside_boxes
from ._boxes import just_inside as just_inside
from ._boxes import points_between as points_between
from ._boxes import points_inside as points_inside
from ._operators import dilation, erosion
from ._products import MAXIMUM as MAXIMUM
from ._products import MINIMUM as MINIMUM
from ._products import Extreme as Extreme
from ._products import max_plus, min_plus
from ._products import product as product

__all__ = ["dilation", "erosion", "max_plus", "min_plus"]
