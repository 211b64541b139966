"""Texts that several docstrings share."""

import re

import pytest

from rdep import all_estimators
from rdep._utils._docstrings import documented

SHARED = """
alpha : float
    The first.
    On two lines.
"""


def test_a_text_takes_the_place_of_its_name():
    @documented(alpha=SHARED)
    class Documented:
        """Summary.

        Parameters
        ----------
        beta : int
            Its own.
        %(alpha)s
        """

    # As many spaces as there were in the source, which inspect.cleandoc takes away.
    lines = [line.strip() for line in Documented.__doc__.splitlines()]
    assert "%(alpha)s" not in lines
    assert lines[-4:-1] == ["alpha : float", "The first.", "On two lines."]


def test_without_docstrings_nothing_is_done():
    class Bare:
        __doc__ = None

    assert documented(alpha=SHARED)(Bare).__doc__ is None


@pytest.mark.parametrize(("name", "kind"), all_estimators())
def test_every_estimator_is_documented_to_the_last_parameter(name, kind):
    assert "%(" not in kind.__doc__
    described = re.findall(r"^    ([\w, ]+) :", kind.__doc__, re.MULTILINE)
    names = {name for line in described for name in line.split(", ")}
    assert set(kind().get_params(deep=False)) <= names
