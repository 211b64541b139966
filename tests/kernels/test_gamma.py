"""γ of weighted samples is that of samples repeated as often."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.svm import SVC

from rdep.kernels._gamma import scale_gamma


@pytest.mark.parametrize("made", [np.asarray, csr_array])
def test_weights_stand_for_repetition(made):
    random = np.random.RandomState(0)
    X = random.normal(size=(30, 3)) * (random.uniform(size=(30, 3)) > 0.5)
    weights = random.randint(1, 4, 30)
    repeated = np.repeat(X, weights, axis=0)
    svc = SVC().fit(repeated, np.arange(len(repeated)) % 2)
    assert scale_gamma(made(X), weights.astype(float)) == pytest.approx(svc._gamma, rel=1e-12)


@pytest.mark.parametrize("made", [np.asarray, csr_array])
def test_equal_values_have_a_gamma_of_one(made):
    assert scale_gamma(made(np.zeros((4, 2))), np.ones(4)) == 1.0
