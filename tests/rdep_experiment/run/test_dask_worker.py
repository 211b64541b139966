"""What a Dask worker checks before it computes."""

import pytest

from rdep._utils._versions import versions
from rdep_experiment.run._cells import Task
from rdep_experiment.run._dask_worker import _check_versions
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._sources import Source
from rdep_experiment.run._workers import run_tasks


def test_other_versions_are_refused():
    _check_versions(versions())
    with pytest.raises(ImportError, match=r"has numpy \S+ instead of 1.0: install the same"):
        _check_versions({**versions(), "numpy": "1.0"})


def test_other_data_are_refused(cell_processes):
    """A worker reads its own copy: a row of other data must not come into being."""
    ripley = Source("Ripley")
    rows = []
    task = Task(ripley, Protocol(), 0, 0, ("dep", "rbf_svc"), ripley.load().sha256)
    run_tasks([task], 1, None, rows.append, idle=cell_processes)
    assert [row["status"] for row in rows] == ["ok", "ok"]
    rows.clear()
    other = Task(ripley, Protocol(), 0, 0, ("dep",), "0" * 64)
    run_tasks([other], 1, None, rows.append, idle=cell_processes)
    assert "Ripley has changed since the run began" in rows[0]["error"]
