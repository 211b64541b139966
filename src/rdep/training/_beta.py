r"""The best convex combination of a trained dilation and a trained erosion.

The paper's ``eq:hinge-loss``: :math:`H(\beta) = \sum_i s_i \max\{0, -d_i [\beta \delta_i +
(1-\beta) \varepsilon_i]\}` is convex and piecewise linear; with the squared hinge it is piecewise
quadratic. The formula of the derivative changes only where the value of a sample crosses zero, so
sorting these crossings finds *all* minimisers: an interval. If the classes are separated, the
interval is often the whole of [0, 1]. Its midpoint is used, because its ends are less accurate.
"""

from __future__ import annotations

import numpy as np

from .._utils._typing import Array

LOSSES = ("hinge", "squared_hinge")

# Differences of two values below this share of the largest value are rounding.
_SAME = 8 * np.finfo(float).eps

# The derivative is zero if it is below this share of the sum of all slopes.
_FLAT = 1e-12


def best_combination(
    dilated: Array,
    eroded: Array,
    signs: Array,
    sample_weight: Array,
    loss: str = "hinge",
    margin: Array | float = 0.0,
) -> tuple[float, tuple[float, float]]:
    """Compute the β that minimises the loss of the combination, and the interval of minimisers.

    Parameters
    ----------
    dilated, eroded : arrays of shape (n_samples,)
        Dilation δ_w(x) and erosion ε_m(x) of every sample.
    signs : array of shape (n_samples,)
        Classes, −1 and +1.
    sample_weight : array of shape (n_samples,)
        Sample weights.
    loss : "hinge" or "squared_hinge", default="hinge"
        Loss of the decision value.
    margin : float or array of shape (n_samples,), default=0.0
        Margin μ that the decision value should exceed on the side of its class; 0 in the paper.

    Returns
    -------
    beta : float
        Midpoint of the interval.
    interval : tuple of two floats
        All minimisers of the loss.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    largest = max(np.abs(dilated).max(), np.abs(eroded).max(), np.finfo(float).tiny)
    intercept = (margin - signs * eroded) / largest
    difference = dilated - eroded
    # Operators that are equal up to rounding leave β free.
    difference[np.abs(difference) <= _SAME * largest] = 0.0
    slope = -signs * difference / largest
    low, high = minimising_beta(intercept, slope, sample_weight, loss)
    return (low + high) / 2, (low, high)


def minimising_beta(
    intercept: Array,
    slope: Array,
    weights: Array,
    loss: str = "hinge",
    tilt: float = 0.0,
    bend: float = 0.0,
) -> tuple[float, float]:
    """Compute the ends of the interval of β that minimises the loss plus tilt·β + bend·β²/2.

    The loss of a sample is intercept + β·slope if that is positive. The minimisers are the zeros
    of the derivative. It is non-decreasing, and linear (hinge: constant) between crossings.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = -intercept / slope
    inside = (crossings > 0) & (crossings < 1)
    order = np.argsort(crossings[inside])
    sorted_crossings = crossings[inside][order]
    breaks = np.concatenate([[0.0], sorted_crossings, [1.0]])
    breaks = breaks[np.concatenate([[True], breaks[1:] > breaks[:-1]])]
    left, right = breaks[:-1], breaks[1:]
    # The samples with a loss are determined at the middle of each piece, away from all crossings.
    crossed = np.searchsorted(sorted_crossings, (left + right) / 2)
    loses_at_first = np.where(inside, slope < 0, intercept + slope / 2 > 0)
    enters = np.where(slope > 0, 1.0, -1.0)[inside][order]

    def over_losers(term: Array) -> Array:
        """Sum ``term`` over the samples that have a loss, on every piece."""
        changes = np.concatenate([[0.0], np.cumsum(enters * term[inside][order])])
        return term[loses_at_first].sum() + changes[crossed]

    if loss == "hinge":
        value, growth = over_losers(weights * slope), np.zeros(len(left))
    else:
        value = over_losers(weights * slope * intercept)
        growth = over_losers(weights * slope**2)
    value, growth = value + tilt, growth + bend
    # Samples that never have a loss are in no sum, whatever their weights are.
    loses = loses_at_first | inside
    flat = _FLAT * (float(weights[loses] @ np.abs(slope[loses])) + abs(tilt) + bend)
    at_left, at_right = value + growth * left, value + growth * right
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = np.clip(-value / growth, left, right)
    risen = at_right >= -flat
    low = 1.0
    if risen.any():
        k = int(np.argmax(risen))
        low = left[k] if at_left[k] >= -flat else roots[k]
    fallen = at_left <= flat
    high = 0.0
    if fallen.any():
        k = len(fallen) - 1 - int(np.argmax(fallen[::-1]))
        high = right[k] if at_right[k] <= flat else roots[k]
    # A minimiser at a single kink is found from both sides; rounding may exchange the two.
    return float(min(low, high)), float(max(low, high))
