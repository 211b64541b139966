"""Ctrl-C during a long fit: the end within seconds, and nothing left behind."""

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
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


def seconds_of(pid):
    """The time that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def computed_by(group):
    """The time that all processes of a group have computed."""
    seconds = 0.0
    for pid in processes_of(group):
        with suppress(OSError):  # it has ended
            seconds += seconds_of(pid)
    return seconds


def holds_samples(pid):
    """Whether joblib has handed the table to this process, which fits a member then."""
    with suppress(OSError):  # it has ended
        return "joblib_memmapping" in Path(f"/proc/{pid}/maps").read_text()
    return False


def processes_of(group):
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if os.getpgid(int(folder.name)) == group:
                yield folder.name


def wait_for(event):
    deadline = time.monotonic() + 600
    while not event():
        assert time.monotonic() < deadline
        time.sleep(0.05)


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
    if n_jobs == 1:
        before = seconds_of(process.pid)
        wait_for(lambda: seconds_of(process.pid) > before + 2)  # reading takes less than one
    else:
        wait_for(
            lambda: process.poll() is not None or any(map(holds_samples, processes_of(process.pid)))
        )
    assert process.poll() is None
    before = computed_by(process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does

    def has_ended():  # within few seconds of work; the fit takes minutes
        assert computed_by(process.pid) < before + 30
        return process.poll() is not None

    wait_for(has_ended)
    out, errors = process.communicate()
    assert process.returncode == 130
    assert (out, errors) == ("", "Interrupted: no model is written.\n")
    wait_for(lambda: not is_alive(process.pid))  # joblib's own process tidies up after the others
    assert [entry.name for entry in tmp_path.iterdir()] == ["hard.csv"]
    assert set(Path("/dev/shm").glob("joblib*")) <= in_memory


def test_other_signals_leave_past_all_that_cleans_up():
    # A handler of the test runner, such as that of coverage, would end the process.
    of_runner = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        with pytest.raises(SystemExit) as leaving, leaving_nothing_behind():
            signal.raise_signal(signal.SIGTERM)
        assert leaving.value.code == 143
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, of_runner)


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
