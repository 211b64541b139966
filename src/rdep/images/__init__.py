"""Mathematical morphology on multichannel images, by learned orderings of the pixels."""

from ._classification import classify
from ._filters import alternating_sequential_filter, median, rank_filter
from ._irregularity import irregularity_index
from ._operators import closing, dilation, erosion, opening
from ._orderings import LexicographicOrdering, PCAOrdering
from ._pixels import labelled_pixels
from ._ranks import RankedImage, order_values, rank_image
from ._reconstruction import (
    closing_by_reconstruction,
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

__all__ = [
    "LexicographicOrdering",
    "PCAOrdering",
    "RankedImage",
    "SupervisedOrdering",
    "alternating_sequential_filter",
    "black_tophat",
    "classify",
    "closing",
    "closing_by_reconstruction",
    "dilation",
    "erosion",
    "external_gradient",
    "gradient",
    "internal_gradient",
    "irregularity_index",
    "labelled_pixels",
    "median",
    "morphological_laplace",
    "opening",
    "opening_by_reconstruction",
    "order_values",
    "rank_filter",
    "rank_image",
    "reconstruction",
    "white_tophat",
]
