"""The measuring itself: what counts as a ratio, and that its report can be drawn."""

import pytest

from benchmarks.measure import Comparison, in_turn
from benchmarks.report import write_report


def test_a_ratio_is_that_of_medians():
    comparison = Comparison("g", "w", "p", [1.0, 2.0, 9.0], [10.0, 8.0, 9.0], at_least=4.5)
    assert comparison.ratio == pytest.approx(4.5)
    assert comparison.range == pytest.approx((1.0, 10.0))
    assert comparison.met
    comparison.at_least = 4.6
    assert not comparison.met


def test_at_most_bounds_our_time_by_theirs():
    comparison = Comparison("g", "w", "p", [1.2], [1.0], at_most=1.25)
    assert comparison.met
    comparison.at_most = 1.15
    assert not comparison.met


def test_both_run_in_turn():
    calls = []
    ours, theirs, mine, other = in_turn(
        lambda: calls.append("a") or "ours", lambda: calls.append("b") or "theirs", 4
    )
    assert "".join(calls) == "abbaabba"
    assert (len(ours), len(theirs), mine, other) == (4, 4, "ours", "theirs")


def test_the_report_tells_what_was_missed(tmp_path):
    rows = [
        Comparison("g", "good", "p", [1.0], [50.0], at_least=30).record(),
        Comparison("g", "poor", "p", [1.0], [20.0], at_least=30).record(),
    ]
    growth = {"growth with": "m", "sizes": [1, 10], "seconds": [[1.0], [12.0]]}
    growth |= {"exponent": 1.08, "at most": 1.2, "met": True}
    million = {"wall seconds": 1.0, "GiB at the peak": 0.5}
    results = {
        "highs": rows,
        "growth": [growth],
        "million": million,
        "large": {"large 10 x 20": million | {"balanced accuracy": 0.75}},
        "versions": {"python": "3"},
    }
    write_report(results, ["highs"], tmp_path)
    table = (tmp_path / "table.md").read_text()
    missed = [line for line in table.splitlines() if "missed" in line]
    assert len(missed) == 1
    assert "poor" in missed[0]
    assert (tmp_path / "ratios.png").stat().st_size > 1000
    assert (tmp_path / "growth.png").stat().st_size > 1000
