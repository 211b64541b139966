"""Folds: every one has every class, groups stay together, the future is not known."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split

from rdep.datasets import Dataset
from rdep_experiment.run._folds import (
    BY_GROUPS,
    BY_TIME,
    HELD_OUT,
    group_numbers,
    limit_of_folds,
    moments,
    splits,
    usable_folds,
)


def made(y, groups=None):
    y = np.asarray(y)
    labels = tuple(map(str, np.unique(y)))
    return Dataset("made", np.zeros((len(y), 1)), y, ("x",), labels, "made", groups)


def test_folds_without_groups_are_scikit_learns():
    y = np.arange(60) % 3 % 2
    expected = list(StratifiedKFold(4, shuffle=True, random_state=7).split(y, y))
    for ours, theirs in zip(splits(made(y), None, 4, 7), expected, strict=True):
        assert all(map(np.array_equal, ours, theirs))


def test_one_fold_held_out_is_scikit_learns():
    y = np.arange(60) % 3 % 2
    ((train, test),) = splits(made(y), HELD_OUT, 1, 42)
    expected = train_test_split(np.arange(60), test_size=0.2, random_state=42, stratify=y)
    assert np.array_equal(train, expected[0])
    assert np.array_equal(test, expected[1])
    assert usable_folds(made(y), HELD_OUT, 10, [42]) == 1


@pytest.mark.parametrize(("n_rare", "expected"), [(2, 2), (5, 5), (40, 10)])
def test_no_more_folds_than_the_rarest_class_has_samples(n_rare, expected):
    y = (np.arange(300) < n_rare).astype(int)
    assert usable_folds(made(y), None, 10, [1, 2]) == expected
    for train, test in splits(made(y), None, expected, 1):
        assert set(y[train]) == set(y[test]) == {0, 1}


def test_groups_stay_together_and_every_fold_has_every_class():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 20, 200)
    y = (rng.random(200) < 0.15) | (groups == 3)
    dataset = made(y.astype(int), groups)
    count = usable_folds(dataset, BY_GROUPS, 10, [1, 2, 3])
    assert 2 <= count <= 10
    for seed in (1, 2, 3):
        for train, test in splits(dataset, BY_GROUPS, count, seed):
            assert not set(groups[train]) & set(groups[test])
            assert set(y[train]) == set(y[test]) == {False, True}


def test_a_class_in_one_group_alone_has_no_folds():
    groups = np.repeat(np.arange(6), 5)
    assert usable_folds(made((groups == 2).astype(int), groups), BY_GROUPS, 10, [1]) == 0


@pytest.mark.parametrize("n_moments", [7, 40, 1000])
def test_every_fold_is_tested_on_the_time_after_its_training(n_moments):
    rng = np.random.default_rng(1)
    moments = rng.integers(0, n_moments, 200)
    dataset = made(rng.integers(0, 2, 200), moments)
    count = usable_folds(dataset, BY_TIME, 5, [1])
    assert count >= 2
    tested = []
    for train, test in splits(dataset, BY_TIME, count, 1):
        assert moments[train].max() < moments[test].min()
        assert set(train) >= set(tested)  # all that was tested before is known now
        tested += list(test)
    assert len(set(tested)) == len(tested)


def test_a_class_that_comes_late_has_fewer_folds():
    y = np.r_[np.zeros(60, int), np.tile([0, 1], 20)]
    dataset = made(y, np.arange(100))
    assert usable_folds(dataset, BY_TIME, 10, [1]) == 0  # the first fold never sees it


@pytest.mark.parametrize(
    "times",
    [
        [2024, 2021, 2023, 2021],
        ["10", "2", "9.5", "2"],
        ["2024-01-10", "2024-01-02", "2024-01-09T12:30", "2024-01-02"],
        pd.to_datetime(["2024-01-10", "2023-01-02", "2024-01-09", "2023-01-02"]),
    ],
)
def test_times_are_ranked_as_times(times):
    assert moments(pd.Series(times), "when").tolist() == [2, 0, 1, 0]


def test_groups_are_told_apart_by_their_values():
    assert group_numbers(pd.Series(["b", "a", "b"]), "who").tolist() == [1, 0, 1]
    numbers = group_numbers(pd.Series([1.5, 2.0, 1.5]), "who")
    assert len(np.unique(numbers)) == 2
    assert numbers[0] == numbers[2]


@pytest.mark.parametrize(
    ("function", "values", "message"),
    [
        (moments, ["2024-01-10", "31.12.2024"], "row 2 has 31.12.2024. Write numbers, or dates"),
        (moments, [1.0, None], "'when' is missing in row 2"),
        (group_numbers, ["a", None], "'when' is missing in row 2"),
    ],
)
def test_what_has_no_order_or_group_is_refused(function, values, message):
    with pytest.raises(ValueError, match=message):
        function(pd.Series(values), "when")


@pytest.mark.parametrize(
    ("y", "groups", "split", "reason"),
    [
        ([0] * 9 + [1] * 3, None, None, "class '1' has 3 rows"),
        ([0, 1] * 30, np.arange(60) // 2 % 3, BY_GROUPS, "there are 3 groups"),
        ([0, 0, 1] * 20, np.arange(60) % 9, BY_GROUPS, "class '1' is in 3 of 9 groups"),
        ([0, 1] * 30, np.zeros(60, int), BY_TIME, "there is 1 time"),
        ([0, 1] * 30, np.arange(60) // 30, BY_TIME, "there are 2 times"),
        (
            [0] * 45 + [0, 1, 0] * 5,
            np.arange(60),
            BY_TIME,
            "in the order of time, class '1' first occurs after 77% of the rows",
        ),
    ],
)
def test_the_reason_for_fewer_folds_is_the_one_that_counts(y, groups, split, reason):
    dataset = made(y, groups)
    usable = usable_folds(dataset, split, 10, [1])
    assert usable < 10
    assert limit_of_folds(dataset, split, usable) == reason


NUMBERS = np.random.default_rng(0).normal(size=60)


def numbers(groups=None):
    return Dataset("made", np.zeros((60, 1)), NUMBERS, ("x",), (), "made", groups)


def test_folds_of_numbers_are_scikit_learns():
    expected = list(KFold(4, shuffle=True, random_state=7).split(NUMBERS))
    for ours, theirs in zip(splits(numbers(), None, 4, 7), expected, strict=True):
        assert all(map(np.array_equal, ours, theirs))
    ((train, test),) = splits(numbers(), HELD_OUT, 1, 42)
    assert (len(train), len(test)) == (48, 12)


@pytest.mark.parametrize(
    ("groups", "split", "usable", "why"),
    [
        (None, None, 60, "there are 60 rows"),
        (np.arange(60) % 7, BY_GROUPS, 7, "there are 7 groups"),
        (np.arange(60) // 10, BY_TIME, 5, "there are 6 times"),
        (np.arange(60) % 7, BY_TIME, 5, "there are 7 times"),
        (np.zeros(60, dtype=int), BY_GROUPS, 0, "there is 1 group"),
    ],
)
def test_folds_of_numbers_have_a_row_each(groups, split, usable, why):
    assert usable_folds(numbers(groups), split, 100, [1]) == usable
    assert limit_of_folds(numbers(groups), split, usable) == why
    if usable and split is not None:
        for train, test in splits(numbers(groups), split, usable, 1):
            assert len(train)
            assert not set(groups[train]) & set(groups[test])
