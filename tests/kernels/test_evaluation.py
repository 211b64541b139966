"""Blocked decision values against scikit-learn's own."""

import gc

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import make_classification
from sklearn.ensemble import BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, NuSVC

from rdep import BaggingOrdering, RDEPClassifier
from rdep.kernels import _evaluation as kernels


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(400, 12, flip_y=0.1, random_state=0)
    return X, y, make_classification(300, 12, random_state=1)[0]


def largest_error(values, expected):
    return np.abs(values - expected).max() / np.abs(expected).max()


@pytest.mark.parametrize(
    "svc",
    [
        SVC(kernel="linear"),
        SVC(),
        SVC(gamma="auto"),
        SVC(gamma=0.3, C=10.0),
        SVC(kernel="poly"),
        SVC(kernel="poly", degree=1, coef0=1.0),
        SVC(kernel="poly", degree=4, coef0=0.5),
        SVC(kernel="poly", degree=0),
        SVC(kernel="sigmoid", coef0=-0.2),
        NuSVC(nu=0.3),
        SVC(class_weight="balanced"),
    ],
    ids=repr,
)
def test_each_kernel(data, svc):
    X, y, X_test = data
    svc.fit(X, y)
    assert kernels.can_evaluate(svc)
    expected = svc.decision_function(X_test)
    assert largest_error(kernels.decision_values([svc], X_test)[:, 0], expected) <= 1e-10
    single = kernels.decision_values([svc], X_test, dtype=np.float32)
    assert single.dtype == np.float32
    assert largest_error(single[:, 0], expected) <= 1e-4


def test_a_bagging_shares_support_vectors(data):
    X, y, X_test = data
    bagging = BaggingClassifier(SVC(gamma=0.1), random_state=0).fit(X, y)
    expected = np.column_stack([svc.decision_function(X_test) for svc in bagging.estimators_])
    assert largest_error(kernels.decision_values(bagging.estimators_, X_test), expected) <= 1e-10


def test_repeated_support_vectors_add_up(data):
    X, y, X_test = data
    svcs = [SVC(gamma=0.1).fit(np.vstack([X, X]), np.r_[y, y]) for _ in range(2)]
    expected = svcs[0].decision_function(X_test)
    assert largest_error(kernels.decision_values(svcs, X_test)[:, 1], expected) <= 1e-10


def test_svcs_that_are_fitted_again_have_other_support_vectors(data):
    X, y, X_test = data
    svcs = [SVC(gamma=0.1).fit(X, y), SVC(gamma=0.1, C=10.0).fit(X, y)]
    kernels.decision_values(svcs, X_test)
    svcs[1].fit(X[:200], y[:200])
    expected = np.column_stack([svc.decision_function(X_test) for svc in svcs])
    assert largest_error(kernels.decision_values(svcs, X_test), expected) <= 1e-10


def test_the_union_of_support_vectors_is_found_once_and_not_kept_for_ever(data, monkeypatch):
    X, y, X_test = data
    svcs = [SVC(gamma=0.1).fit(X, y), SVC(gamma=0.1, C=10.0).fit(X, y)]
    before = len(kernels._unions)
    first = kernels.decision_values(svcs, X_test)
    monkeypatch.setattr(kernels, "_found_union", None)
    assert np.array_equal(kernels.decision_values(svcs, X_test), first)
    del svcs
    gc.collect()
    assert len(kernels._unions) == before


def test_blocks_do_not_show(data, monkeypatch):
    X, y, X_test = data
    svcs = [SVC().fit(X, y), SVC(kernel="poly").fit(X, y), SVC(kernel="linear").fit(X, y)]
    whole = kernels.decision_values(svcs, X_test)
    monkeypatch.setattr(kernels, "_BLOCK_VALUES", 1000)
    assert largest_error(kernels.decision_values(svcs, X_test), whole) <= 1e-12


def test_far_from_the_origin_distances_stay_exact(data):
    X, y, X_test = data
    svc = SVC(gamma=0.1).fit(X + 1e5, y)
    expected = svc.decision_function(X_test + 1e5)
    assert largest_error(kernels.decision_values([svc], X_test + 1e5)[:, 0], expected) <= 1e-10


def test_what_cannot_be_evaluated_is_left_to_scikit_learn(data):
    X, y, _ = data
    gram = X @ X.T
    for other, samples in (
        (SVC(kernel="precomputed"), gram),
        (SVC(kernel=lambda a, b: a @ b.T), X),
        (LogisticRegression(), X),
        (SVC(), csr_array(X)),
    ):
        assert not kernels.can_evaluate(other.fit(samples, y))
    assert not kernels.can_evaluate(SVC().fit(X, np.arange(len(y)) % 3))


@pytest.mark.parametrize("ordering", ["ensemble", "bagging"])
def test_labels_of_an_r_dep_are_those_over_scikit_learns_values(data, ordering, monkeypatch):
    X, y, X_test = data
    model = RDEPClassifier(ordering, random_state=0)
    ours = model.fit(X, y).predict(X_test)
    monkeypatch.setattr("rdep.orderings._members.can_evaluate", lambda member: False)
    theirs = model.fit(X, y)
    assert np.array_equal(ours, theirs.predict(X_test))


def test_feature_subsets(data):
    X, y, X_test = data
    ordering = BaggingOrdering(max_features=0.5, random_state=0).fit(X, y)
    expected = [
        svc.decision_function(X_test[:, features])
        for svc, features in zip(ordering.estimators_, ordering.estimators_features_, strict=True)
    ]
    assert largest_error(ordering.transform(X_test), np.column_stack(expected)) <= 1e-10


@pytest.mark.parametrize("apart", [1.0, 1e3, 1e6, 1e8])
def test_clusters_far_apart_keep_their_digits(apart):
    """The expansion of a squared distance would lose them all."""
    rng = np.random.default_rng(0)
    near = rng.normal(size=(150, 3))
    y = (near[:, 0] + 0.3 * rng.normal(size=150) > 0).astype(int)
    X = near + np.where(np.arange(150) < 75, 0.0, apart)[:, None]
    svc = SVC(gamma=1.0).fit(X, y)
    expected = svc.decision_function(X)
    assert largest_error(kernels.decision_values([svc], X)[:, 0], expected) <= 1e-12
