"""Every public function that filters an image, called with an ordering and little else."""

import numpy as np

from rdep import images

FILTERS = {
    "erosion": images.erosion,
    "dilation": images.dilation,
    "opening": images.opening,
    "closing": images.closing,
    "median": images.median,
    "rank_filter": lambda image, **options: images.rank_filter(image, 1, **options),
    "alternating_sequential_filter": lambda image, **options: images.alternating_sequential_filter(
        image, [np.ones((2, 3)), np.ones((3, 3))], **options
    ),
    "opening_by_reconstruction": images.opening_by_reconstruction,
    "closing_by_reconstruction": images.closing_by_reconstruction,
}
DISTANCES = {
    "gradient": images.gradient,
    "internal_gradient": images.internal_gradient,
    "external_gradient": images.external_gradient,
    "white_tophat": images.white_tophat,
    "black_tophat": images.black_tophat,
}
OPERATORS = {**FILTERS, **DISTANCES}


def reconstruction_of_itself(image, **options):
    return images.reconstruction(image, image, **options)


def order_values(image, **options):
    return images.order_values(image, **options)


def rank_image(image, **options):
    return images.rank_image(image, **options)


# All that take an ordering.
BY_ORDERING = {
    **OPERATORS,
    "reconstruction": reconstruction_of_itself,
    "order_values": order_values,
    "rank_image": rank_image,
}
