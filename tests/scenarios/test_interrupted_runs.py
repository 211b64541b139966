"""Runs that are killed and resumed end with the same table."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from rdep_experiment.run._runner import ROWS


@pytest.mark.parametrize("n_times", [6, pytest.param(20, marks=pytest.mark.slow)])
def test_interrupted_many_times_the_table_is_the_same(tmp_path, n_times):
    """Killed with -9 at random moments, also in the middle of a line, and resumed."""

    def command(output):
        return [
            sys.executable, "-m", "rdep", "reproduce", "--suite", "quick", "--datasets", "Ripley",
            "--classifiers", "linear_svc,rbf_svc,dep,ensemble_rdep", "--jobs", "1",
            "--output", str(output),
        ]  # fmt: skip

    whole = tmp_path / "whole"
    subprocess.run(command(whole), check=True, capture_output=True)
    broken = tmp_path / "broken"
    rng = random.Random(0)
    for _ in range(n_times):
        process = subprocess.Popen(
            command(broken), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(timeout=rng.uniform(0.3, 2.5))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        rows = broken / ROWS
        if rows.exists() and rng.random() < 0.3:  # a power cut in the middle of a line
            content = rows.read_bytes()
            rows.write_bytes(content[: -rng.randint(1, 40)] if len(content) > 300 else content)
    time.sleep(0.2)
    subprocess.run(command(broken), check=True, capture_output=True)
    assert (broken / "table.csv").read_bytes() == (whole / "table.csv").read_bytes()
    assert (whole / "table.csv").read_text().startswith("dataset,classifier,mean,std\nRipley,")
