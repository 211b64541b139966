"""Mathematical morphology on images of several channels, by learned orderings of their pixels."""

from ._classification import classify
from ._filters import (
    alternating_sequential_filter,
    closing_by_reconstruction,
    median,
    opening_by_reconstruction,
    rank_filter,
)
from ._irregularity import irregularity_index
from ._operators import black_tophat, closing, dilation, erosion, gradient, opening, white_tophat
from ._orderings import LexicographicOrdering, PCAOrdering
from ._pixels import labelled_pixels
from ._ranks import order_values, rank_image
from ._supervised import SupervisedOrdering

__all__ = [
    "LexicographicOrdering",
    "PCAOrdering",
    "SupervisedOrdering",
    "alternating_sequential_filter",
    "black_tophat",
    "classify",
    "closing",
    "closing_by_reconstruction",
    "dilation",
    "erosion",
    "gradient",
    "irregularity_index",
    "labelled_pixels",
    "median",
    "opening",
    "opening_by_reconstruction",
    "order_values",
    "rank_filter",
    "rank_image",
    "white_tophat",
]
