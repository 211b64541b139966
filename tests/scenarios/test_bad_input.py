"""Mistakes in the input: each has a ValueError that says what to do, and nothing is half-fitted."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils import get_tags

from rdep import DEPClassifier, EnsembleOrdering, MorphologicalPerceptron, RDEPClassifier

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [3.0, 2.0]])
Y = np.array([0, 0, 1, 1])

MODELS = [
    MorphologicalPerceptron(),
    DEPClassifier(),
    RDEPClassifier("ensemble"),
    EnsembleOrdering(),
]
CLASSIFIERS = MODELS[:3]


def with_value(value):
    changed = X.copy()
    changed[1, 1] = value
    return changed


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize(
    ("samples", "labels", "weight", "message"),
    [
        (X, [1, 1, 1, 1], None, "one class only.*at least two"),
        (with_value(np.nan), Y, None, "NaN"),
        (with_value(np.inf), Y, None, "infinity"),
        (np.empty((0, 2)), [], None, "0 sample"),
        (np.empty((4, 0)), Y, None, "0 feature"),
        (X, [0.1, 0.2, 0.3, 0.4], None, "continuous"),
        (X, Y[:3], None, "inconsistent numbers of samples"),
        (X[0], Y, None, "Expected 2D array"),
        (X, Y, [1, -1, 1, 1], "[Nn]egative"),
        (X, Y, [0, 0, 0, 0], "all sample weights are zero"),
        (X, Y, [0, 0, 1, 1], r"every sample of class \[0\] has zero weight"),
        (X, Y, [1, 1, 1], "sample_weight"),
        (X, Y, [1, np.nan, 1, 1], "NaN"),
        ([["a", "b"]] * 4, Y, None, "could not convert string to float"),
    ],
)
def test_data(model, samples, labels, weight, message):
    model = clone(model)
    if message == "NaN" and weight is None and get_tags(model).input_tags.allow_nan:
        model.fit(samples, labels)  # a missing value takes no part
        return
    with pytest.raises(ValueError, match=message):
        model.fit(samples, labels, weight)
    with pytest.raises(NotFittedError):
        getattr(model, "predict", getattr(model, "transform", None))(X)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("C", -1, "'C' parameter"),
        ("C", np.inf, "'C' parameter"),
        ("C", "big", "'C' parameter"),
        ("margin", -0.1, "'margin' parameter"),
        ("weighting", "mean", "'distance'"),
        ("reference", "median", "'extreme'"),
        ("solver", "mosek", "'descent'"),
        ("n_init", 0, "'n_init' parameter"),
        ("max_iter", 0, "'max_iter' parameter"),
        ("tol", -1e-3, "'tol' parameter"),
        ("escape", "yes", "'escape' parameter"),
        ("monotonic_cst", "guess", "'auto'"),
        ("monotonic_cst", [1, 2], r"\+1 \(increasing\), -1 \(decreasing\) and 0 \(free\)"),
        ("monotonic_cst", {"a": 1}, "no feature names|does not have"),
        ("class_weight", "even", "'balanced'"),
        ("class_weight", {7: 1.0}, "names classes that y does not have|not in"),
        ("class_weight", {0: -1.0}, "positive"),
    ],
)
def test_shared_parameters(model, parameter, value, message):
    if type(model) is RDEPClassifier and isinstance(value, list):
        value = [*value, 1]  # three members
    name = parameter
    if type(model) is RDEPClassifier and parameter != "class_weight":
        name = f"dep__{parameter}"
    model = clone(model).set_params(**{name: value})
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)
    with pytest.raises(NotFittedError):
        model.predict(X)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (MorphologicalPerceptron("opening"), "'dilation'"),
        (
            MorphologicalPerceptron(reference=[1.0]),
            "one finite number for each of the 2",
        ),
        (MorphologicalPerceptron(reference=[np.nan, 1.0]), "one finite number"),
        (MorphologicalPerceptron(monotonic_cst=[1]), "X has 2 features"),
        (DEPClassifier(reference=[1.0, 2.0, 3.0]), "a pair of vectors"),
        (DEPClassifier(beta=1.5), "'beta' parameter"),
        (DEPClassifier(beta=-0.1), "'beta' parameter"),
        (DEPClassifier(beta_loss="log"), "'squared_hinge'"),
        (DEPClassifier(beta_holdout=1.0), "'beta_holdout' parameter"),
        (DEPClassifier(beta_holdout=0.1), "does not leave samples of both classes"),
        (RDEPClassifier("voting"), "unknown ordering 'voting'; known: 'ensemble'"),
    ],
    ids=lambda case: repr(case)[:60],
)
def test_other_parameters(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"ordering": 3}, "ordering must be one of 'ensemble'.* or a transformer .* got 3"),
        ({"ordering": SVC()}, "a transformer with fit_transform and transform, got SVC"),
        ({"ordering": EnsembleOrdering}, r"pass ordering=EnsembleOrdering\(\)"),
        ({"dep": DEPClassifier}, r"pass dep=DEPClassifier\(\)"),
        ({"dep": StandardScaler()}, r"dep must be a classifier, .* got StandardScaler\(\)"),
        ({"dep": "dep"}, "dep must be a classifier"),
        ({"dep": SVR()}, "dep must be a classifier"),
    ],
)
def test_parts_of_an_rdep_that_are_none(parts, message):
    with pytest.raises(TypeError, match=message):
        RDEPClassifier(**parts).fit(X, Y)


def test_class_weights_for_a_dep_that_takes_none_are_refused_by_its_name():
    with pytest.raises(ValueError, match=r"dep \(KNeighborsClassifier\) takes no sample weights"):
        RDEPClassifier("ensemble", dep=KNeighborsClassifier(2), class_weight="balanced").fit(X, Y)


def test_unknown_feature_names():
    frame = pd.DataFrame(X, columns=["a", "b"])
    with pytest.raises(ValueError, match=r"does not have: \['c'\]"):
        DEPClassifier(monotonic_cst={"c": 1}).fit(frame, Y)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_prediction(model):
    model = clone(model).fit(X, Y)
    with pytest.raises(ValueError, match="expecting 2 features"):
        model.predict(X[:, :1])
    if get_tags(model).input_tags.allow_nan:
        assert np.isin(model.predict(with_value(np.nan)), Y).all()
    else:
        with pytest.raises(ValueError, match="NaN"):
            model.predict(with_value(np.nan))
    with pytest.raises(ValueError, match="infinity"):
        model.predict(with_value(-np.inf))


@pytest.mark.parametrize(
    "model", [MorphologicalPerceptron(), DEPClassifier(), RDEPClassifier("ensemble")]
)
def test_sparse_samples_are_refused_where_they_cannot_work(model):
    with pytest.raises(ValueError, match=r"toarray\(\)"):
        model.fit(csr_array(X), Y)


def test_a_failed_refit_keeps_the_earlier_fit():
    model = DEPClassifier().fit(X, Y)
    before = model.predict(X)
    with pytest.raises(ValueError, match="one class only"):
        model.fit(np.ones((4, 5)), [1, 1, 1, 1])
    assert model.n_features_in_ == 2
    assert np.array_equal(model.predict(X), before)
    model.set_params(beta_holdout=0.1)
    with pytest.raises(ValueError, match="beta_holdout"):
        model.fit(X[:, ::-1], Y)
    assert np.array_equal(model.predict(X), before)


@pytest.mark.parametrize("factor", [1e155, 1e160, 1e300])
def test_features_that_cannot_be_standardised_are_named(factor):
    """Without a warning of NumPy's before the error; a DEP itself takes such numbers."""
    samples = pd.DataFrame({"small": X[:, 0], "huge": factor * X[:, 1]})
    for ordering in ("ensemble", "boxes", "mixed"):
        with pytest.raises(ValueError, match="feature 'huge' is too large"):
            RDEPClassifier(ordering).fit(samples, Y)
    with pytest.raises(ValueError, match="ρ 'huge' is too large"):
        RDEPClassifier("signed", scale_input=False).fit(samples, Y)
    unscaled = RDEPClassifier("signed", scale_input=False, scale_ordering=False)
    for model in (unscaled, DEPClassifier(), MorphologicalPerceptron()):
        assert model.fit(samples, Y).score(samples, Y) == 1.0
