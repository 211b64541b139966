"""Curves over thresholds, against counts of every threshold and scikit-learn's curves."""

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve, roc_auc_score

from rdep.scoring import cost_curve, threshold_curve


@pytest.fixture
def ranked():
    rng = np.random.default_rng(0)
    truth = rng.random(200) < 0.3
    return truth, np.round(truth + rng.normal(size=200), 1)  # with ties


def test_every_threshold_is_counted(ranked):
    truth, score = ranked
    curve = threshold_curve(truth, score, false_negative=5, false_positive=2)
    for k, threshold in enumerate(curve.thresholds):
        predicted = score >= threshold
        missed, alarms = (truth & ~predicted).sum(), (~truth & predicted).sum()
        assert curve.cost[k] == pytest.approx((5 * missed + 2 * alarms) / 200)
        assert curve.recall[k] == pytest.approx(1 - missed / truth.sum())
        assert curve.false_positive_rate[k] == pytest.approx(alarms / (~truth).sum())
        if predicted.any():
            assert curve.precision[k] == pytest.approx(truth[predicted].mean())
    assert curve.roc_area == pytest.approx(roc_auc_score(truth, score))
    assert curve.balanced_accuracy[0] == 0.5


def test_the_precision_recall_curve_is_scikit_learns(ranked):
    curve = threshold_curve(*ranked)
    precision, recall, thresholds = precision_recall_curve(*ranked)
    places = np.searchsorted(-curve.thresholds, -thresholds)
    np.testing.assert_allclose(curve.precision[places], precision[:-1])
    np.testing.assert_allclose(curve.recall[places], recall[:-1])


def test_weights_count_like_copies(ranked):
    truth, score = ranked
    counts = np.random.default_rng(1).integers(1, 4, 200)
    weighted = threshold_curve(truth, score, sample_weight=counts)
    copied = threshold_curve(np.repeat(truth, counts), np.repeat(score, counts))
    for one, other in zip(weighted, copied, strict=True):
        np.testing.assert_allclose(one, other)


def test_the_cost_curve_is_the_lowest_of_all_lines(ranked):
    truth, score = ranked
    curve = threshold_curve(truth, score)
    shares = np.linspace(0, 1, 11)
    lowest = cost_curve(curve, shares)
    assert (lowest <= np.minimum(shares, 1 - shares) + 1e-12).all()
    positives, others = truth.sum(), (~truth).sum()
    for share, cost in zip(shares, lowest, strict=True):
        of_each = [
            share * (truth & (score < t)).sum() / positives
            + (1 - share) * (~truth & (score >= t)).sum() / others
            for t in [np.inf, *score]
        ]
        assert cost == pytest.approx(min(of_each))


def test_bad_input_is_refused(ranked):
    truth, score = ranked
    with pytest.raises(ValueError, match="both classes"):
        threshold_curve(np.ones(200), score)
    with pytest.raises(ValueError, match="must not be negative"):
        threshold_curve(truth, score, false_negative=-1)
