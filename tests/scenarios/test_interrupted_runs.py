"""Runs that are killed and resumed end with the same table."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from rdep_experiment.run._runner import ROWS


def n_lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.slow
def test_interrupted_many_times_the_table_is_the_same(tmp_path):
    """Killed with -9 after some rows, also in the middle of a line, and resumed."""

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
    for _ in range(10):
        process = subprocess.Popen(
            command(broken), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        wanted = n_lines(broken / ROWS) + rng.randint(1, 4)
        while n_lines(broken / ROWS) < wanted and process.poll() is None:
            time.sleep(0.02)
        time.sleep(rng.uniform(0, 0.1))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        rows = broken / ROWS
        if n_lines(rows) > 2:  # a power cut in the middle of a line
            content = rows.read_bytes()
            rows.write_bytes(content[: -rng.randint(1, 40)])
    subprocess.run(command(broken), check=True, capture_output=True)
    assert (broken / "table.csv").read_bytes() == (whole / "table.csv").read_bytes()
    assert (whole / "table.csv").read_text().startswith("dataset,classifier,mean,std\nRipley,")
