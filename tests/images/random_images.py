"""Random images, footprints and orderings for property tests, and the order by Python's tuples."""

import numpy as np
from hypothesis import strategies as st

DTYPES = (np.uint8, np.int16, np.float32)


@st.composite
def images(draw, n_images=1, shape=None):
    """Images of one shape and dtype: few different values, so that many pixels tie."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = shape or (*rng.integers(1, 8, 2), rng.integers(1, 5))
    dtype = draw(st.sampled_from(DTYPES))
    low = 0 if dtype is np.uint8 else -3
    many = [rng.integers(low, 5, shape) for _ in range(n_images)]
    return many[0].astype(dtype) if n_images == 1 else [image.astype(dtype) for image in many]


@st.composite
def footprints(draw, odd=False, centred=True):
    """A footprint of any shape, of odd sides if ``odd``."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sides = (1, 3, 5) if odd else (1, 2, 3, 4)
    footprint = rng.random(rng.choice(sides, 2)) < 0.5
    centre = tuple(side // 2 for side in footprint.shape)
    footprint[centre] |= centred or not footprint.any()
    return footprint


weights = st.lists(st.integers(-2, 2), min_size=4, max_size=4)


def linear(image, weights):
    """A ρ with many ties: an integer combination of the channels."""
    return image.astype(np.int64) @ np.array(weights[: image.shape[-1]])


def less_or_equal(one, other, weights):
    """Pixel by pixel, in the order by ρ and then by the channels, as Python compares tuples."""
    return np.array(
        [
            (rho_a, *a) <= (rho_b, *b)
            for rho_a, a, rho_b, b in zip(
                linear(one, weights).ravel().tolist(),
                one.reshape(-1, one.shape[-1]).tolist(),
                linear(other, weights).ravel().tolist(),
                other.reshape(-1, other.shape[-1]).tolist(),
                strict=True,
            )
        ]
    ).reshape(one.shape[:-1])


def without_false_colours(image, result):
    known = {tuple(pixel) for pixel in image.reshape(-1, image.shape[-1]).tolist()}
    return {tuple(pixel) for pixel in result.reshape(-1, image.shape[-1]).tolist()} <= known
