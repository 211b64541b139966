"""Each feature the way it grows with the class."""

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, RDEPClassifier, SignedOrdering


def test_signs_are_those_of_the_difference_of_weighted_means(cancer):
    X, y = cancer
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    ordering = SignedOrdering().fit(X, y, sample_weight=weight)
    rows = np.repeat(np.arange(len(y)), weight)
    means = X.iloc[rows].groupby(y.iloc[rows].to_numpy()).mean()
    assert np.array_equal(ordering.signs_, np.sign(means.loc[1] - means.loc[0]))
    assert set(ordering.signs_) == {-1.0, 1.0}
    assert np.array_equal(ordering.transform(X), X.to_numpy() * ordering.signs_)


def test_weights_may_flip_a_sign():
    X, y = [[0.0], [9.0], [4.0], [5.0]], [0, 0, 1, 1]
    assert SignedOrdering().fit(X, y).signs_ == [1.0]  # equal means
    assert SignedOrdering().fit(X, y, sample_weight=[1, 5, 1, 1]).signs_ == [-1.0]


def test_signs_need_classes():
    with pytest.raises(ValueError, match="samples of two classes"):
        SignedOrdering().fit([[1.0], [2.0]], None)


def test_a_signed_r_dep_is_a_dep_by_the_signs_of_growth(cancer):
    X, y = cancer
    Z = StandardScaler().fit_transform(X)
    rdep = RDEPClassifier("signed").fit(X, y)
    dep = DEPClassifier(margin=0.25, monotonic_cst="auto").fit(Z, y)
    np.testing.assert_allclose(rdep.decision_function(X), dep.decision_function(Z), atol=1e-9)
