"""Associative memories: the theorems, recall of digits, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.datasets import load_digits

from rdep import AssociativeMemory
from rdep.lattice import max_plus, min_plus
from rdep.memories import _associative

KINDS = pytest.mark.parametrize("kind", ["W", "M", "pamm"])
# Whole numbers, so that sums are exact; infinite ones as well.
NUMBERS = st.integers(-9, 9).map(float)
EXTENDED = st.one_of(NUMBERS, st.sampled_from([np.inf, -np.inf]))


def patterns(elements):
    """Stored patterns and others, with as many entries."""
    return st.tuples(st.integers(1, 6), st.integers(1, 5)).flatmap(
        lambda shape: st.tuples(
            arrays(float, shape, elements=elements), arrays(float, (3, shape[1]), elements=elements)
        )
    )


def both(X):
    return AssociativeMemory("W").fit(X), AssociativeMemory("M").fit(X)


@given(patterns(EXTENDED))
def test_definition(drawn):
    X, _ = drawn
    W, M = both(X)
    for i in range(X.shape[1]):
        for j in range(X.shape[1]):
            pairs = [
                (x[i], x[j], x[i] - x[j] if np.isfinite(x[[i, j]]).any() or x[i] != x[j] else None)
                for x in X
            ]
            differences = [value for *_, value in pairs if value is not None]
            assert W.memory_[i, j] == min(differences, default=np.inf)
            assert M.memory_[i, j] == max(differences, default=-np.inf)


@KINDS
@given(patterns(EXTENDED))
def test_any_number_of_patterns_is_recalled_perfectly(kind, drawn):
    X, _ = drawn
    memory = AssociativeMemory(kind).fit(X)
    assert np.array_equal(memory.predict(X), X)
    assert memory.is_fixed_point(X).all()
    assert memory.score(X) == 1


@given(patterns(EXTENDED))
def test_m_is_the_negative_transpose_of_w(drawn):
    W, M = both(drawn[0])
    assert np.array_equal(M.memory_, -W.memory_.T)


@given(patterns(EXTENDED))
def test_the_matrices_are_idempotent(drawn):
    W, M = (memory.memory_ for memory in both(drawn[0]))
    assert np.array_equal(max_plus(W, W), W)
    assert np.array_equal(min_plus(M, M), M)


@KINDS
@given(patterns(EXTENDED))
def test_recall_is_idempotent(kind, drawn):
    X, others = drawn
    memory = AssociativeMemory(kind).fit(X)
    once = memory.predict(others)
    assert np.array_equal(memory.predict(once), once)
    assert memory.is_fixed_point(once).all()


@given(patterns(EXTENDED))
def test_a_pattern_lies_between_what_m_and_w_recall(drawn):
    X, others = drawn
    W, M = both(X)
    projected = AssociativeMemory("pamm").fit(X).predict(others)
    assert (M.predict(others) <= others).all()
    assert (others <= W.predict(others)).all()
    assert (projected <= M.predict(others)).all()


@given(patterns(EXTENDED))
def test_w_and_m_have_the_same_fixed_points(drawn):
    X, others = drawn
    W, M = both(X)
    candidates = np.vstack([others, W.predict(others), M.predict(others)])
    assert np.array_equal(W.is_fixed_point(candidates), M.is_fixed_point(candidates))
    assert W.is_fixed_point(candidates)[3:].all()


@given(patterns(NUMBERS))
def test_the_projection_is_the_largest_combination_below(drawn):
    """Against other combinations: none below x has an entry above what is recalled."""
    X, others = drawn
    recalled = AssociativeMemory("pamm").fit(X).predict(others)
    rng = np.random.default_rng(0)
    for x, best in zip(others, recalled, strict=True):
        assert (best <= x).all()
        for _ in range(20):
            combination = (X + rng.integers(-20, 20, (len(X), 1))).max(axis=0)
            below = combination + (x - combination).min()
            assert (below <= best).all()


def condition_of_1996(X, gamma, noisy):
    """Theorem 3 of Ritter and Sussner, from the patterns alone, for the memory W."""
    x, others = X[gamma], np.delete(X, gamma, axis=0)
    n = len(x)
    raised = np.full((n, n), -np.inf)  # [i, j]
    for other in others:
        raised = np.maximum(raised, x[:, None] - other[:, None] + other[None, :])
    no_higher = all(noisy[j] <= max(x[j], raised[:, j].min()) for j in range(n))
    supported = all(any(noisy[j] == max(x[j], raised[i, j]) for j in range(n)) for i in range(n))
    return no_higher and supported


@given(patterns(NUMBERS), st.data())
def test_the_condition_of_recall_is_that_of_1996(drawn, data):
    X, others = drawn
    X = X[np.unique(X, axis=0, return_index=True)[1]]
    W = AssociativeMemory("W").fit(X)
    gamma = data.draw(st.integers(0, len(X) - 1))
    lowered = X[gamma] - np.abs(others) * data.draw(
        arrays(float, others.shape, elements=st.integers(0, 1).map(float))
    )
    for noisy in (*others, *lowered):
        expected = condition_of_1996(X, gamma, noisy)
        target = X[[gamma]]
        assert W.recall_condition([noisy], target).holds[0] == expected
        assert np.array_equal(W.predict([noisy]), target) == expected
        # M is W of the negatives.
        dual = AssociativeMemory("M").fit(-X).recall_condition(-noisy[None], -target)
        assert dual.holds[0] == expected


@KINDS
@given(drawn=patterns(EXTENDED), chosen=st.lists(st.integers(0, 5), min_size=3, max_size=3))
def test_the_condition_holds_exactly_where_the_pattern_is_recalled(kind, drawn, chosen):
    X, others = drawn
    memory = AssociativeMemory(kind).fit(X)
    targets = X[np.array(chosen) % len(X)]
    for noisy in (others, np.minimum(others, targets), np.maximum(others, targets)):
        recalled = (memory.predict(noisy) == targets).all(axis=1)
        condition = memory.recall_condition(noisy, targets)
        assert np.array_equal(condition.holds, recalled)
        explained = condition.excessive.any(axis=1) | condition.unsupported.any(axis=1)
        assert np.array_equal(condition.holds, ~explained)


@given(patterns(EXTENDED), st.data())
def test_other_values_lie_between_what_w_and_m_recall(drawn, data):
    X, _ = drawn
    Y = data.draw(arrays(float, (len(X), 2), elements=EXTENDED))
    W = AssociativeMemory("W").fit(X, Y)
    M = AssociativeMemory("M").fit(X, Y)
    assert (W.predict(X) <= Y).all()
    assert (M.predict(X) >= Y).all()
    recalled = (W.predict(X) == Y).all(axis=1)
    assert np.array_equal(W.recall_condition(X, Y).holds, recalled)
    assert W.score(X, Y) == recalled.mean()


@KINDS
def test_all_digits_are_stored_and_recalled(kind):
    X = load_digits().data
    memory = AssociativeMemory(kind).fit(X)
    assert memory.n_patterns_ == 1797
    assert np.array_equal(memory.predict(X), X)


@KINDS
def test_real_numbers_are_recalled_up_to_rounding(kind):
    X = np.random.default_rng(0).normal(1e3, 100, (5, 20))
    memory = AssociativeMemory(kind).fit(X)
    assert memory.score(X) == 1
    assert memory.is_fixed_point(X).all()
    assert memory.recall_condition(X, X).holds.all()
    assert not memory.is_fixed_point(X[:, ::-1] + 1).any()


def noisy_patterns():
    """Five patterns of 200 entries, and which of these noise has hit."""
    rng = np.random.default_rng(0)
    X = rng.integers(1, 100, (5, 200)).astype(float)
    return X, rng.random(X.shape) < 0.2


def restored(recalled, noisy, X):
    """The share of the entries hit by noise that are as they were."""
    return (recalled == X)[noisy != X].mean()


def test_w_bears_erosive_and_m_dilative_noise():
    X, hit = noisy_patterns()
    eroded, dilated = np.where(hit, 0, X), np.where(hit, 100, X)
    W, M = both(X)
    recalled = W.predict(eroded)
    assert (eroded <= recalled).all()
    assert (recalled <= X).all()
    assert restored(recalled, eroded, X) > 0.5
    assert restored(W.predict(dilated), dilated, X) == 0
    for memory in (M, AssociativeMemory("pamm").fit(X)):
        recalled = memory.predict(dilated)
        assert (dilated >= recalled).all()
        assert (recalled >= X).all()
        assert restored(recalled, dilated, X) > 0.5
        assert restored(memory.predict(eroded), eroded, X) == 0


def test_the_projection_bears_more_dilative_noise_than_m():
    X, hit = noisy_patterns()
    dilated = np.where(hit, 100, X)
    M, projection = AssociativeMemory("M").fit(X), AssociativeMemory("pamm").fit(X)
    assert (projection.predict(dilated) <= M.predict(dilated)).all()
    assert projection.score(dilated, X) > M.score(dilated, X)


def test_missing_entries_are_infinite():
    X, missing = noisy_patterns()
    for kind, infinite in (("W", -np.inf), ("M", np.inf), ("pamm", np.inf)):
        noisy = np.where(missing, infinite, X)
        recalled = AssociativeMemory(kind).fit(X).predict(noisy)
        assert np.isfinite(recalled).all()
        assert restored(recalled, noisy, X) > 0.5


def test_values_of_one_dimension_are_recalled_in_one():
    X = load_digits().data[:10]
    memory = AssociativeMemory().fit(X, np.arange(10))
    assert memory.predict(X).shape == (10,)
    assert memory.score(X, np.arange(10)) > 0.5


def test_blocks_of_pairs_are_as_one(monkeypatch):
    X = load_digits().data[:100]
    at_once = AssociativeMemory().fit(X).memory_
    monkeypatch.setattr(_associative, "_PAIRS", 7)
    assert np.array_equal(AssociativeMemory().fit(X).memory_, at_once)


def test_different_numbers_of_keys_and_values_are_refused():
    with pytest.raises(ValueError, match="3 keys and 2 values"):
        AssociativeMemory().fit(np.eye(3), np.eye(2))
    memory = AssociativeMemory().fit(np.eye(3), np.eye(3)[:, :2])
    with pytest.raises(ValueError, match="Y has 3 entries"):
        memory.score(np.eye(3), np.eye(3))


@KINDS
def test_what_needs_an_autoassociative_memory_says_so(kind):
    memory = AssociativeMemory(kind).fit(np.eye(3), np.eye(3)[:, :2])
    with pytest.raises(ValueError, match="fixed point is defined"):
        memory.is_fixed_point(np.eye(3))
    with pytest.raises(ValueError, match="score without y"):
        memory.score(np.eye(3))
    if kind == "pamm":
        with pytest.raises(ValueError, match="condition for the projection"):
            memory.recall_condition(np.eye(3), np.eye(3)[:, :2])


@pytest.mark.parametrize("name", ["X", "Y"])
def test_nan_is_refused_with_what_to_do(name):
    X = {"X": np.eye(3), "Y": np.eye(3)}
    X[name] = np.where(np.eye(3) > 0, np.nan, 0.0)
    with pytest.raises(ValueError, match=f"{name} contains NaN, .* by −∞ for W"):
        AssociativeMemory().fit(X["X"], X["Y"])


def test_a_memory_larger_than_the_machine_says_how_large_it_is(monkeypatch):
    monkeypatch.setattr(_associative, "physical_memory", lambda: 8 * 2**30)
    X = np.zeros((2, 100_000))
    with pytest.raises(MemoryError, match=r"takes 74\.5 GiB, .* this machine has 8\.0 GiB: .*pamm"):
        AssociativeMemory().fit(X)
    assert AssociativeMemory("pamm").fit(X).score(X) == 1


def test_the_memory_of_this_machine():
    assert _associative.physical_memory() is None or _associative.physical_memory() > 2**28
