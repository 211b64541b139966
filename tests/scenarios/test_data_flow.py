"""One fit, followed call by call: what is done once, and what is not done at all."""

import sys
from collections import Counter

import pytest

from rdep import RDEPClassifier
from rdep.datasets import load_ripley

from ..places import SOURCE


def traced_calls(function):
    """Calls within the package, in order: the file, the function and its arguments."""
    calls = []

    def note(frame, event, argument):
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(str(SOURCE)):
            name = file.removeprefix(f"{SOURCE}/").removesuffix(".py")
            calls.append((name, frame.f_code.co_name, dict(frame.f_locals)))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls


@pytest.fixture(scope="module")
def calls():
    X, _, y, _ = load_ripley()
    return traced_calls(lambda: RDEPClassifier("ensemble").fit(X, y))


def test_every_estimator_validates_its_samples_once(calls):
    validated = [
        given["estimator"]
        for file, function, given in calls
        if (file, function) == ("_base/_validation", "validate_training")
    ]
    counts = Counter(map(id, validated))
    kinds = [type(estimator).__name__ for estimator in validated]
    assert kinds == ["RDEPClassifier", "EnsembleOrdering", "DEPClassifier"]
    assert set(counts.values()) == {1}
    assert not [call for call in calls if call[1] == "validate_samples"]
