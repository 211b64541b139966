"""The linear DEP against a linear SVM, a DEP, and its own definition."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, make_circles
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import balanced_accuracy_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from rdep import DEPClassifier, LinearDEPClassifier, RDEPClassifier
from rdep.datasets import load_ripley
from rdep.perceptrons._linear_dep import _balanced_accuracy
from rdep.perceptrons._pieces import first_as_good


@pytest.fixture(scope="module")
def ripley():
    X, _, y, _ = load_ripley()
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def circles():
    return make_circles(120, noise=0.08, factor=0.4, random_state=0)


@pytest.mark.parametrize("C", [1.0, 0.1, 0.004])
def test_one_piece_of_each_kind_is_a_linear_svm(ripley, C):
    """½‖w‖² + c Σ loss, and ours: (C/2)(‖A‖² + ‖B‖²) = (C/4)‖w‖² with losses over m/2 each."""
    X, y = ripley
    ours = LinearDEPClassifier((1, 1), C=C).fit(X, y)
    n_of_class = np.bincount(y)
    assert n_of_class[0] == n_of_class[1]  # equal weights
    svm = LinearSVC(
        C=2 / (C * n_of_class[0]), dual=False, intercept_scaling=1e3, tol=1e-12, max_iter=100_000
    ).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(X), svm.decision_function(X), atol=1e-5)
    np.testing.assert_allclose(ours.dilation_coef_, ours.erosion_coef_, atol=1e-6)
    assert ours.beta_ == pytest.approx(0.5)
    assert ours.result_.gaps.max() <= 1e-7


def test_multiples_of_the_identity_are_a_dep(ripley):
    X, y = ripley
    dep = DEPClassifier().fit(X, y)
    by_hand = LinearDEPClassifier((2, 2)).fit(X, y)
    beta, identity = dep.beta_, np.eye(2)
    vars(by_hand.result_).update(
        dilation_coef=beta * identity,
        dilation_intercept=beta * dep.dilation_weights_,
        erosion_coef=(1 - beta) * identity,
        erosion_intercept=(1 - beta) * dep.erosion_weights_,
    )
    np.testing.assert_allclose(by_hand.decision_function(X), dep.decision_function(X), atol=1e-12)


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_a_ring_needs_several_pieces(circles, loss):
    X, y = circles
    linear = LinearDEPClassifier((1, 1), loss=loss, C=0.01).fit(X, y)
    many = LinearDEPClassifier((1, 4), loss=loss, C=0.01).fit(X, y)
    assert linear.score(X, y) < 0.7
    assert many.score(X, y) > 0.95
    assert many.result_.objective < linear.result_.objective
    assert (np.diff(many.result_.history) <= 0).all()
    assert many.result_.gaps.max() <= 1e-6


def test_auto_takes_what_pays(ripley, circles):
    model = LinearDEPClassifier().fit(*circles)
    assert sum(model.n_pieces_) > 2
    assert model.scores_.shape == (5, len(model.candidates_))
    assert model.candidates_[first_as_good(model.scores_)] == model.n_pieces_
    X = np.random.default_rng(0).normal(size=(300, 3))
    X[:, 0] += np.sign(X[:, 0])  # so that a linear classifier makes no mistake
    assert LinearDEPClassifier().fit(X, X[:, 0] > 0).n_pieces_ == (1, 1)
    assert LinearDEPClassifier(max_pieces=1).fit(*circles).candidates_ == [(1, 1)]


def test_three_pieces_are_tried_if_two_are_not_worse_than_one(circles):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 3))
    noisy = X, X[:, 0] + rng.normal(size=150) > 0
    tried = []
    for data in (circles, noisy):
        model = LinearDEPClassifier().fit(*data)
        one, two = model.scores_.mean(axis=0)[[0, 3]]
        tried.append((3, 3) in model.candidates_)
        assert tried[-1] == (two >= one)
    assert tried == [True, False]


def test_balanced_accuracies_of_folds_are_scikit_learns():
    rng = np.random.default_rng(0)
    truth, found = rng.random(40) > 0.7, rng.random(40) > 0.5
    for weights in (None, rng.random(40)):
        for rows in (slice(None), truth):  # a fold may lack a class
            of_rows = None if weights is None else weights[rows]
            given = truth[rows], found[rows], of_rows
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of predictions of a class that is missing
                expected = balanced_accuracy_score(*given[:2], sample_weight=of_rows)
            assert _balanced_accuracy(*given) == pytest.approx(expected, rel=1e-12)


def test_a_fold_without_test_samples_is_refused(circles):
    X, y = circles
    folds = [(np.arange(len(y)), np.array([], dtype=int))]
    with pytest.raises(ValueError, match="no test samples"):
        LinearDEPClassifier(cv=folds).fit(X, y)


def test_the_fewest_pieces_that_are_as_good():
    assert first_as_good(np.array([[0.8, 0.8, 0.9], [0.7, 0.7, 0.8]])) == 2  # better on each fold
    assert first_as_good(np.array([[0.8, 0.9, 0.9], [0.7, 0.8, 0.8]])) == 1
    assert first_as_good(np.array([[0.9, 0.8], [0.6, 0.72]])) == 0  # better on one fold only


def test_weights_are_repetitions_and_order_does_not_matter(ripley):
    X, y = ripley
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    model = LinearDEPClassifier((2, 2), C=0.01, tol=1e-8)
    weighted = model.fit(X, y, weights).decision_function(X)
    repeated = model.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(repeated.decision_function(X), weighted, atol=1e-9)
    order = np.random.default_rng(1).permutation(len(y))
    shuffled = model.fit(X[order], y[order], weights[order])
    np.testing.assert_allclose(shuffled.decision_function(X), weighted, atol=1e-9)


def test_class_weights_move_the_boundary(ripley):
    X, y = ripley
    few = LinearDEPClassifier((2, 1), class_weight={0: 9.0}).fit(X, y).predict(X).sum()
    many = LinearDEPClassifier((2, 1), class_weight={1: 9.0}).fit(X, y).predict(X).sum()
    assert few < y.sum() < many


def test_units_and_origin_do_not_matter_but_by_the_penalty(ripley):
    X, y = ripley
    model = LinearDEPClassifier((2, 2), C=0.0, max_iter=20)
    plain = model.fit(X, y).result_.objective
    assert model.fit(X * [1e4, 1e-4] + [1e6, -1.0], y).result_.objective == pytest.approx(
        plain, rel=1e-4
    )


def test_more_features_than_samples():
    """The principal coordinates give the pieces that all coordinates would."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(24, 60)), np.arange(24) % 2
    X[:, 0] += y
    wide = LinearDEPClassifier((2, 2), C=0.1).fit(X, y)
    rotation = np.linalg.qr(rng.normal(size=(60, 60)))[0]
    rotated = LinearDEPClassifier((2, 2), C=0.1).fit(X @ rotation, y)
    np.testing.assert_allclose(
        rotated.decision_function(X @ rotation), wide.decision_function(X), atol=1e-6
    )


def test_starts(circles):
    X, y = circles
    one = LinearDEPClassifier((3, 3)).fit(X, y).result_
    several = LinearDEPClassifier((3, 3), n_init=5, random_state=0).fit(X, y).result_
    assert several.objective <= one.objective
    again = LinearDEPClassifier((3, 3), n_init=5, random_state=0).fit(X, y).result_
    assert again.objective == several.objective


def test_explanations_add_up(circles):
    X, y = circles
    frame = pd.DataFrame(X, columns=["east", "north"])
    model = LinearDEPClassifier((2, 3)).fit(frame, y)
    reasons = model.explain(frame)
    np.testing.assert_allclose(reasons.decision, model.decision_function(frame), atol=1e-12)
    np.testing.assert_allclose(
        reasons.contributions.sum(axis=1) + reasons.intercepts, reasons.decision, atol=1e-12
    )
    table = reasons.to_frame()
    assert {"dilation_by", "erosion_by", "intercept", "contribution_east"} <= set(table)
    j, k = reasons.dilation_index[0], reasons.erosion_index[0]
    assert table["dilation_by"][0] == f"piece {j + 1}"
    slope = model.dilation_coef_[j] + model.erosion_coef_[k]
    np.testing.assert_allclose(reasons.contributions[0], slope * X[0])


def test_summary_names_features_and_pieces(circles):
    X, y = circles
    text = LinearDEPClassifier((2, 1)).fit(X, y).summary(max_features=1)
    assert "dilation 2" in text
    assert "erosion 2" not in text
    assert "1 more: summary(max_features=2)" in text
    assert "duality gap" in text


def test_several_classes():
    X, y = load_iris(return_X_y=True)
    model = LinearDEPClassifier((2, 2)).fit(X, y)
    assert model.score(X, y) > 0.95
    assert len(model.summary().split("against the rest")) == 4
    assert (model.explain(X).prediction == model.predict(X)).all()


def test_on_an_ordering(ripley):
    X, y = ripley
    reduced = RDEPClassifier("ensemble", dep=LinearDEPClassifier((1, 2)), random_state=0).fit(X, y)
    assert reduced.score(X, y) > 0.85
    with pytest.raises(ValueError, match="`dep_` itself"):
        reduced.explain(X)
    assert len(reduced.dep_.explain(reduced.reduced_space(X))) == len(X)


@pytest.mark.parametrize("given", [(0, 1), (1, -2), (1,), (1, 2, 3), (1.5, 2), ["a", 1]])
def test_pieces_that_make_no_sense(ripley, given):
    with pytest.raises(ValueError, match="pair of positive integers"):
        LinearDEPClassifier(given).fit(*ripley)


def test_more_pieces_than_samples():
    X, y = [[0.0], [0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b", "b"]
    with pytest.raises(ValueError, match="class 'a' has only 1"):
        LinearDEPClassifier((1, 2)).fit(X, y)
    with pytest.raises(ValueError, match="class 'b' has only 3"):
        LinearDEPClassifier((4, 1)).fit(X, y)


def test_poor_samples_are_handled():
    """A class of one sample, constant features, samples in both classes."""
    X = np.array([[0.0, 7.0], [1.0, 7.0], [1.0, 7.0], [2.0, 7.0], [3.0, 7.0]])
    alone = LinearDEPClassifier().fit(X, [0, 1, 1, 1, 1])
    assert alone.n_pieces_ == (1, 1)
    assert alone.score(X, [0, 1, 1, 1, 1]) == 1
    assert (alone.dilation_coef_[:, 1] == 0).all()
    both = LinearDEPClassifier((1, 1)).fit(X, [0, 0, 1, 1, 1])
    assert both.predict([[0.0, 7.0], [3.0, 7.0]]).tolist() == [0, 1]
    same = LinearDEPClassifier((1, 1)).fit(np.ones((4, 2)), [0, 1, 0, 1])
    np.testing.assert_allclose(same.decision_function(np.ones((1, 2))), 0, atol=1e-9)


def test_a_limit_of_steps_is_told(circles):
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        LinearDEPClassifier((3, 3), max_iter=1).fit(*circles)


def test_one_number_of_pieces_is_for_both():
    X, _, y, _ = load_ripley()
    one, two = (LinearDEPClassifier(given).fit(X, y) for given in (2, (2, 2)))
    assert one.n_pieces_ == (2, 2)
    assert np.array_equal(one.decision_function(X), two.decision_function(X))
    with pytest.raises(ValueError, match="a positive integer or a pair"):
        LinearDEPClassifier(0).fit(X, y)
