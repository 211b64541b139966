"""The dilation-erosion perceptron."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import train_test_split

from rdep import DEPClassifier, MorphologicalPerceptron, RDEPClassifier, dilation, erosion
from rdep.datasets import load_ripley, make_double_moon
from rdep.exceptions import DegenerateFitWarning, DirectionWarning
from rdep.training import best_combination, canonical_order

from ..problems import random_samples


@pytest.fixture(scope="module")
def ripley():
    return load_ripley()


def best_beta(X, y, w, m, weight=None, margin=None):
    """β by the loss with the operators' margin, normalised by class."""
    weight = np.ones(len(y)) if weight is None else weight
    margin = 0.5 * np.sqrt(X.var(axis=0).mean()) if margin is None else margin
    share = weight / np.where(y == 1, weight[y == 1].sum(), weight[y == 0].sum())
    signs = np.where(y == 1, 1.0, -1.0)
    order = np.lexsort((share, signs, erosion(X, m), dilation(X, w)))
    X, signs, share = X[order], signs[order], share[order]
    return best_combination(dilation(X, w), erosion(X, m), signs, share, margin=margin)


def test_it_is_two_perceptrons_and_beta(ripley):
    X, X_test, y, _ = ripley
    dep = DEPClassifier().fit(X, y)
    w = MorphologicalPerceptron("dilation").fit(X, y).weights_
    m = MorphologicalPerceptron("erosion").fit(X, y).weights_
    assert np.array_equal(dep.dilation_weights_, w)
    assert np.array_equal(dep.erosion_weights_, m)
    beta, interval = best_beta(X, y, w, m)
    assert dep.beta_ == pytest.approx(beta, rel=1e-12)
    assert dep.beta_interval_ == pytest.approx(interval, rel=1e-12)
    assert dep.decision_function(X_test) == pytest.approx(
        beta * dilation(X_test, w) + (1 - beta) * erosion(X_test, m)
    )
    assert dep.n_iter_ == max(dep.dilation_result_.n_iter, dep.erosion_result_.n_iter)


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")
def test_ripley_has_the_papers_accuracy_and_falls_with_inverted_labels(ripley):
    X, X_test, y, y_test = ripley
    dep = DEPClassifier.paper(margin=0.0).fit(X, y)
    assert dep.dilation_result_.objective <= 0.00602
    assert dep.erosion_result_.objective <= 0.00509
    assert round(dep.score(X, y), 2) == 0.88
    assert dep.score(X_test, y_test) >= 0.89
    inverted = DEPClassifier.paper(margin=0.0).fit(X, 1 - y)
    assert 0.25 <= inverted.score(X, 1 - y) <= 0.35
    assert 0.25 <= inverted.score(X_test, 1 - y_test) <= 0.35


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")
def test_double_moon_depends_on_orientation_unless_it_is_learned():
    X, X_test, y, y_test = make_double_moon()
    scores = sorted(
        DEPClassifier().fit(X, labels).score(X_test, test_labels)
        for labels, test_labels in ((y, y_test), (1 - y, 1 - y_test))
    )
    assert scores == pytest.approx([0.67, 0.84], abs=0.02)
    for labels, test_labels in ((y, y_test), (1 - y, 1 - y_test)):
        model = DEPClassifier(monotonic_cst="auto").fit(X, labels)
        assert model.score(X_test, test_labels) >= 0.83


def test_beta_given_is_beta_used(ripley):
    X, X_test, y, _ = ripley
    for beta, operator in ((1.0, "dilation"), (0.0, "erosion")):
        dep = DEPClassifier(beta=beta).fit(X, y)
        single = MorphologicalPerceptron(operator).fit(X, y)
        assert np.array_equal(dep.predict(X_test), single.predict(X_test))
        assert dep.beta_ == beta
        assert dep.get_params()["beta"] == beta
    assert DEPClassifier(beta=0.3).fit(X, y).beta_interval_ == (0.3, 0.3)


def test_losses_and_holdout_differ_and_are_deterministic(ripley):
    X, _, y, _ = ripley
    plain = DEPClassifier().fit(X, y)
    squared = DEPClassifier(beta_loss="squared_hinge").fit(X, y)
    held_out = [DEPClassifier(beta_holdout=0.3, random_state=s).fit(X, y) for s in (0, 0, 1)]
    assert squared.beta_ != plain.beta_
    assert held_out[0].beta_ == held_out[1].beta_ != held_out[2].beta_
    for model in (squared, *held_out):
        assert np.array_equal(model.dilation_weights_, plain.dilation_weights_)


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DirectionWarning")
def test_a_second_fit_learns_beta_again(ripley):
    X, _, y, _ = ripley
    model = DEPClassifier().fit(X, y)
    first = model.beta_
    model.fit(X, 1 - y)
    assert model.beta is None
    assert model.beta_ != first


def test_monotonic_constraints_by_array_and_by_name(ripley):
    X, _, y, _ = ripley
    frame = pd.DataFrame(X, columns=["left", "up"])
    by_array = DEPClassifier(monotonic_cst=[-1, 1]).fit(X, y)
    by_name = DEPClassifier(monotonic_cst={"left": -1}).fit(frame, y)
    negated = DEPClassifier().fit(X * [-1, 1], y)
    assert by_array.orientation_.tolist() == [-1.0, 1.0]
    for model in (by_array, by_name):
        assert np.array_equal(model.dilation_weights_, negated.dilation_weights_)
    assert np.array_equal(by_array.predict(X), negated.predict(X * [-1, 1]))
    assert np.array_equal(by_name.predict(frame), by_array.predict(X))


def test_class_weight_moves_the_boundary():
    X, y = random_samples(np.random.default_rng(0), 300, 2, "continuous")
    shares = [
        np.mean(DEPClassifier(class_weight=weight, margin=0.1).fit(X, y).predict(X) == 1)
        for weight in ({1: 10.0}, None, {-1: 10.0})
    ]
    assert shares[0] > shares[1] > shares[2]


def test_balanced_weights_concern_beta_only():
    X, y = random_samples(np.random.default_rng(1), 300, 2, "continuous")
    plain, balanced = (
        DEPClassifier(beta_loss="hinge", class_weight=weight).fit(X, y)
        for weight in (None, "balanced")
    )
    assert np.array_equal(balanced.dilation_weights_, plain.dilation_weights_)
    assert balanced.beta_ != plain.beta_


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_a_pair_of_references():
    X, y = random_samples(np.random.default_rng(0), 50, 2, "continuous")
    model = DEPClassifier(C=1e3, reference=([1.0, 2.0], [3.0, 4.0])).fit(X, y)
    assert model.dilation_weights_ == pytest.approx([1.0, 2.0])
    assert model.erosion_weights_ == pytest.approx([3.0, 4.0])


def test_explain(ripley):
    X, X_test, y, _ = ripley
    frame = pd.DataFrame(X, columns=["xs", "ys"])
    model = DEPClassifier(monotonic_cst={"xs": -1}).fit(frame, y)
    test = pd.DataFrame(X_test, columns=["xs", "ys"])
    why = model.explain(test)
    assert why.decision == pytest.approx(model.decision_function(test))
    assert len(why) == len(X_test)
    oriented = X_test * model.orientation_
    rows = np.arange(len(X_test))
    attained = (oriented + model.dilation_weights_)[rows, why.dilation_index]
    assert attained * model.beta_ == pytest.approx(why.dilation_share)
    assert set(why.erosion_by) <= {"xs", "ys"}
    assert list(why.to_frame().columns) == [
        "dilation_by", "dilation_share", "erosion_by", "erosion_share", "decision",
    ]  # fmt: skip


def test_certify_names_both_operators():
    X, y = random_samples(np.random.default_rng(0), 40, 2, "continuous")
    model = DEPClassifier(escape=True, n_init=5, random_state=0).fit(X, y)
    certificates = model.certify(X, y)
    assert set(certificates) == {"dilation", "erosion"}
    for operator, certificate in certificates.items():
        assert certificate.proven
        assert certificate.objective == pytest.approx(
            getattr(model, f"{operator}_result_").objective
        )
        assert certificate.gap >= 0


def test_beta_follows_the_sample_weights(ripley):
    X, _, y, _ = ripley
    weight = np.random.default_rng(0).random(len(y)) ** 4
    dep = DEPClassifier.paper().fit(X, y, weight)
    w, m = dep.dilation_weights_, dep.erosion_weights_
    signs = np.where(y == 1, 1.0, -1.0)
    assert dep.beta_ == best_combination(dilation(X, w), erosion(X, m), signs, weight)[0]
    assert dep.beta_ != best_combination(dilation(X, w), erosion(X, m), signs, np.ones(250))[0]


def test_the_holdout_is_not_seen_by_the_weights_that_beta_is_learned_with(ripley):
    X, _, y, _ = ripley
    dep = DEPClassifier(beta_holdout=0.3, random_state=0).fit(X, y)
    seed = np.random.RandomState(0).randint(np.iinfo(np.int32).max)
    order = canonical_order(X, np.where(y == 1, 1.0, -1.0), np.ones(250))
    X, y = X[order], y[order]
    rest, held_out = train_test_split(np.arange(250), test_size=0.3, random_state=seed, stratify=y)
    part = DEPClassifier().fit(X[rest], y[rest])
    w, m = part.dilation_weights_, part.erosion_weights_
    margin = 0.5 * np.sqrt(X[rest].var(axis=0).mean())
    expected, _ = best_beta(X[held_out], y[held_out], w, m, margin=margin)
    assert dep.beta_ == pytest.approx(expected, rel=1e-12)


def test_orientation_follows_the_sample_weights():
    X = np.array([[0.0], [3.0], [1.0], [1.0]])
    y = np.array([0, 0, 1, 1])
    assert DEPClassifier(monotonic_cst="auto").fit(X, y).orientation_.tolist() == [-1.0]
    weighted = DEPClassifier(monotonic_cst="auto").fit(X, y, [1.0, 0.01, 1.0, 1.0])
    assert weighted.orientation_.tolist() == [1.0]


def test_warnings_of_both_kinds():
    X, y = random_samples(np.random.default_rng(0), 200, 5, "continuous")
    with pytest.warns(ConvergenceWarning, match="max_iter=1") as caught:
        DEPClassifier(max_iter=1).fit(X, y)
    assert {str(warning.message).split(" reached ")[0][-8:] for warning in caught} == {
        "dilation", " erosion",
    }  # fmt: skip
    ones = np.ones((30, 2))
    with pytest.warns(DegenerateFitWarning, match="sample is predicted"):
        DEPClassifier().fit(ones, np.arange(30) % 2)
    # The warning points at the caller's line.
    with pytest.warns(DegenerateFitWarning) as caught:
        DEPClassifier().fit(ones, np.arange(30) % 2)
    assert caught[0].filename == __file__


def test_class_weights_against_the_rest_are_averaged():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], [10, 20, 30])
    X = rng.normal(size=(60, 2)) + np.repeat([[0.0], [2.0], [4.0]], [10, 20, 30], axis=0)
    model = DEPClassifier.paper(class_weight={"a": 6.0, "b": 3.0}, monotonic_cst="auto").fit(X, y)
    assert model.estimators_[0].class_weight == {True: 6.0, False: (20 * 3.0 + 30) / 50}
    assert model.estimators_[2].class_weight == {True: 1.0, False: pytest.approx(4.0)}


def test_constraints_by_name_with_three_classes():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["a", "b"])
    X["a"] += np.repeat([0, 2, 4], 20)
    y = np.repeat(["x", "y", "z"], 20)
    model = DEPClassifier(monotonic_cst={"a": -1}).fit(X, y)
    for estimator in model.estimators_:
        assert estimator.orientation_.tolist() == [-1.0, 1.0]
    assert set(model.estimators_[0].explain(X).dilation_by) <= {"a", "b"}


def test_certify_refuses_other_data():
    X, y = random_samples(np.random.default_rng(0), 40, 2, "continuous")
    model = DEPClassifier().fit(X, y)
    with pytest.raises(ValueError, match="samples and weights"):
        model.certify(X + np.arange(40)[:, None], y)
    with pytest.raises(ValueError, match="samples and classes"):
        model.certify(X, np.ones(40))
    with pytest.raises(ValueError, match="[Nn]egative"):
        model.certify(X, y, -np.ones(40))


def test_the_users_generator_is_left_alone_where_nothing_is_random():
    X, y = random_samples(np.random.default_rng(0), 40, 2, "continuous")
    generator = np.random.RandomState(0)
    DEPClassifier(random_state=generator).fit(X, y)
    assert generator.randint(1000) == np.random.RandomState(0).randint(1000)


def test_random_starts_keep_the_duality():
    for seed in range(10):
        X, y = random_samples(np.random.default_rng(seed), 60, 3, "continuous")
        first, second = (
            DEPClassifier(n_init=5, random_state=0).fit(data, labels)
            for data, labels in ((X, y), (-X, -y))
        )
        assert second.dilation_weights_ == pytest.approx(-first.erosion_weights_)


class TestDirection:
    """A DEP says if the features fall with the class that is called positive."""

    def data(self, sign):
        rng = np.random.default_rng(0)
        y = rng.integers(0, 2, 200)
        return sign * rng.normal(size=(200, 3)) + sign * 1.5 * y[:, None], y

    def test_it_warns_if_negating_all_features_would_do_clearly_better(self):
        X, y = self.data(-1)
        with pytest.warns(DirectionWarning, match="monotonic_cst='auto'") as caught:
            plain = DEPClassifier().fit(X, np.where(y == 1, "yes", "no"))
        assert "with 'no' instead of the positive class 'yes'" in str(caught[0].message)
        auto = DEPClassifier(monotonic_cst="auto").fit(X, y)
        accuracy = balanced_accuracy_score(y, plain.predict(X) == "yes")
        assert auto.score(X, y) > accuracy + 0.1
        assert f"is {accuracy:.2f}" in str(caught[0].message)

    @pytest.mark.filterwarnings("error")
    def test_it_is_silent_if_features_grow_or_directions_are_given_or_learnt(self):
        X, y = self.data(1)
        DEPClassifier().fit(X, y)
        X, y = self.data(-1)
        DEPClassifier(monotonic_cst=[-1, -1, -1]).fit(X, y)
        for ordering in ("signed", "boxes", "ensemble"):
            RDEPClassifier(ordering, random_state=0).fit(X, y)

    @pytest.mark.filterwarnings("error::rdep.exceptions.DirectionWarning")
    @pytest.mark.filterwarnings("ignore:Degenerate fit")
    def test_it_is_silent_if_no_direction_helps(self):
        rng = np.random.default_rng(0)
        DEPClassifier().fit(rng.normal(size=(200, 3)), rng.integers(0, 2, 200))

    def test_the_order_of_the_rows_does_not_matter(self):
        X, y = self.data(-1)
        texts = []
        for order in (np.arange(200), np.arange(200)[::-1]):
            with pytest.warns(DirectionWarning) as caught:
                DEPClassifier().fit(X[order], y[order])
            texts.append(str(caught[0].message))
        assert texts[0] == texts[1]
