"""The reduced dilation-erosion perceptron, also where scikit-learn's users put it."""

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from scipy.stats import loguniform
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_classification, make_moons
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import (
    GridSearchCV,
    RandomizedSearchCV,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsOneClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import BaggingOrdering, DEPClassifier, EnsembleOrdering, RDEPClassifier
from rdep.exceptions import LongFitWarning

from ..real_data import load


@pytest.fixture(scope="module")
def moons():
    X, y = make_moons(200, noise=0.2, random_state=0)
    return X, y, *make_moons(200, noise=0.2, random_state=1)


def test_it_is_scale_order_scale_dep(moons):
    X, y, X_test, _ = moons
    model = RDEPClassifier("ensemble").fit(X, y)
    first = StandardScaler().fit(X)
    ordering = EnsembleOrdering().fit(first.transform(X), y)
    values = ordering.transform(first.transform(X))
    second = StandardScaler().fit(values)
    dep = DEPClassifier(margin=0.25).fit(second.transform(values), y)
    expected = second.transform(ordering.transform(first.transform(X_test)))
    assert np.array_equal(model.reduced_space(X_test), expected)
    assert np.array_equal(model.decision_function(X_test), dep.decision_function(expected))
    assert model.n_iter_ == dep.n_iter_


def test_scaling_is_optional(moons):
    X, y, X_test, _ = moons
    model = RDEPClassifier("ensemble", scale_input=False, scale_ordering=False).fit(X, y)
    assert model.input_scaler_ is None
    assert model.ordering_scaler_ is None
    expected = EnsembleOrdering().fit(X, y).transform(X_test)
    assert np.array_equal(model.reduced_space(X_test), expected)


def test_bagging_by_name_takes_the_random_state(moons):
    X, y, X_test, _ = moons
    by_name = RDEPClassifier("bagging", random_state=3).fit(X, y)
    by_object = RDEPClassifier(BaggingOrdering(random_state=3)).fit(X, y)
    assert np.array_equal(by_name.decision_function(X_test), by_object.decision_function(X_test))


def test_any_transformer_orders(moons):
    X, y, X_test, y_test = moons
    model = RDEPClassifier(PCA(2), DEPClassifier(monotonic_cst="auto")).fit(X, y)
    assert model.score(X_test, y_test) > 0.7
    forest = EnsembleOrdering([("forest", RandomForestClassifier(20, random_state=0))], cv=3)
    assert RDEPClassifier(forest).fit(X, y).score(X_test, y_test) > 0.9


def test_cross_fitted_orderings_train_the_dep_on_cross_fitted_values(moons):
    X, y, _, _ = moons
    crossed = RDEPClassifier(EnsembleOrdering(cv=5), scale_input=False, scale_ordering=False)
    dep = DEPClassifier(margin=0.25).fit(EnsembleOrdering(cv=5).fit_transform(X, y), y)
    assert np.array_equal(crossed.fit(X, y).dep_.dilation_weights_, dep.dilation_weights_)


@pytest.mark.parametrize("ordering", ["ensemble", "bagging"])
def test_exchanging_labels_gives_the_dual_model(ordering):
    X, y = make_classification(300, random_state=0)
    X_test = np.random.default_rng(0).normal(size=(1000, X.shape[1]))
    # Distance weights leave no ties, of which either critical point may be found.
    first = RDEPClassifier.paper(ordering, random_state=0).fit(X, y)
    second = RDEPClassifier.paper(ordering, random_state=0).fit(X, 1 - y)
    same = first.predict(X_test) == 1 - second.predict(X_test)
    assert same.mean() >= 0.995
    assert second.dep_.dilation_weights_ == pytest.approx(-first.dep_.erosion_weights_, abs=1e-2)
    assert second.dep_.beta_ == pytest.approx(1 - first.dep_.beta_, abs=1e-2)


def test_explain_names_two_members(moons):
    X, y, X_test, _ = moons
    model = RDEPClassifier("ensemble").fit(X, y)
    why = model.explain(X_test)
    assert set(why.dilation_by) | set(why.erosion_by) <= {"rbf", "linear", "poly"}
    assert why.decision == pytest.approx(model.decision_function(X_test))
    rho = model.reduced_space(X_test)
    rows = np.arange(len(X_test))
    attained = rho[rows, why.erosion_index] + model.dep_.erosion_weights_[why.erosion_index]
    assert (1 - model.dep_.beta_) * attained == pytest.approx(why.erosion_share)


def test_more_than_two_classes():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = load_iris().target_names[y]
    model = RDEPClassifier("ensemble").fit(X, names)
    assert model.score(X, names) > 0.94
    assert model.decision_function(X).shape == (150, 3)
    one = model.estimators_[1]
    expected = RDEPClassifier("ensemble").fit(X.to_numpy(), names == model.classes_[1])
    assert np.array_equal(one.decision_function(X), expected.decision_function(X.to_numpy()))
    assert one.feature_names_in_.tolist() == X.columns.tolist()
    with pytest.raises(ValueError, match="reduced_space is for two classes, this model has 3"):
        model.reduced_space(X)
    pairwise = OneVsOneClassifier(RDEPClassifier("ensemble")).fit(X.to_numpy(), names)
    assert len(pairwise.estimators_) == 3
    assert pairwise.score(X.to_numpy(), names) > 0.94


def test_in_a_pipeline_and_searches(moons):
    X, y, X_test, y_test = moons
    pipeline = make_pipeline(StandardScaler(), RDEPClassifier("ensemble"))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.85
    members = [("rbf", SVC()), ("linear", SVC(kernel="linear"))]
    grid = GridSearchCV(
        RDEPClassifier(EnsembleOrdering(members)),
        {"dep__C": [0.01, 0.1], "ordering__rbf__C": [1.0, 10.0]},
        cv=3,
    ).fit(X, y)
    assert set(grid.best_params_) == {"dep__C", "ordering__rbf__C"}
    assert grid.score(X_test, y_test) > 0.85
    search = RandomizedSearchCV(
        DEPClassifier(monotonic_cst="auto"),
        {"C": loguniform(1e-4, 1)},
        n_iter=5,
        cv=3,
        random_state=0,
    ).fit(X, y)
    assert 1e-4 <= search.best_params_["C"] <= 1


def test_calibrated_probabilities(moons):
    X, y, X_test, _ = moons
    model = CalibratedClassifierCV(RDEPClassifier("ensemble"), cv=3).fit(X, y)
    probabilities = model.predict_proba(X_test)
    assert probabilities.shape == (200, 2)
    assert probabilities.sum(axis=1) == pytest.approx(1)


def test_frames_and_string_labels(moons):
    X, y, X_test, _ = moons
    labels = np.where(y == 1, "yes", "no")
    expected = np.where(RDEPClassifier("ensemble").fit(X, y).predict(X_test) == 1, "yes", "no")
    for frame in (pd.DataFrame, pl.DataFrame):
        model = RDEPClassifier("ensemble").fit(frame({"a": X[:, 0], "b": X[:, 1]}), labels)
        test = frame({"a": X_test[:, 0], "b": X_test[:, 1]})
        assert np.array_equal(model.predict(test), expected)
        assert model.feature_names_in_.tolist() == ["a", "b"]
        assert model.classes_.tolist() == ["no", "yes"]


def test_output_of_orderings_set_to_frames_does_no_harm(moons):
    X, y, X_test, _ = moons
    expected = RDEPClassifier("ensemble").fit(X, y).decision_function(X_test)
    with config_context(transform_output="pandas"):
        model = RDEPClassifier("ensemble").fit(X, y)
        assert np.array_equal(model.decision_function(X_test), expected)


def test_clone_and_pickle(moons):
    X, y, X_test, _ = moons
    model = RDEPClassifier(
        BaggingOrdering(n_estimators=3, random_state=0), DEPClassifier(C=0.1)
    ).fit(X, y)
    copy = clone(model)
    assert copy.get_params()["dep__C"] == 0.1
    assert not hasattr(copy, "dep_")
    restored = pickle.loads(pickle.dumps(model))
    assert np.array_equal(restored.decision_function(X_test), model.decision_function(X_test))


def test_fit_leaves_parameters_and_arguments_alone(moons):
    X, y, _, _ = moons
    ordering = EnsembleOrdering([("rbf", SVC())])
    model = RDEPClassifier(ordering, DEPClassifier())
    before, X_before = model.get_params(), X.copy()
    model.fit(X, y)
    assert model.get_params() == before
    assert not hasattr(ordering, "estimators_")
    assert np.array_equal(X, X_before)


@pytest.mark.parametrize("ordering", ["ensemble", "bagging"])
def test_metadata_routing(moons, ordering):
    X, y, X_test, _ = moons
    weight = np.random.default_rng(0).integers(1, 4, size=len(y)).astype(float)
    plain = RDEPClassifier(ordering, random_state=0).fit(X, y, sample_weight=weight)
    with config_context(enable_metadata_routing=True):
        model = (
            RDEPClassifier(ordering, random_state=0)
            .set_fit_request(sample_weight=True)
            .set_score_request(sample_weight=False)
        )
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model)
        pipeline.fit(X, y, sample_weight=weight)
        routed = clone(model).fit(X, y, sample_weight=weight)
        cross_validate(model, X, y, params={"sample_weight": weight}, cv=3)
    assert np.array_equal(routed.decision_function(X_test), plain.decision_function(X_test))


def test_weights_reach_every_part(moons):
    X, y, X_test, _ = moons
    weight = np.random.default_rng(0).integers(0, 3, size=len(y)).astype(float)
    used = weight > 0
    whole = RDEPClassifier("ensemble").fit(X, y, weight)
    reduced = RDEPClassifier("ensemble").fit(X[used], y[used], weight[used])
    assert whole.decision_function(X_test) == pytest.approx(reduced.decision_function(X_test))
    assert not np.allclose(
        whole.decision_function(X_test),
        RDEPClassifier("ensemble").fit(X, y).decision_function(X_test),
    )


@pytest.mark.parametrize(
    ("ordering", "dep"),
    [
        (PCA(2), None),
        ("ensemble", KNeighborsClassifier()),
        (EnsembleOrdering([("neighbours", KNeighborsClassifier()), ("svc", SVC())], cv=3), None),
        (BaggingOrdering(KNeighborsClassifier(), random_state=0), None),
    ],
    ids=["transformer", "dep", "member", "bagging"],
)
def test_parts_without_weights_are_refused_if_asked_for_weights_only(moons, ordering, dep):
    X, y, X_test, _ = moons
    model = RDEPClassifier(ordering, dep).fit(X, y)
    assert set(model.predict(X_test)) == {0, 1}
    with pytest.raises(ValueError, match="class_weight"):
        clone(model).set_params(class_weight="balanced").fit(X, y)


def test_classes_are_balanced_unless_a_part_has_weights_of_its_own(moons):
    X, y, *_ = moons
    members = [("as given", SVC(class_weight={0: 1, 1: 5})), ("balanced", SVC())]
    model = RDEPClassifier(EnsembleOrdering(members), DEPClassifier(class_weight={1: 2}))
    model.fit(X, y)
    of_members = [member.class_weight for member in model.ordering_.estimators_]
    assert of_members == [{0: 1, 1: 5}, "balanced"]
    assert model.dep_.class_weight == {1: 2}
    model = RDEPClassifier(EnsembleOrdering(members, class_weight={0: 1, 1: 3})).fit(X, y)
    assert [member.class_weight for member in model.ordering_.estimators_] == [{0: 1, 1: 3}] * 2
    assert model.dep_.class_weight == "balanced"
    model = RDEPClassifier("ensemble", class_weight=None).fit(X, y)
    assert model.dep_.class_weight is model.ordering_.estimators_[0].class_weight is None


def test_verbose_shows_members_folds_and_dep(moons, capsys):
    X, y, *_ = moons
    ordering = EnsembleOrdering([("rbf", SVC()), ("linear", SVC(kernel="linear"))], cv=2)
    RDEPClassifier(ordering).fit(X, y)
    assert capsys.readouterr().out == ""
    RDEPClassifier(ordering, verbose=1).fit(X, y)
    shown = re.sub(r"\d+\.\d s$", "s", capsys.readouterr().out, flags=re.MULTILINE)
    assert shown.splitlines() == [
        "[EnsembleOrdering] member rbf: s",
        "[EnsembleOrdering] member linear: s",
        "[EnsembleOrdering] fold 1 of 2: s",
        "[EnsembleOrdering] fold 2 of 2: s",
        "[RDEPClassifier] ordering: s",
        "[RDEPClassifier] dep: s",
    ]
    RDEPClassifier(ordering, verbose=2).fit(X, y)
    assert capsys.readouterr().out.count("member rbf") == 3
    RDEPClassifier("bagging", verbose=1, random_state=0).fit(X, np.arange(len(y)) % 3)
    text = capsys.readouterr().out
    assert text.count("member 10 of 10") == 3
    assert "class 2 against the rest" in text


def test_a_long_fit_is_announced_before_it_begins(moons, monkeypatch):
    X, y, *_ = moons
    monkeypatch.setattr("rdep.perceptrons._reduced.expected_seconds", lambda *given: 300.0)
    monkeypatch.setattr(EnsembleOrdering, "fit_transform", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError), pytest.warns(LongFitWarning, match="about 5 minutes"):
        RDEPClassifier("ensemble").fit(X, y)
    with pytest.raises(ZeroDivisionError), pytest.warns(LongFitWarning, match="about 15 minutes"):
        RDEPClassifier("ensemble").fit(X, np.arange(len(y)) % 3)


class WarnsAndFails(DEPClassifier):
    def fit(self, X, y, sample_weight=None):
        warnings.warn("something odd about the values", UserWarning, stacklevel=2)
        raise ZeroDivisionError


def test_warnings_of_a_dep_whose_fit_fails_are_not_lost(moons):
    X, y, *_ = moons
    with pytest.warns(UserWarning, match="something odd"), pytest.raises(ZeroDivisionError):
        RDEPClassifier("signed", dep=WarnsAndFails()).fit(X, y)


def test_orderings_without_weights_say_so(moons):
    X, y, _, _ = moons
    with pytest.raises(ValueError, match="PCA does not accept sample weights"):
        RDEPClassifier(PCA(2)).fit(X, y, 1.0 + np.arange(len(y)))
    with pytest.raises(ValueError, match="PCA has no class_weight parameter"):
        RDEPClassifier(PCA(2), class_weight="balanced").fit(X, y)


def test_precomputed_kernels(moons):
    X, y, X_test, _ = moons
    ordering = EnsembleOrdering([("p", SVC(kernel="precomputed"))])
    model = RDEPClassifier(ordering, scale_input=False)
    direct = RDEPClassifier(EnsembleOrdering([("d", SVC(gamma=1.0))]), scale_input=False)
    K = rbf_kernel(X, gamma=1.0)
    model.fit(K, y)
    agree = model.predict(rbf_kernel(X_test, X, gamma=1.0)) == direct.fit(X, y).predict(X_test)
    assert agree.mean() >= 0.99
    assert cross_val_score(model, K, y, cv=3) == pytest.approx(
        cross_val_score(direct, X, y, cv=3), abs=0.02
    )


def test_sparse_samples_where_nothing_is_centred(moons):
    X, y, X_test, _ = moons
    model = RDEPClassifier("ensemble", scale_input=False).fit(csr_array(X), y)
    dense = RDEPClassifier("ensemble", scale_input=False).fit(X, y)
    assert (model.predict(csr_array(X_test)) == dense.predict(X_test)).mean() >= 0.99
    with pytest.raises(ValueError, match=r"scale_input=False"):
        RDEPClassifier("ensemble").fit(csr_array(X), y)


def test_a_dozen_samples_and_one_for_each_class():
    X, y = [[0.0, 1.0], [2.0, 3.0]], ["a", "b"]
    assert RDEPClassifier("ensemble").fit(X, y).predict(X).tolist() == ["a", "b"]


def test_a_precomputed_kernel_is_never_standardised(moons):
    X, y, X_test, _ = moons
    ordering = EnsembleOrdering([("p", SVC(kernel="precomputed"))])
    K, K_test = rbf_kernel(X, gamma=1.0), rbf_kernel(X_test, X, gamma=1.0)
    default = RDEPClassifier(ordering).fit(K, y)
    assert default.input_scaler_ is None
    off = RDEPClassifier(ordering, scale_input=False).fit(K, y)
    assert np.array_equal(default.predict(K_test), off.predict(K_test))


def test_members_can_be_constrained_by_name(moons):
    X, y, _, _ = moons
    model = RDEPClassifier("ensemble", dep=DEPClassifier(monotonic_cst={"poly": -1})).fit(X, y)
    assert model.dep_.orientation_.tolist() == [1.0, 1.0, -1.0]
    with pytest.raises(ValueError, match="does not have: .'forest'."):
        RDEPClassifier("ensemble", dep=DEPClassifier(monotonic_cst={"forest": 1})).fit(X, y)


def test_class_weights_of_an_ordering_are_for_two_classes():
    X, y = load_iris(return_X_y=True)
    ordering = EnsembleOrdering(class_weight={0: 50.0})
    with pytest.raises(ValueError, match="to the RDEPClassifier instead"):
        RDEPClassifier(ordering).fit(X, y)


def test_no_rounding_decides_a_class(data_dir):
    """A training sample lies at zero; with other rows beside it, it is rounded up or down."""
    X, y = load(data_dir, "Credit-g")
    model = RDEPClassifier.paper("bagging", random_state=0).fit(X, y)
    (at_zero,) = np.flatnonzero(np.abs(model._decide(X)) < 1e-10)
    assert model.predict(X)[at_zero] == model.classes_[1]
    for n_rows in range(1, 40):
        assert model.predict(X[at_zero : at_zero + n_rows])[0] == model.classes_[1]


@pytest.mark.parametrize("ordering", ["ensemble", "boxes", PCA(2)], ids=str)
def test_frames_as_the_output_of_transformers_change_nothing(ordering):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X, y = X[y > 0], y[y > 0]
    expected = RDEPClassifier(ordering).fit(X, y).explain(X)
    with config_context(transform_output="pandas"):
        reasons = RDEPClassifier(ordering).fit(X, y).explain(X)
    assert reasons.dilation_by.tolist() == expected.dilation_by.tolist()
    assert np.array_equal(reasons.decision, expected.decision)


@pytest.mark.parametrize(
    "ordering",
    [
        "signed",
        "boxes",
        EnsembleOrdering([(k, SVC(kernel=k, tol=1e-10)) for k in ("rbf", "linear", "poly")]),
    ],
    ids=["signed", "boxes", "ensemble"],
)
def test_a_sample_of_weight_two_is_two_samples(moons, ordering):
    """Compare SVCs up to their tolerance, which is tight here."""
    X, y, X_test, _ = moons
    weights = np.arange(len(y)) % 4
    rows = np.repeat(np.arange(len(y)), weights)
    weighted = RDEPClassifier(ordering).fit(X, y, sample_weight=weights)
    repeated = RDEPClassifier(ordering).fit(X[rows], y[rows])
    difference = weighted.decision_function(X_test) - repeated.decision_function(X_test)
    assert np.abs(difference).max() < 1e-5


@pytest.mark.parametrize(
    ("scale", "reason"), [(1e-300, "small .* underflows"), (1e300, "large .* overflows")]
)
def test_a_feature_whose_variance_is_no_number_is_named(scale, reason):
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = (X[:, 0] > 0).astype(int)
    with pytest.raises(ValueError, match=f"feature 'x0' is too {reason}"):
        RDEPClassifier("signed").fit(scale * X, y)
    # Rows without weight do not make a constant feature vary.
    X[:, 1], weights = 0.0, np.ones(30)
    X[0, 1], weights[0] = 1e-300, 0.0
    RDEPClassifier("signed").fit(X, y, sample_weight=weights)
