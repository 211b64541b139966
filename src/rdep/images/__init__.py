"""Mathematical morphology on multichannel images, by learned orderings of the pixels."""

from ._areas import area_closing, area_opening, diameter_closing, diameter_opening
from ._blocks import filter_blocks
from ._classification import classify
from ._condorcet import CondorcetOrdering
from ._extrema import h_maxima, h_minima, hit_or_miss, local_maxima, local_minima
from ._filters import alternating_sequential_filter, median, rank_filter
from ._irregularity import irregularity_index
from ._operators import closing, dilation, erosion, opening
from ._orderings import DistanceOrdering, LexicographicOrdering, PCAOrdering
from ._pixels import labelled_pixels
from ._profiles import granulometry, morphological_profile
from ._ranks import RankedImage, order_values, rank_image
from ._reconstruction import (
    closing_by_reconstruction,
    geodesic_dilation,
    geodesic_erosion,
    opening_by_reconstruction,
    reconstruction,
)
from ._residues import (
    black_tophat,
    external_gradient,
    gradient,
    internal_gradient,
    morphological_laplace,
    white_tophat,
)
from ._supervised import SupervisedOrdering
from ._vector_median import vector_median

__all__ = [
    "CondorcetOrdering",
    "DistanceOrdering",
    "LexicographicOrdering",
    "PCAOrdering",
    "RankedImage",
    "SupervisedOrdering",
    "alternating_sequential_filter",
    "area_closing",
    "area_opening",
    "black_tophat",
    "classify",
    "closing",
    "closing_by_reconstruction",
    "diameter_closing",
    "diameter_opening",
    "dilation",
    "erosion",
    "external_gradient",
    "filter_blocks",
    "geodesic_dilation",
    "geodesic_erosion",
    "gradient",
    "granulometry",
    "h_maxima",
    "h_minima",
    "hit_or_miss",
    "internal_gradient",
    "irregularity_index",
    "labelled_pixels",
    "local_maxima",
    "local_minima",
    "median",
    "morphological_laplace",
    "morphological_profile",
    "opening",
    "opening_by_reconstruction",
    "order_values",
    "rank_filter",
    "rank_image",
    "reconstruction",
    "vector_median",
    "white_tophat",
]
