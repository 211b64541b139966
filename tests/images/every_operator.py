"""Every public function that filters an image, called with an ordering and little else.

A footprint and a connectivity of two axes filter each image of a stack on its own.
"""

import numpy as np
from scipy import ndimage

from rdep import images

CROSS = ndimage.generate_binary_structure(2, 1)


def over_cross(function):
    return lambda image, **options: function(image, CROSS, **options)


FILTERS = {
    "erosion": over_cross(images.erosion),
    "dilation": over_cross(images.dilation),
    "opening": over_cross(images.opening),
    "closing": over_cross(images.closing),
    "median": over_cross(images.median),
    "rank_filter": lambda image, **options: images.rank_filter(image, 1, CROSS, **options),
    "alternating_sequential_filter": lambda image, **options: images.alternating_sequential_filter(
        image, [np.ones((2, 3)), np.ones((3, 3))], **options
    ),
    "opening_by_reconstruction": over_cross(images.opening_by_reconstruction),
    "closing_by_reconstruction": over_cross(images.closing_by_reconstruction),
    "area_opening": lambda image, **options: images.area_opening(
        image, 3, connectivity=CROSS, **options
    ),
    "area_closing": lambda image, **options: images.area_closing(
        image, 3, connectivity=CROSS, **options
    ),
    "diameter_opening": lambda image, **options: images.diameter_opening(
        image, 2, connectivity=CROSS, **options
    ),
    "diameter_closing": lambda image, **options: images.diameter_closing(
        image, 2, connectivity=CROSS, **options
    ),
}
DISTANCES = {
    "gradient": over_cross(images.gradient),
    "internal_gradient": over_cross(images.internal_gradient),
    "external_gradient": over_cross(images.external_gradient),
    "white_tophat": over_cross(images.white_tophat),
    "black_tophat": over_cross(images.black_tophat),
    "morphological_laplace": over_cross(images.morphological_laplace),
}
OPERATORS = {**FILTERS, **DISTANCES}


def reconstruction_of_itself(image, **options):
    return images.reconstruction(image, image, connectivity=CROSS, **options)


def order_values(image, **options):
    return images.order_values(image, **options)


def rank_image(image, **options):
    return images.rank_image(image, **options)


# All that take an ordering.
BY_ORDERING = {
    **OPERATORS,
    "reconstruction": reconstruction_of_itself,
    "geodesic_dilation": lambda image, **options: images.geodesic_dilation(
        image, image, CROSS, **options
    ),
    "geodesic_erosion": lambda image, **options: images.geodesic_erosion(
        image, image, CROSS, **options
    ),
    "order_values": order_values,
    "rank_image": rank_image,
}

# All that return something else than an image: masks, curves and profiles.
MEASURES = {
    "local_maxima": lambda image, **options: images.local_maxima(
        image, connectivity=CROSS, **options
    ),
    "local_minima": lambda image, **options: images.local_minima(
        image, connectivity=CROSS, **options
    ),
    "h_maxima": lambda image, **options: images.h_maxima(image, 2, connectivity=CROSS, **options),
    "h_minima": lambda image, **options: images.h_minima(image, 2, connectivity=CROSS, **options),
    "hit_or_miss": lambda image, **options: images.hit_or_miss(
        image, [[0, 1, 0]], [[1, 0, 0]], **options
    ),
    "granulometry": lambda image, **options: images.granulometry(
        image, [CROSS, np.ones((3, 3))], **options
    ),
    "morphological_profile": lambda image, **options: images.morphological_profile(
        image, [CROSS], **options
    ),
}
