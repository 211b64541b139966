"""
========================================
Noise in single channels, and of pixels
========================================

Noise of single channels makes specks of strange colours. Other noise makes whole pixels black or
white. Each needs its own filter.
"""

import matplotlib.pyplot as plt
import numpy as np
from skimage import color, data, metrics

from rdep.images import (
    PCAOrdering,
    closing_by_reconstruction,
    median,
    opening_by_reconstruction,
    vector_median,
)

photo = data.astronaut()[:256, 100:356]
random = np.random.default_rng(0)
strange = random.integers(0, 2, photo.shape, dtype=np.uint8) * 255
channels = np.where(random.random(photo.shape) < 0.1, strange, photo)
replaced = random.random(photo.shape[:2])[..., np.newaxis] < 0.1
pixels = np.where(replaced, strange[..., :1], photo)

# %%
# The marginal median makes new colours. The vector median and the median in an ordering choose
# pixels of the image. The last filter removes bright, then dark structures that no square of 2 × 2
# fits into, in the ordering by luminance, and keeps all outlines.


def luminance(X):
    return X[:, 0] * 0.299 + X[:, 1] * 0.587 + X[:, 2] * 0.114


def by_reconstruction(image):
    opened = opening_by_reconstruction(image, np.ones((2, 2)), ordering=luminance)
    return closing_by_reconstruction(opened, np.ones((2, 2)), ordering=luminance)


FILTERS = {
    "noisy": lambda image: image,
    "marginal median": lambda image: median(image, size=3, ordering="marginal"),
    "vector median": lambda image: vector_median(image, size=3),
    "median by components": lambda image: median(
        image, size=3, ordering=PCAOrdering().fit_image(image)
    ),
    "by reconstruction": by_reconstruction,
}

# %%
# The error of each filter: decibels (more is better), and the mean distance of colours in CIELAB
# (less is better).


def errors(result):
    decibels = metrics.peak_signal_noise_ratio(photo, result)
    distance = color.deltaE_cie76(color.rgb2lab(photo), color.rgb2lab(result)).mean()
    return f"{decibels:.1f} dB, ΔE {distance:.2f}"


figure, axes = plt.subplots(2, len(FILTERS), figsize=(15, 6.6), layout="constrained")
for row, image in zip(axes, (channels, pixels), strict=True):
    for ax, (name, work) in zip(row, FILTERS.items(), strict=True):
        result = work(image)
        ax.imshow(result)
        ax.set_title(f"{name}\n{errors(result)}")
        ax.set_axis_off()
plt.show()
