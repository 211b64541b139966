"""Both orderings as transformers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import BaggingOrdering, EnsembleOrdering


def same_values(values, expected):
    """Equal to scikit-learn's to rounding: 1e-10 of the largest value."""
    return np.abs(values - expected).max() <= 1e-10 * np.abs(expected).max()


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(120, noise=0.2, random_state=0)
    return X, y, make_moons(50, noise=0.2, random_state=1)[0]


def test_the_default_ensemble_is_the_papers(moons):
    X, y, X_test = moons
    values = EnsembleOrdering().fit(X, y).transform(X_test)
    expected = [
        SVC(kernel=kernel).fit(X, y).decision_function(X_test)
        for kernel in ("rbf", "linear", "poly")
    ]
    assert same_values(values, np.column_stack(expected))


def test_the_default_bagging_is_scikit_learns(moons):
    X, y, X_test = moons
    ordering = BaggingOrdering(random_state=0).fit(X, y)
    bagging = BaggingClassifier(SVC(), n_estimators=10, random_state=0).fit(X, y)
    expected = [member.decision_function(X_test) for member in bagging.estimators_]
    assert same_values(ordering.transform(X_test), np.column_stack(expected))
    assert ordering.get_feature_names_out()[0] == "svc0"


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


@pytest.mark.parametrize("ordering", [EnsembleOrdering(), BaggingOrdering(random_state=0)])
def test_cross_fitted_values_come_from_the_other_folds(moons, ordering):
    X, y, X_test = moons
    cv = KFold(4, shuffle=True, random_state=0)
    crossed = clone(ordering).set_params(cv=cv)
    values = crossed.fit_transform(X, y)
    for train, test in cv.split(X):
        fold = clone(ordering).fit(X[train], y[train])
        assert np.array_equal(values[test], fold.transform(X[test]))
    # The members kept are those of all samples.
    assert np.array_equal(crossed.transform(X_test), clone(ordering).fit(X, y).transform(X_test))
    assert not np.array_equal(values, crossed.transform(X))


def test_without_cv_fit_transform_is_fit_and_transform(moons):
    X, y, _ = moons
    for ordering in (EnsembleOrdering(), BaggingOrdering(random_state=0)):
        both = ordering.fit_transform(X, y)
        assert np.array_equal(both, ordering.transform(X))


def test_cross_fitting_agrees_with_scikit_learns(moons):
    X, y, _ = moons
    values = EnsembleOrdering([("rbf", SVC())], cv=5).fit_transform(X, y)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    expected = cross_val_predict(SVC(), X, y, cv=folds, method="decision_function")
    assert same_values(values[:, 0], expected)


def test_feature_subsets_are_respected(moons):
    X, y, X_test = moons
    X, X_test = np.hstack([X, X**2]), np.hstack([X_test, X_test**2])
    ordering = BaggingOrdering(max_features=2, n_estimators=5, random_state=0).fit(X, y)
    assert all(len(features) == 2 for features in ordering.estimators_features_)
    bagging = BaggingClassifier(SVC(), n_estimators=5, max_features=2, random_state=0).fit(X, y)
    expected = [
        member.decision_function(X_test[:, features])
        for member, features in zip(bagging.estimators_, bagging.estimators_features_, strict=True)
    ]
    assert same_values(ordering.transform(X_test), np.column_stack(expected))


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


def test_sample_weights_reach_the_members(moons):
    X, y, X_test = moons
    weight = np.random.default_rng(0).integers(0, 3, size=len(y)).astype(float)
    used = weight > 0
    ordering = EnsembleOrdering([("rbf", SVC())]).fit(X, y, sample_weight=weight)
    expected = SVC().fit(X[used], y[used], sample_weight=weight[used])
    assert same_values(ordering.transform(X_test)[:, 0], expected.decision_function(X_test))


def test_class_weights_reach_the_members(moons):
    X, y, X_test = moons
    labels = np.where(y == 1, "yes", "no")
    weights = {"yes": 5.0, "no": 1.0}
    expected = SVC(class_weight=weights).fit(X, labels).decision_function(X_test)
    ordering = EnsembleOrdering([("rbf", SVC())], class_weight=weights).fit(X, labels)
    assert same_values(ordering.transform(X_test)[:, 0], expected)
    # A member without the parameter receives sample weights instead.
    ordering = EnsembleOrdering([("bayes", GaussianNB())], class_weight=weights).fit(X, labels)
    bayes = GaussianNB().fit(X, labels, sample_weight=np.where(y == 1, 5.0, 1.0))
    assert ordering.transform(X_test)[:, 0] == pytest.approx(
        bayes.predict_proba(X_test)[:, 1] - 0.5
    )
    bagging = BaggingOrdering(class_weight=weights, random_state=0).fit(X, labels)
    assert bagging.estimators_[0].class_weight == {0: 1.0, 1: 5.0}


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


def test_parallel_members_are_the_same(moons):
    X, y, X_test = moons
    for ordering in (EnsembleOrdering(), BaggingOrdering(random_state=0)):
        serial = clone(ordering).fit(X, y).transform(X_test)
        parallel = clone(ordering).set_params(n_jobs=2).fit(X, y).transform(X_test)
        assert np.array_equal(serial, parallel)


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
            "into exactly one test fold",
        ),
    ],
)
def test_mistakes_are_explained(moons, ordering, message):
    X, y, _ = moons
    with pytest.raises(ValueError, match=message):
        ordering.fit_transform(X, y)
    assert not hasattr(ordering, "estimators_")


def test_members_without_values_are_named(moons):
    X, y, _ = moons

    class Bare(Perceptron):
        decision_function = property(doc="none")  # hasattr is False

    with pytest.raises(ValueError, match="neither decision_function nor predict_proba"):
        EnsembleOrdering([("bare", Bare())]).fit_transform(X, y)


def test_three_classes_are_refused(moons):
    X, y, _ = moons
    with pytest.raises(ValueError, match="needs two classes, y has 3"):
        EnsembleOrdering().fit(X, np.arange(len(y)) % 3)


@pytest.mark.filterwarnings("ignore:Using the fractional value max_samples:UserWarning")
def test_a_draw_without_one_class_still_gives_a_member():
    X, y = [[0.0], [1.0]], [0, 1]
    ordering = BaggingOrdering(random_state=0).fit(X, y)
    assert ordering.transform(X).shape == (2, 10)
    assert all(len(member.classes_) == 2 for member in ordering.estimators_)


def test_members_that_take_no_weights_are_bagged_by_rows(moons):
    X, y, X_test = moons
    ordering = BaggingOrdering(KNeighborsClassifier(), n_estimators=3, random_state=0).fit(X, y)
    assert isinstance(ordering.estimators_[0], KNeighborsClassifier)
    bagging = BaggingClassifier(KNeighborsClassifier(), n_estimators=3, random_state=0).fit(X, y)
    expected = [member.predict_proba(X_test)[:, 1] - 0.5 for member in bagging.estimators_]
    assert ordering.transform(X_test) == pytest.approx(np.column_stack(expected))


def test_cross_fitting_passes_the_weights_on(moons):
    X, y, _ = moons
    weight = np.random.default_rng(0).random(len(y)) + 0.1
    cv = KFold(3)
    values = EnsembleOrdering([("rbf", SVC())], cv=cv).fit_transform(X, y, weight)
    for train, test in cv.split(X):
        fold = SVC().fit(X[train], y[train], sample_weight=weight[train])
        assert same_values(values[test, 0], fold.decision_function(X[test]))


def test_samples_without_weight_do_not_shape_the_folds(moons):
    X, y, _ = moons
    weight = np.ones(len(y))
    weight[5:40] = 0
    used = weight > 0
    values = EnsembleOrdering([("rbf", SVC())], cv=4).fit_transform(X, y, weight)
    without = EnsembleOrdering([("rbf", SVC())], cv=4).fit_transform(X[used], y[used], weight[used])
    assert same_values(values[used], without)
    assert np.isfinite(values).all()


def test_the_scale_of_weights_does_not_change_the_draws(moons):
    X, y, X_test = moons
    weight = np.random.default_rng(0).random(len(y)) + 0.5
    members = [
        BaggingOrdering(GaussianNB(), random_state=0).fit(X, y, scale * weight).transform(X_test)
        for scale in (1.0, 1e-3)
    ]
    assert members[0] == pytest.approx(members[1])


@pytest.mark.parametrize(
    ("ordering", "message"),
    [
        (EnsembleOrdering([SVC(), SVC()]), "pairs of a name and a classifier"),
        (EnsembleOrdering([("a", SVC()), ("b", "drop")]), "pairs of a name and a classifier"),
        (BaggingOrdering(class_weight={5: 2.0}), "names classes that y does not have"),
        (EnsembleOrdering(class_weight={5: 2.0}), "names classes that y does not have"),
        (BaggingOrdering(SVC(kernel="precomputed"), max_features=0.5), "columns are samples"),
    ],
)
def test_more_mistakes_are_explained(moons, ordering, message):
    X, y, _ = moons
    with pytest.raises(ValueError, match=message):
        ordering.fit(X @ X.T, y)


def test_too_many_folds_are_explained():
    X, y = np.arange(12.0)[:, None], np.array([0] * 11 + [1])
    with pytest.raises(ValueError, match="choose fewer folds"):
        EnsembleOrdering(cv=KFold(4)).fit_transform(X, y)


def test_weights_reach_the_last_step_of_a_pipeline(moons):
    X, y, X_test = moons
    weights = np.random.default_rng(0).uniform(0.1, 3.0, len(y))
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    ordering = EnsembleOrdering([("scaled", pipeline)], class_weight="balanced")
    values = ordering.fit(X, y, sample_weight=weights).transform(X_test)
    balanced = weights * (len(y) / (2 * np.bincount(y)))[y]
    expected = clone(pipeline).fit(X, y, logisticregression__sample_weight=balanced)
    np.testing.assert_allclose(values[:, 0], expected.decision_function(X_test))


def test_out_of_bag_values_are_those_of_members_that_do_not_know_the_sample():
    X, y = make_moons(80, noise=0.3, random_state=0)
    ordering = BaggingOrdering(n_estimators=6, cv="oob", random_state=2)
    values = ordering.fit_transform(X, y)
    theirs = BaggingClassifier(SVC(), n_estimators=6, random_state=2).fit(X, y)
    plain = np.column_stack([member.decision_function(X) for member in theirs.estimators_])
    np.testing.assert_allclose(ordering.transform(X), plain, rtol=1e-8, atol=1e-10)
    for i in range(len(X)):
        known = np.array([i in rows for rows in theirs.estimators_samples_])
        expected = plain[i].copy()
        if not known.all():
            expected[known] = plain[i][~known].mean()
        np.testing.assert_allclose(values[i], expected, rtol=1e-8, atol=1e-10)


def test_samples_without_weight_are_out_of_every_bag():
    X, y = make_moons(60, noise=0.3, random_state=1)
    weights = (np.arange(60) % 3 > 0).astype(float)
    ordering = BaggingOrdering(n_estimators=4, cv="oob", random_state=0)
    values = ordering.fit_transform(X, y, weights)
    idle = weights == 0
    np.testing.assert_allclose(values[idle], ordering.transform(X)[idle])


def test_samples_that_come_sorted_are_shuffled_into_the_folds():
    """A slow drift: what is learned from other times does not hold at this one."""
    random = np.random.RandomState(0)
    time = np.linspace(0, 6, 300)
    y = (random.uniform(size=300) < 0.5).astype(int)
    X = np.column_stack([time, random.normal(scale=0.3, size=300) + y + 3 * time])
    member = [("tree", RandomForestClassifier(30, random_state=0))]

    def right(cv):
        values = EnsembleOrdering(member, cv=cv).fit_transform(X, y)[:, 0]
        return np.mean((values >= 0) == y)

    assert right(5) > right(StratifiedKFold(5)) + 0.1
