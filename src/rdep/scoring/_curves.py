"""Curves of one model with two classes: rates, precision and costs over all thresholds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import auc, average_precision_score, roc_curve

from .._utils._typing import Array


class ThresholdCurve(NamedTuple):
    """Rates at every threshold from which on the positive class is predicted.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Thresholds of the score, from infinity (no sample is predicted positive) downwards.
    recall : ndarray of shape (n_thresholds,)
        Share of the positive samples that are predicted positive.
    false_positive_rate : ndarray of shape (n_thresholds,)
        Share of the other samples that are predicted positive.
    precision : ndarray of shape (n_thresholds,)
        Share of the samples predicted positive that are positive; 1 if there are none.
    cost : ndarray of shape (n_thresholds,)
        Mean cost of a sample.
    roc_area : float
        Area under recall over false positive rate.
    average_precision : float
        Mean of the precision, weighted by the increase in recall.
    """

    thresholds: Array
    recall: Array
    false_positive_rate: Array
    precision: Array
    cost: Array
    roc_area: float
    average_precision: float

    @property
    def balanced_accuracy(self) -> Array:
        """Balanced accuracy at each threshold."""
        return (1 + self.recall - self.false_positive_rate) / 2


def threshold_curve(
    is_positive: ArrayLike,
    score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    false_negative: float = 1.0,
    false_positive: float = 1.0,
) -> ThresholdCurve:
    """Compute rates, precision and costs for every threshold of a score.

    Read more in the :doc:`User Guide </guide/scoring>`.

    Parameters
    ----------
    is_positive : array-like of bool of shape (n_samples,)
        Whether a sample is of the positive class; there must be samples of both classes.
    score : array-like of shape (n_samples,)
        Scores that grow with the positive class: probabilities or decision values.
    sample_weight : array-like of shape (n_samples,), default=None
        Number of samples that each entry stands for. None means 1.
    false_negative, false_positive : float, default=1.0
        Cost of a positive sample that is missed, and of another sample that is predicted positive.

    Returns
    -------
    ThresholdCurve

    Examples
    --------
    >>> from rdep.scoring import threshold_curve
    >>> curve = threshold_curve([False, False, True, True], [0.1, 0.6, 0.4, 0.9], false_negative=3)
    >>> best = curve.cost.argmin()
    >>> float(curve.thresholds[best]), float(curve.cost[best]), curve.roc_area
    (0.4, 0.25, 0.75)
    """
    truth, weights = np.asarray(is_positive, dtype=bool), sample_weight
    counts = np.ones(len(truth)) if weights is None else np.asarray(weights, dtype=float)
    positives, others = counts[truth].sum(), counts[~truth].sum()
    if not (positives > 0 and others > 0):
        raise ValueError("a curve over thresholds needs samples of both classes")
    if min(false_negative, false_positive) < 0:
        raise ValueError(
            f"costs must not be negative, got {false_negative:g} and {false_positive:g}"
        )
    false_rate, recall, thresholds = roc_curve(
        truth, score, sample_weight=counts, drop_intermediate=False
    )
    found, alarms = recall * positives, false_rate * others
    with np.errstate(invalid="ignore"):
        precision = np.where(found + alarms > 0, found / (found + alarms), 1.0)
    cost = (false_negative * (positives - found) + false_positive * alarms) / (positives + others)
    return ThresholdCurve(
        thresholds,
        recall,
        false_rate,
        precision,
        cost,
        float(auc(false_rate, recall)),
        float(average_precision_score(truth, score, sample_weight=counts)),
    )


def cost_curve(curve: ThresholdCurve, shares: ArrayLike) -> Array:
    """Compute the lowest cost over all thresholds, for each share of positives in the cost.

    The share is that of the costs of positive samples in the cost of predicting everything wrong:
    with a part p of positive samples, :math:`p c_{fn} / (p c_{fn} + (1 - p) c_{fp})`. Without a
    model the cost is the smaller of the share and one minus the share.

    Parameters
    ----------
    curve : ThresholdCurve
        Rates of the model.
    shares : array-like of shape (n_shares,)
        Numbers from 0 to 1.

    Returns
    -------
    ndarray of shape (n_shares,)
        Costs as parts of the cost of predicting everything wrong.

    References
    ----------
    C. Drummond and R. C. Holte, "Cost curves: an improved method for visualizing classifier
    performance", Machine Learning 65, 2006.
    """
    share = np.asarray(shares, dtype=float)[:, None]
    return ((1 - curve.recall) * share + curve.false_positive_rate * (1 - share)).min(axis=1)
