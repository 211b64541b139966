"""Runs on Dask: the rows of a serial run, whatever the number of workers."""

import os
from dataclasses import replace

import pytest

from rdep_experiment.run._dask_cluster import DaskCluster, chosen_cluster
from rdep_experiment.run._progress import Progress
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._runner import ROWS, Request, run
from rdep_experiment.run._sources import Source
from rdep_experiment.run._store import read_rows

from .loopback import free_port

TIMES = ("fit_seconds", "predict_seconds")


def request(output, **settings):
    extra = {
        "counting": "tests.rdep_experiment.run.misbehaving:Counting",
        "dying": "tests.rdep_experiment.run.misbehaving:Dying",
    }
    names = ("linear_svc", "counting", "dep", "ensemble_rdep")
    if "dying" in settings.pop("more", ()):
        names += ("dying",)
    protocol = Protocol(n_folds=2, extra=extra)
    return Request(output, (Source("Ripley"),), names, protocol=protocol, **settings)


def without_times(rows):
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


@pytest.mark.slow
def test_the_rows_of_a_serial_run(tmp_path):
    """On two workers that Dask starts itself, with nannies, as daemons; failures are rows too."""
    serial = run(request(tmp_path / "serial"), Progress())
    workers = DaskCluster(workers=2)
    parallel = run(request(tmp_path / "dask", cluster=workers, more=["dying"]), Progress())
    died = [row for row in parallel.rows if row["classifier"] == "dying"]
    assert ["exit code 3" in row["error"] for row in died] == [True] * 2
    others = [row for row in parallel.rows if row["classifier"] != "dying"]
    assert without_times(others) == without_times(serial.rows)
    # One level of parallelism: what a cell may use is one of each.
    counted = {row["error"] for row in others if row["classifier"] == "counting"}
    assert counted == {"RuntimeError: jobs: 1, threads: {1}"}
    assert len(read_rows(tmp_path / "dask" / ROWS)[1]) == 10  # and each cell has one


def test_nothing_to_do_needs_no_cluster(tmp_path):
    serial = run(request(tmp_path), Progress())
    nowhere = DaskCluster(scheduler=f"tcp://127.0.0.1:{free_port()}")
    again = run(request(tmp_path, cluster=nowhere), Progress())
    assert again.n_computed == 0
    assert again.rows == serial.rows


def test_a_scheduler_that_does_not_answer(tmp_path, monkeypatch):
    monkeypatch.setattr("rdep_experiment.run._dask_cluster._FIRST_CONNECTION_SECONDS", 0.5)
    nowhere = DaskCluster(scheduler=f"tcp://127.0.0.1:{free_port()}")
    with pytest.raises(ConnectionError, match="no Dask scheduler answers at tcp://127"):
        run(request(tmp_path, cluster=nowhere), Progress())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("ray", None, None, None), "unknown backend 'ray'; known: processes, dask"),
        (("dask", None, None, None), "needs either --scheduler"),
        (("dask", "tcp://127.0.0.1:1", 2, None), "needs either --scheduler"),
        (("dask", None, 2, 2), "--jobs is for the backend processes"),
        (("processes", None, 2, None), "are for --backend dask"),
    ],
)
def test_options_that_do_not_go_together(options, message):
    with pytest.raises(ValueError, match=message):
        chosen_cluster(*options)


def test_options_that_do():
    assert chosen_cluster("processes", None, None, 2) is None
    assert chosen_cluster("dask", None, 3, None) == DaskCluster(workers=3)


def test_workers_elsewhere_are_told_whole_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = Source("mine", file="mine.csv", target="y", data_dir="data")
    absolute = source.absolute()
    assert absolute == replace(
        source, file=os.path.join(tmp_path, "mine.csv"), data_dir=os.path.join(tmp_path, "data")
    )
