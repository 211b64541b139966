"""Coverage by room: sums, shares, targets."""

import json

import pytest

from tools import coverage_by_room
from tools.coverage_by_room import Covered, by_room, inside, lowest, problems, table, total


def file(lines, lines_run, branches, branches_run):
    summary = {
        "num_statements": lines, "covered_lines": lines_run, "missing_lines": lines - lines_run,
        "num_branches": branches, "covered_branches": branches_run,
        "missing_branches": branches - branches_run,
    }  # fmt: skip
    return {"summary": summary}


FILES = {
    "src/rdep/_registry.py": file(10, 10, 0, 0),
    "elsewhere/src/rdep/training/_ccp.py": file(100, 97, 10, 9),
    "src\\rdep\\training\\majoriser\\_descent.py": file(100, 100, 10, 10),
    "src/rdep/cli/_app.py": file(20, 10, 4, 2),
}


def test_rooms_are_the_first_folders():
    rooms = by_room(FILES)
    assert set(rooms) == {"rdep", "training", "cli"}
    assert rooms["training"] == Covered(200, 197, 20, 19)
    assert rooms["cli"].line_share == 50.0
    assert rooms["rdep"].branch_share == 100.0
    assert total(rooms) == Covered(230, 217, 24, 21)
    assert inside("/a/src/rdep/b/src/rdep/x/_y.py") == ("x", "_y.py")
    assert inside("src/rdep_experiment/run/_cells.py") == ("rdep_experiment", "run", "_cells.py")


def test_the_table_and_the_lowest():
    lines = table(by_room(FILES)).splitlines()
    assert [line.split()[0] for line in lines] == ["room", "cli", "rdep", "training", "all"]
    assert lines[-1].split() == ["all", "230", "94.3%", "24", "87.5%"]
    assert [line.split()[-1] for line in lowest(FILES).splitlines()] == [
        "cli/_app.py",
        "training/_ccp.py",
    ]


@pytest.mark.parametrize(
    ("whole", "missed"),
    [
        (Covered(1000, 970, 100, 95), 0),
        (Covered(1000, 969, 100, 95), 1),
        (Covered(100, 96, 100, 94), 2),
    ],
)
def test_targets(whole, missed):
    assert len(problems(whole)) == missed


def test_a_missed_target_is_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(coverage_by_room, "REPORT", tmp_path / "coverage.json")
    (tmp_path / "coverage.json").write_text(json.dumps({"files": FILES}))
    assert coverage_by_room.main() == 1
    assert "94.3 % of the lines are covered, but the target is 97 %" in capsys.readouterr().out
