"""Values of orderings beside those of scikit-learn."""

import numpy as np


def same_values(values, expected):
    """Equal to scikit-learn's to rounding: 1e-10 of the largest value."""
    return np.abs(values - expected).max() <= 1e-10 * np.abs(expected).max()
