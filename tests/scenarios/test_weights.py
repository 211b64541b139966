"""What no classifier may depend on: constant weights, absent rows, names of labels, order of rows.

And why some estimators are excused from scikit-learn's check that weights are repetitions.
"""

from functools import cache

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import (
    check_class_weight_classifiers,
    check_sample_weight_equivalence_on_dense_data,
)

from rdep import (
    BoxScoreClassifier,
    CompetitiveClassifier,
    DendriteClassifier,
    DEPClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    LinearDEPClassifier,
    MixedOrdering,
    MorphologicalELMClassifier,
    MorphologicalPerceptron,
    RDEPClassifier,
    RitterSussnerClassifier,
    all_estimators,
)

pytestmark = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")

RANDOM = np.random.default_rng(7)
X = RANDOM.normal(size=(48, 3))
Y = (X[:, 0] + X[:, 1] ** 2 + 0.3 * RANDOM.normal(size=48) > 0.6).astype(int)
X_NEW = RANDOM.normal(size=(200, 3))
FOLDS = list(StratifiedKFold(3).split(X, Y))

CLASSIFIERS = {
    "perceptron": MorphologicalPerceptron(),
    "dep": DEPClassifier(),
    "joint": DEPClassifier(monotonic_cst="auto", joint=True),
    "dep_cv": DEPClassifierCV(Cs=[1.0, 0.01], margins=[0.1, 0.5], cv=FOLDS),
    "linear": LinearDEPClassifier(max_pieces=2, cv=FOLDS),
    "1996": RitterSussnerClassifier(),
    "greedy": CompetitiveClassifier(),
    "ccp": CompetitiveClassifier("ccp", random_state=0),
    "elimination": DendriteClassifier(),
    "divide": DendriteClassifier("divide", max_error=0.1),
    "score": BoxScoreClassifier(4, cv=FOLDS),
    "elm": MorphologicalELMClassifier(random_state=0),
    "mixed": RDEPClassifier(MixedOrdering(cv=FOLDS), random_state=0),
    "ensemble": RDEPClassifier(EnsembleOrdering(cv=FOLDS, stack=True)),
    "bagging": RDEPClassifier("bagging", random_state=0),
    "boxes": RDEPClassifier("boxes"),
}
EVERY = pytest.mark.parametrize("name", CLASSIFIERS)
# Solvers that end at a tolerance may go on from other roundings.
CLOSE = {"rtol": 1e-6, "atol": 1e-6}
# The others draw samples, or depend on their order, as dendrites do.
UNMOVED = [
    name
    for name in CLASSIFIERS
    if name not in ("ccp", "elimination", "divide", "elm", "mixed", "bagging")
]


@cache
def values(name):
    """Decision values of the classifier without weights."""
    return clone(CLASSIFIERS[name]).fit(X, Y).decision_function(X_NEW)


def of_folds(name, folds):
    """The classifier with other folds, if it has any."""
    model = clone(CLASSIFIERS[name])
    for parameter in ("cv", "ordering__cv"):
        if model.get_params().get(parameter) is not None and name != "elm":
            model.set_params(**{parameter: folds})
    return model


def test_every_classifier_is_here():
    here = {type(classifier).__name__ for classifier in CLASSIFIERS.values()}
    assert here == {name for name, _ in all_estimators("classifier")} - {
        "MorphologicalNetworkClassifier"
    }


@EVERY
@pytest.mark.parametrize("constant", [1.0, 0.3])
def test_a_constant_weight_is_no_weight(name, constant):
    weights = np.full(len(Y), constant)
    model = clone(CLASSIFIERS[name]).fit(X, Y, sample_weight=weights)
    np.testing.assert_array_equal(model.decision_function(X_NEW), values(name))


@EVERY
def test_rows_without_weight_are_absent_and_folds_count_them(name):
    # Every fourth row is one that would change any fit.
    extended = np.insert(X, range(0, 48, 3), 50.0, axis=0)
    is_own = (extended != 50.0).all(axis=1)
    labels = np.zeros(len(extended), dtype=int)
    labels[is_own] = Y
    labels[~is_own] = np.arange(16) % 2
    places = np.flatnonzero(is_own)
    others = np.flatnonzero(~is_own)
    folds = [(np.append(places[a], others[8:]), np.append(others[:8], places[b])) for a, b in FOLDS]
    model = of_folds(name, folds).fit(extended, labels, sample_weight=2.0 * is_own)
    np.testing.assert_allclose(model.decision_function(X_NEW), values(name), **CLOSE)


@EVERY
@pytest.mark.parametrize(
    "labels", [np.array(["no", "yes"]), np.array([1, 2]), np.array([False, True])], ids=repr
)
def test_names_of_labels_do_not_matter(name, labels):
    model = clone(CLASSIFIERS[name]).fit(X, labels[Y])
    np.testing.assert_allclose(model.decision_function(X_NEW), values(name), **CLOSE)
    assert model.predict(X_NEW).dtype == labels.dtype


@pytest.mark.parametrize("name", UNMOVED)
def test_the_order_of_rows_does_not_matter(name):
    order = np.random.default_rng(0).permutation(len(Y))
    place = np.argsort(order)
    folds = [(place[train], place[test]) for train, test in FOLDS]
    model = of_folds(name, folds).fit(X[order], Y[order])
    np.testing.assert_allclose(model.decision_function(X_NEW), values(name), rtol=0, atol=1e-2)
    assert np.mean((model.decision_function(X_NEW) > 0) == (values(name) > 0)) > 0.98


@EVERY
def test_frames_of_polars_are_arrays(name):
    frame, new = (pl.DataFrame(rows, schema=["a", "b", "c"]) for rows in (X, X_NEW))
    model = clone(CLASSIFIERS[name]).fit(frame, pl.Series(Y))
    # Its columns lie side by side in memory: sums are rounded differently.
    np.testing.assert_allclose(model.decision_function(new), values(name), **CLOSE)


# Why some estimators fail scikit-learn's check.


def is_equivalent(estimator):
    try:
        check_sample_weight_equivalence_on_dense_data("estimator", estimator)
    except AssertionError:
        return False
    return True


def test_svcs_differ_by_their_tolerance_only():
    kernels = ("rbf", "linear", "poly")
    exact = [(kernel, SVC(kernel=kernel, tol=1e-12)) for kernel in kernels]
    assert not is_equivalent(EnsembleOrdering())
    assert is_equivalent(EnsembleOrdering(exact))


@pytest.mark.parametrize(
    "drawing", [BaggingClassifier(SVC(), random_state=0), RandomForestClassifier(20)], ids=repr
)
def test_what_draws_rows_in_scikit_learn_fails_the_check_there_too(drawing):
    assert not is_equivalent(drawing.set_params(random_state=0))


def test_copies_come_into_several_folds_and_a_row_with_weight_into_one():
    """The check has a class of which one row has weight: no fold can be tested on it."""
    rows, labels = X[:9], np.array([1, 0, 0, 0, 0, 0, 0, 0, 0])
    weights = np.where(labels == 1, 3, 2)
    model = RDEPClassifier(EnsembleOrdering([("svc", SVC())], cv=2))
    with pytest.raises(ValueError, match="needs at least two samples of every class"):
        clone(model).fit(rows, labels, sample_weight=weights)
    clone(model).fit(np.repeat(rows, weights, axis=0), np.repeat(labels, weights))


def test_leave_one_out_is_why_ridge_models_differ():
    assert not is_equivalent(MorphologicalELMClassifier(random_state=0))
    assert is_equivalent(MorphologicalELMClassifier(alphas=1.0, random_state=0))


def test_without_a_penalty_few_samples_are_fitted_whatever_classes_weigh():
    model = MorphologicalELMClassifier.hlm_elm(random_state=0)
    with pytest.raises(AssertionError):
        check_class_weight_classifiers("elm", model)
    check_class_weight_classifiers("elm", model.set_params(alphas=1.0))


def test_the_closed_form_of_1996_knows_weights_as_present_or_absent():
    weights = 1.0 + np.arange(len(Y))
    first, second = (RitterSussnerClassifier().fit(X, Y, sample_weight=w) for w in (None, weights))
    np.testing.assert_array_equal(first.decision_function(X_NEW), second.decision_function(X_NEW))


@pytest.mark.parametrize(
    "model",
    [
        CompetitiveClassifier(),
        CompetitiveClassifier("greedy-published"),
        DendriteClassifier(),
        DendriteClassifier("incremental"),
        DendriteClassifier("divide"),
    ],
    ids=repr,
)
def test_boxes_that_separate_all_samples_refuse_class_weights(model):
    for class_weight in ("balanced", {0: 1000.0}):
        with pytest.raises(ValueError, match="class_weight has no effect"):
            clone(model).set_params(class_weight=class_weight).fit(X, Y)
    # An r-DEP weighs its other parts and leaves such a one alone.
    RDEPClassifier("boxes", dep=clone(model)).fit(X, Y)
    with pytest.raises(ValueError, match="class_weight has no effect"):
        RDEPClassifier("boxes", dep=clone(model), class_weight="balanced").fit(X, Y)


@pytest.mark.parametrize(
    "model",
    [
        DendriteClassifier("divide", max_error=0.2),
        DendriteClassifier("evolution", n_parts=2, n_generations=5, random_state=0),
        CompetitiveClassifier("ccp", random_state=0),
        DEPClassifierCV(Cs=[0.01], margins=[0.5], cv=2),
    ],
    ids=repr,
)
def test_class_weights_move_predictions_towards_the_costly_class(model):
    # Where classes overlap: on what is separated, weights of classes have nothing to decide.
    labels = (RANDOM.uniform(size=len(X)) < 0.5).astype(int)
    share = [
        clone(model).set_params(class_weight=weights).fit(X, labels).predict(X).mean()
        for weights in ({0: 100.0}, None, {1: 100.0})
    ]
    assert share[0] < share[2]
    assert share[0] <= share[1] <= share[2]


def test_class_weights_of_a_dep_by_cross_validation_are_those_of_its_dep():
    weights = {0: 3.0, 1: 1.0}
    own = DEPClassifierCV(Cs=[0.1, 0.01], margins=[0.1], cv=2, class_weight=weights).fit(X, Y)
    of_dep = DEPClassifierCV(
        DEPClassifier(class_weight=weights), Cs=[0.1, 0.01], margins=[0.1], cv=2
    ).fit(X, Y)
    np.testing.assert_array_equal(own.decision_function(X), of_dep.decision_function(X))
    three = np.where(X[:, 2] > 0.5, 2, Y)
    for several in (own, of_dep):
        parameters = {"class_weight": {2: 5.0}} if several is own else {}
        several.set_params(**parameters, **({} if parameters else {"dep__class_weight": {2: 5.0}}))
        several.fit(X, three)
    np.testing.assert_array_equal(own.decision_function(X), of_dep.decision_function(X))
    with pytest.raises(ValueError, match="are both given"):
        of_dep.set_params(class_weight="balanced").fit(X, Y)


def test_balanced_classes_of_a_dep_by_cross_validation_weigh_the_same():
    factors = np.where(Y == 1, 1 / Y.sum(), 1 / (1 - Y).sum())
    model = DEPClassifierCV(Cs=[0.1, 0.01], margins=[0.1], cv=2)
    expected = clone(model).fit(X, Y, sample_weight=factors)
    found = model.set_params(class_weight="balanced").fit(X, Y)
    assert found.C_ == expected.C_
    np.testing.assert_allclose(found.decision_function(X), expected.decision_function(X), rtol=1e-6)
