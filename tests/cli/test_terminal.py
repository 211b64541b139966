"""Ctrl-C during a long fit: the end within two seconds, and nothing left behind."""

import os
import signal
import subprocess
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from rdep.cli._terminal import interruptible, leaving_nothing_behind

from .command import RDEP


@pytest.fixture
def hard(tmp_path):
    """20,000 rows whose classes nothing tells, which takes SVCs minutes."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 10)), rng.integers(2, size=20_000)
    header = ",".join([*(f"x{k}" for k in range(10)), "y"])
    path = tmp_path / "hard.csv"
    np.savetxt(path, np.c_[X, y], fmt="%.4g", delimiter=",", header=header, comments="")
    return path


def is_alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("n_jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_ctrl_c_during_an_svc_fit(tmp_path, hard, n_jobs):
    in_memory = set(Path("/dev/shm").glob("joblib*"))
    process = subprocess.Popen(
        [RDEP, "fit", hard, "-t", "y", "-o", "m.rdep", "--estimator", "paper", "--n-jobs",
         str(n_jobs)],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    said = process.stderr.readline()
    assert "fitting on 20,000 rows will take about" in said
    time.sleep(2)  # it is inside libsvm now
    assert process.poll() is None
    started = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, errors = process.communicate(timeout=60)
    seconds = time.monotonic() - started
    assert process.returncode == 130
    assert (out, errors) == ("", "Interrupted: no model is written.\n")
    assert seconds < 30  # two on a machine of its own; the fit takes minutes
    deadline = started + 120  # joblib's own process tidies up after the others
    while is_alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_alive(process.pid)
    assert [entry.name for entry in tmp_path.iterdir()] == ["hard.csv"]
    assert set(Path("/dev/shm").glob("joblib*")) <= in_memory


def test_other_signals_leave_past_all_that_cleans_up():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as leaving, leaving_nothing_behind():
        signal.raise_signal(signal.SIGTERM)
    assert leaving.value.code == 143
    assert signal.getsignal(signal.SIGTERM) == before


def test_results_and_errors_come_back_from_the_thread():
    assert interruptible(lambda: threading.current_thread() is threading.main_thread()) is False
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


def test_a_thread_gets_no_signals():
    """Signals are set in the main thread only; elsewhere the work is done all the same."""

    def work():
        with leaving_nothing_behind():
            return 3

    assert interruptible(work) == 3
