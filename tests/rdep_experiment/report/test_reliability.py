"""Reliability curves, added up over folds, against scikit-learn's of all samples at once."""

import numpy as np
from sklearn.calibration import calibration_curve

from rdep.scoring import binned
from rdep_experiment.report._reliability import reliability_curves


def test_curves_of_folds_are_scikit_learns_of_all_samples():
    rng = np.random.default_rng(0)
    positive = np.r_[rng.random(500), 0.0, 0.1, 0.3, 1.0]  # bounds of bins, too
    y = (rng.random(504) < positive**2).astype(int)
    rows = [
        {"classifier": "a", "reliability": binned(np.c_[1 - positive, positive][part], y[part])}
        for part in np.array_split(np.arange(504), 3)
    ]
    curve = reliability_curves([*rows, {"classifier": "without"}])["a"]
    true, predicted = calibration_curve(y, positive, n_bins=10)
    np.testing.assert_allclose(curve[:, 0], predicted)
    np.testing.assert_allclose(curve[:, 1], true)
    assert curve[:, 2].sum() == 504


def test_of_more_classes_the_predicted_one_counts():
    rng = np.random.default_rng(1)
    probabilities = rng.dirichlet([1, 1, 1], 300)
    y = np.array([rng.choice(3, p=row) for row in probabilities])
    curve = reliability_curves([{"classifier": "a", "reliability": binned(probabilities, y)}])["a"]
    right = probabilities.argmax(axis=1) == y
    true, predicted = calibration_curve(right, probabilities.max(axis=1), n_bins=10)
    np.testing.assert_allclose(curve[:, :2], np.c_[predicted, true])
