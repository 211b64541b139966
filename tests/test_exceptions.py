"""Warnings point at the line of the user, not into the package."""

import warnings
from pathlib import Path

import pytest
from sklearn.pipeline import make_pipeline

from rdep import DEPClassifier, exceptions
from rdep.exceptions import DegenerateFitWarning, LongFitWarning


@pytest.mark.parametrize("wrap", [lambda model: model, make_pipeline], ids=["alone", "pipeline"])
def test_a_warning_names_the_file_of_the_caller(wrap):
    X, y = [[0.0], [0.0], [0.0]], [0, 0, 1]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        wrap(DEPClassifier(margin=0.0)).fit(X, y)
    ours = [warning for warning in caught if warning.category is DegenerateFitWarning]
    assert ours
    assert {Path(warning.filename) for warning in ours} == {Path(__file__)}


def test_the_warning_is_public():
    assert DegenerateFitWarning.__module__ == "rdep.exceptions"
    assert LongFitWarning.__module__ == "rdep.exceptions"
    assert exceptions.__all__ == [
        "DegenerateFitWarning",
        "DirectionWarning",
        "ExtremeValueWarning",
        "LongFitWarning",
    ]
