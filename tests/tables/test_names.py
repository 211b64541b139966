"""Names of columns in options that take several."""

import pytest

from rdep.tables._names import split_names


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (["a", "b"], ("a", "b")),
        (["a,b"], ("a", "b")),
        (["a, b", "last, first"], ("a", "b", "last, first")),
        (["a,zzz"], ("a", "zzz")),  # unknown ones are for the caller to refuse
        (["a,"], ("a",)),
    ],
)
def test_commas_separate_names_unless_they_are_in_one(asked, expected):
    assert split_names(asked, ["a", "b", "last, first"]) == expected
