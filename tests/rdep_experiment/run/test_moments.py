"""Columns of groups and times as numbers."""

import numpy as np
import pandas as pd
import pytest

from rdep_experiment.run._moments import group_numbers, moments


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
