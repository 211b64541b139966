"""The tables of all collections follow from the committed runs."""

from tests.places import RESULTS
from tools import join_results


def test_the_joined_tables_follow_from_the_runs(tmp_path):
    join_results.main(tmp_path)
    for name in ("collections.csv", "collections_against.csv", "collections.md"):
        assert (tmp_path / name).read_text("utf-8") == (RESULTS / name).read_text("utf-8"), name
    assert (tmp_path / "collections.png").stat().st_size > 0
