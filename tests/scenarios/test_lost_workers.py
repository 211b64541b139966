"""A fit on a Dask cluster whose worker is killed midway: the same model as in blocks."""

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
