"""Processes that hang or die cost only their own cell."""

from dataclasses import replace

from rdep_experiment.run import _runner
from rdep_experiment.run._progress import Progress
from rdep_experiment.run._runner import ROWS, run
from rdep_experiment.run._store import read_rows
from rdep_experiment.run._workers import run_tasks

from .requests import HERE, request


def one_fold(asked):
    """The request with one fold: each start of a process takes seconds."""
    return replace(asked, protocol=replace(asked.protocol, split="held out", n_folds=1))


def test_a_time_limit_stops_the_cell_and_nothing_else(tmp_path, table):
    extra = {"hanging": f"{HERE}:Hanging", "constant": f"{HERE}:Constant"}
    asked = request(tmp_path, table, ["hanging", "constant"], extra, time_limit=3.0)
    outcome = run(one_fold(asked), Progress())
    errors = [row["error"] for row in outcome.rows]
    assert errors == ["TimeLimit: more than 3 s", None]


def test_a_process_that_dies_costs_its_cell_only(tmp_path, table, monkeypatch):
    (tmp_path / "dying_once.py").write_text(
        f"from pathlib import Path\n\nfrom {HERE} import DyingOnce\n\n\n"
        f"class Once(DyingOnce):\n    mark = Path({str(tmp_path / 'mark')!r})\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(_runner, "run_tasks", run_tasks)  # in processes that know the path
    extra = {"dying": f"{HERE}:Dying", "once": "dying_once:Once", "constant": f"{HERE}:Constant"}
    asked = request(tmp_path, table, ["once", "dying", "constant"], extra)
    outcome = run(one_fold(asked), Progress())
    statuses = [row["status"] for row in outcome.rows]
    assert statuses == ["ok", "failed", "ok"]
    assert "exit code 3" in outcome.rows[1]["error"]
    assert len(read_rows(tmp_path / "out" / ROWS)[1]) == 3
