"""The ensemble as a transformer, and what it has in common with bagging."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import BaggingOrdering, EnsembleOrdering

from .comparing import same_values


def test_the_default_ensemble_is_the_papers(moons):
    X, y, X_test = moons
    values = EnsembleOrdering().fit(X, y).transform(X_test)
    expected = [
        SVC(kernel=kernel).fit(X, y).decision_function(X_test)
        for kernel in ("rbf", "linear", "poly")
    ]
    assert same_values(values, np.column_stack(expected))


def test_any_classifier_with_values_or_probabilities(moons):
    X, y, X_test = moons
    labels = np.where(y == 1, "yes", "no")
    members = [
        ("forest", RandomForestClassifier(random_state=0)),
        ("logistic", make_pipeline(StandardScaler(), LogisticRegression())),
    ]
    ordering = EnsembleOrdering(members).fit(X, labels)
    forest, logistic = (clone(member).fit(X, labels) for _, member in members)
    assert same_values(
        ordering.transform(X_test),
        np.column_stack(
            [forest.predict_proba(X_test)[:, 1] - 0.5, logistic.decision_function(X_test)]
        ),
    )
    assert ordering.get_feature_names_out().tolist() == ["forest", "logistic"]
    assert ordering.estimators_[0] is not members[0][1]
    assert not hasattr(members[0][1], "estimators_")


def test_precomputed_kernels(moons):
    X, y, X_test = moons
    K, K_test = rbf_kernel(X, gamma=1.0), rbf_kernel(X_test, X, gamma=1.0)
    precomputed, direct = SVC(kernel="precomputed"), SVC(gamma=1.0)
    weight = np.ones(len(y))
    weight[::5] = 0
    for sample_weight in (None, weight):
        ours = EnsembleOrdering([("p", precomputed)]).fit(K, y, sample_weight).transform(K_test)
        same = EnsembleOrdering([("d", direct)]).fit(X, y, sample_weight).transform(X_test)
        assert ours == pytest.approx(same, abs=1e-3)
        ours = BaggingOrdering(precomputed, random_state=0).fit(K, y, sample_weight)
        same = BaggingOrdering(direct, random_state=0).fit(X, y, sample_weight)
        assert ours.transform(K_test) == pytest.approx(same.transform(X_test), abs=1e-3)
    crossed = EnsembleOrdering([("p", precomputed)], cv=4).fit_transform(K, y)
    assert crossed == pytest.approx(
        EnsembleOrdering([("d", direct)], cv=4).fit_transform(X, y), abs=1e-3
    )


def test_sparse_samples(moons):
    X, y, X_test = moons
    dense = EnsembleOrdering().fit(X, y).transform(X_test)
    sparse = EnsembleOrdering().fit(csr_array(X), y).transform(csr_array(X_test))
    assert sparse == pytest.approx(dense, abs=1e-3)


def test_frames_in_and_out(moons):
    X, y, X_test = moons
    expected = EnsembleOrdering().fit(X, y).transform(X_test)
    for frame, kind in ((pd.DataFrame, "pandas"), (pl.DataFrame, "polars")):
        data = frame({"a": X[:, 0], "b": X[:, 1]})
        test = frame({"a": X_test[:, 0], "b": X_test[:, 1]})
        ordering = EnsembleOrdering().set_output(transform=kind).fit(data, y)
        out = ordering.transform(test)
        assert isinstance(out, frame)
        assert list(out.columns) == ["rbf", "linear", "poly"]
        # Frames are laid out by columns, for which BLAS may sum in another order.
        np.testing.assert_allclose(out.to_numpy(), expected, rtol=1e-12, atol=1e-14)
        assert ordering.feature_names_in_.tolist() == ["a", "b"]


def test_parameters_of_members_can_be_set(moons):
    X, y, _ = moons
    ordering = EnsembleOrdering([("rbf", SVC()), ("linear", SVC(kernel="linear"))])
    ordering.set_params(rbf__C=7.0, linear=SVC(kernel="poly"))
    assert ordering.get_params()["rbf__C"] == 7.0
    ordering.fit(X, y)
    assert ordering.estimators_[1].kernel == "poly"
    assert clone(ordering).get_params()["rbf__C"] == 7.0


@pytest.mark.parametrize(
    ("ordering", "message"),
    [
        (EnsembleOrdering([]), "at least one classifier"),
        (EnsembleOrdering([("a", SVC()), ("a", SVC())]), "not unique"),
        (EnsembleOrdering([("knn", KNeighborsClassifier())], class_weight="balanced"), "'knn'"),
        (BaggingOrdering(KNeighborsClassifier(), class_weight="balanced"), "has none"),
        (BaggingOrdering(n_estimators=0), "n_estimators"),
        (EnsembleOrdering(class_weight="equal"), "'balanced'"),
        (
            EnsembleOrdering(cv=ShuffleSplit(2, random_state=0)),
            "every sample into exactly one test fold",
        ),
    ],
)
def test_mistakes_are_explained(moons, ordering, message):
    X, y, _ = moons
    with pytest.raises(ValueError, match=message):
        ordering.fit_transform(X, y)
    assert not hasattr(ordering, "estimators_")


def test_three_classes_are_refused(moons):
    X, y, _ = moons
    with pytest.raises(ValueError, match="y has 3"):
        EnsembleOrdering().fit(X, np.arange(len(y)) % 3)


@pytest.mark.parametrize(
    ("ordering", "message"),
    [
        (EnsembleOrdering([SVC(), SVC()]), "name, classifier"),
        (EnsembleOrdering([("a", SVC()), ("b", "keep")]), "'drop' in place of a classifier.*got"),
        (EnsembleOrdering([("a", "drop")]), "every member of estimators is 'drop'"),
        (BaggingOrdering(class_weight={5: 2.0}), "names classes that y does not have"),
        (EnsembleOrdering(class_weight={5: 2.0}), "names classes that y does not have"),
        (BaggingOrdering(SVC(kernel="precomputed"), max_features=0.5), "columns are samples"),
    ],
)
def test_more_mistakes_are_explained(moons, ordering, message):
    X, y, _ = moons
    with pytest.raises(ValueError, match=message):
        ordering.fit(X @ X.T, y)


def test_a_member_to_drop_is_as_if_not_there(moons):
    X, y, X_test = moons
    rbf, linear = ("rbf", SVC()), ("linear", SVC(kernel="linear"))
    dropped = EnsembleOrdering([rbf, ("forest", "drop"), linear]).fit(X, y)
    expected = EnsembleOrdering([rbf, linear]).fit(X, y)
    assert np.array_equal(dropped.transform(X_test), expected.transform(X_test))
    assert dropped.get_feature_names_out().tolist() == ["rbf", "linear"]
    papers = EnsembleOrdering().set_params(poly="drop").fit(X, y)
    assert np.array_equal(papers.transform(X_test), expected.transform(X_test))
    assert "linear" in papers._repr_html_()
