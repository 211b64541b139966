"""Usual size, probabilities and accuracy by passes against the same from arrays."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from rdep._base._extremes import usual_size
from rdep._base._probabilities import logistic_map
from rdep.blocks import _decided
from rdep.blocks._decided import balanced_accuracy, calibration_by_passes, usual_size_by_passes
from rdep.blocks._progress import Progress
from rdep.blocks._rows import StoredRows


def stored(values, y):
    rows = StoredRows(1, Progress())
    rows.append(values[:, None], y)
    return rows


@pytest.fixture
def values():
    return np.random.default_rng(0).standard_cauchy(5003)


@pytest.mark.parametrize("most", [10, 1000, 1_000_000])
@pytest.mark.parametrize("decimals", [0, 15])
def test_usual_size(values, most, decimals, monkeypatch):
    """With few values collected at a time, and with ties that no bin can separate."""
    monkeypatch.setattr(_decided, "_MOST_COLLECTED", most)
    values = np.round(values, decimals)
    assert usual_size_by_passes(stored(values, np.ones(len(values)))) == usual_size(values)


def test_usual_size_of_zeros():
    assert usual_size_by_passes(stored(np.zeros(10), np.ones(10))) == 0


@pytest.mark.parametrize("direction", [1, -1])
def test_calibration(values, direction):
    values = np.clip(values, -5, 5)
    rng = np.random.default_rng(1)
    y = np.where(rng.random(len(values)) < 1 / (1 + np.exp(1 - direction * values)), 1, -1)
    found = calibration_by_passes(stored(values, y))
    np.testing.assert_allclose(found, logistic_map(values, y > 0), rtol=1e-4)


def test_balanced_accuracy(values):
    y = np.where(values + np.random.default_rng(2).normal(size=len(values)) > 1, 1, -1)
    values[:3] = 0, -1e-12, 1e-12
    found = balanced_accuracy(stored(values, y), 1e-10)
    assert found == pytest.approx(balanced_accuracy_score(y, np.where(values >= -1e-10, 1, -1)))
