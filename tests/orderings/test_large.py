"""The ordering for many samples."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split

from rdep import LargeOrdering, RDEPClassifier
from rdep.kernels import LandmarkClassifier

from ..real_data import load


def test_its_members_are_the_ensembles_kernels():
    X, y = make_classification(300, random_state=0)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 300)
    ordering = LargeOrdering(40, alpha=2.0, random_state=3, class_weight="balanced")
    values = ordering.fit(X, y, sample_weight=weights).transform(X)
    assert ordering.get_feature_names_out().tolist() == ["rbf", "linear", "poly"]
    # Classes of the same total weight: a sample of weight two is two samples.
    balanced = weights * (weights.sum() / (2 * np.bincount(y, weights)))[y]
    members = [
        LandmarkClassifier("rbf", n_landmarks=40, alpha=2.0, random_state=3),
        RidgeClassifier(alpha=2.0),
        LandmarkClassifier("poly", n_landmarks=40, alpha=2.0, random_state=3),
    ]
    expected = [m.fit(X, y, sample_weight=balanced).decision_function(X) for m in members]
    np.testing.assert_allclose(values, np.column_stack(expected), rtol=1e-6, atol=1e-8)


def test_a_seed_makes_it_repeatable():
    X, y = make_classification(300, random_state=0)
    fits = [
        RDEPClassifier(LargeOrdering(30, random_state=seed)).fit(X, y).decision_function(X)
        for seed in (0, 0, 1)
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert (fits[0] != fits[2]).any()


def test_by_name_it_takes_the_seed():
    X, y = make_classification(100, 5, n_redundant=0, random_state=0)
    ordering = RDEPClassifier("large", random_state=5).fit(X, y).ordering_
    assert (ordering.n_landmarks, ordering.random_state) == (2000, 5)
    assert [member.random_state for member in ordering.estimators_[::2]] == [5, 5]


@pytest.mark.parametrize(
    "name",
    [
        "diabetes",
        *(pytest.param(n, marks=pytest.mark.slow) for n in ("kr-vs-kp", "spambase", "phoneme")),
    ],
)
def test_as_accurate_as_the_ensemble_of_svcs(data_dir, name):
    X, y = load(data_dir, name)
    X, X_test, y, y_test = train_test_split(X, y, stratify=y, random_state=0)
    large, ensemble = (
        balanced_accuracy_score(y_test, RDEPClassifier(o, random_state=0).fit(X, y).predict(X_test))
        for o in ("large", "ensemble")
    )
    assert large >= ensemble - 0.01
