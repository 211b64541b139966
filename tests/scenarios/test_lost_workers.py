"""Fits on a Dask cluster, whose worker is killed midway: the same model as in blocks."""

import os
import signal
import threading
import time

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.problems import hard
from rdep import RDEPClassifier
from rdep.blocks._progress import Progress
from rdep.model_files import load_model

from ..cli.command import rdep as command
from ..rdep_experiment.run.loopback import LoopbackCluster


def rdep():
    boosting = HistGradientBoostingClassifier(max_iter=10, random_state=0)
    return RDEPClassifier(random_state=0).set_params(ordering__boosting=boosting)


@pytest.fixture
def cluster():
    found = LoopbackCluster()
    found.start_workers(2)
    yield found
    found.close()


@pytest.mark.slow
@pytest.mark.parametrize("pass_number", [5, 14, 20])
def test_a_worker_killed_midway_changes_nothing(cluster, tmp_path, monkeypatch, pass_number):
    """It is killed with -9 during one of the passes, once while ρ is in the workers' memory."""
    X, y = hard(4000)
    frame = pd.DataFrame(X, columns=[f"x{k}" for k in range(20)]).assign(y=y)
    for k in range(8):
        frame[k * 500 : (k + 1) * 500].to_parquet(tmp_path / f"part-{k}.parquet", index=False)
    expected = rdep().fit_blocks(tmp_path, "y")
    killed = []
    passing = Progress.passing

    def killing(progress, n_rows):
        if progress.number + 1 == pass_number and not killed:
            victim = cluster.workers.pop()
            threading.Timer(0.05, os.kill, (victim.pid, signal.SIGKILL)).start()
            killed.append((victim, time.monotonic()))
        return passing(progress, n_rows)

    monkeypatch.setattr(Progress, "passing", killing)
    with Client(cluster.address) as client:
        client.wait_for_workers(2, timeout=60)
        collection = dd.read_parquet(tmp_path)
        found = rdep().fit(collection.drop(columns="y"), collection["y"])
        assert len(client.scheduler_info()["workers"]) == 1
    ((victim, _),) = killed
    assert victim.wait(10) == -signal.SIGKILL
    values = expected.decision_function(frame.drop(columns="y"))
    again = found.decision_function(frame.drop(columns="y"))
    np.testing.assert_allclose(again, values, atol=1e-10)


@pytest.mark.slow
def test_the_command_on_a_cluster(cluster, tmp_path):
    """``rdep fit --scheduler`` reads the files on the workers; the model is that of blocks."""
    X, y = hard(2000)
    frame = pd.DataFrame(X[:, :4], columns=list("abcd")).assign(
        colour=np.where(X[:, 9] > 1, "red", "blue"), y=np.where(y, "yes", "no")
    )
    parts = tmp_path / "parts"
    parts.mkdir()
    for k in range(4):
        frame[k * 500 : (k + 1) * 500].to_csv(parts / f"part-{k}.csv", index=False)
    scores = []
    for name, options in (("blocks", ()), ("cluster", ("--scheduler", cluster.address))):
        done = command(
            "fit", parts, "-t", "y", "-o", tmp_path / name, "--random-state", 0, *options
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        scores.append(load_model(tmp_path / name).decision_function(frame))
    np.testing.assert_allclose(scores[1], scores[0], atol=1e-8)
    assert (np.sign(scores[0]) == np.sign(scores[1])).all()
    frame[:500].assign(colour=1.5).to_csv(parts / "part-4.csv", index=False)
    done = command("fit", parts, "-t", "y", "-o", tmp_path / "m", "--scheduler", cluster.address)
    assert done.returncode == 2
    assert "part-4.csv" in done.stderr
    assert "column 'colour' holds" in done.stderr
