"""Times for a person to read."""

from rdep.experiment.run._progress import clock


def test_clock():
    assert clock(65) == "1:05"
    assert clock(3725) == "1:02:05"
