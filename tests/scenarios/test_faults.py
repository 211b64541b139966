"""Faults injected into runs: nothing is lost, nothing counted twice, the table is the same."""

import csv
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from rdep_experiment.analysis import _tables as tables
from rdep_experiment.run._dask_cluster import DaskCluster
from rdep_experiment.run._progress import Progress
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._runner import ROWS, Outcome, Request, run
from rdep_experiment.run._sources import Source
from rdep_experiment.run._store import RowStore, StoreError, cell_of, read_rows

from ..needs import cannot_run
from ..places import ROOT
from ..rdep_experiment.run.loopback import LoopbackCluster

CLASSIFIERS = ("rbf_svc", "slow", "dep")
PROTOCOL = Protocol(n_folds=2, extra={"slow": "tests.rdep_experiment.run.misbehaving:Slow"})
REPEATS = 2
DEADLINE = 60.0


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "small.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "answer"])
        writer.writerows([i % 7, (i * 37) % 60, "ny"[(i * 13) % 60 > 29]] for i in range(60))
    return path


def request(output, table, **settings):
    source = Source("small", file=str(table), target="answer")
    return Request(output, (source,), CLASSIFIERS, protocol=PROTOCOL, repeats=REPEATS, **settings)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, table):
    """The rows of a serial run that nothing happens to."""
    output = tmp_path_factory.mktemp("undisturbed")
    run(request(output, table), Progress())
    return read_rows(output / ROWS)[1]


@pytest.fixture(scope="module")
def cluster():
    cluster = LoopbackCluster()
    cluster.start_workers(2)
    yield cluster
    cluster.close()


@dataclass
class Accounts:
    lost: int  # rows that were on the disk and are not there any more
    duplicated: int  # rows of cells that have one already
    same_table: bool


def accounts(output, undisturbed, before=()):
    rows = read_rows(output / ROWS)[1]
    return Accounts(
        lost=sum(row not in rows for row in before),
        duplicated=len(rows) - len({cell_of(row) for row in rows}),
        same_table=as_csv(rows) == as_csv(undisturbed),
    )


def as_csv(rows):
    protocol = {
        "datasets": ["small"], "classifiers": list(CLASSIFIERS), "repeats": REPEATS,
        "n_folds": PROTOCOL.n_folds, "metric": "balanced_accuracy",
    }  # fmt: skip
    return tables.as_csv(tables.cross_validated_scores(rows, protocol))


UNHARMED = Accounts(lost=0, duplicated=0, same_table=True)


class InThread:
    """A run that goes on while the test does harm."""

    def __init__(self, asked: Request) -> None:
        self.outcome: Outcome | None = None
        self._thread = threading.Thread(target=self._run, args=(asked,), daemon=True)
        self._thread.start()

    def _run(self, asked):
        self.outcome = run(asked, Progress())

    def finish(self):
        self._thread.join(DEADLINE)
        assert self.outcome is not None, "the run did not end"


def rows_after(output, number):
    """The rows on the disk when there are so many, while the next cell is computed."""
    path = output / ROWS
    deadline = time.monotonic() + DEADLINE
    while not path.exists() or path.read_bytes().count(b"\n") <= number:
        assert time.monotonic() < deadline, "no rows arrive"
        time.sleep(0.02)
    time.sleep(0.05)
    return read_rows(path)[1]


def test_a_worker_killed_in_the_middle_of_a_cell(tmp_path, table, undisturbed, cluster):
    going = InThread(request(tmp_path, table, cluster=DaskCluster(cluster.address)))
    before = rows_after(tmp_path, 2)
    cluster.kill_workers(1)
    going.finish()
    cluster.start_workers(1)
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.mark.slow
def test_all_workers_killed_and_restarted(tmp_path, table, undisturbed, cluster):
    going = InThread(request(tmp_path, table, cluster=DaskCluster(cluster.address)))
    before = rows_after(tmp_path, 2)
    cluster.kill_workers(2)
    time.sleep(0.5)
    assert going.outcome is None
    cluster.start_workers(2)
    going.finish()
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.mark.slow
def test_the_scheduler_restarted(tmp_path, table, undisturbed, cluster):
    going = InThread(request(tmp_path, table, cluster=DaskCluster(cluster.address)))
    before = rows_after(tmp_path, 2)
    cluster.kill_scheduler()
    cluster.kill_workers(2)
    time.sleep(0.5)
    assert going.outcome is None
    cluster.start_scheduler()
    cluster.start_workers(2)
    going.finish()
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


def test_the_client_killed_and_resumed(tmp_path, table, undisturbed, cluster):
    process = in_process(tmp_path, table, cluster.address)
    before = rows_after(tmp_path, 2)
    process.kill()
    process.wait()
    run(request(tmp_path, table, cluster=DaskCluster(cluster.address)), Progress())
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.mark.slow
def test_a_cell_that_hangs_on_a_worker(tmp_path, table, undisturbed, monkeypatch):
    """The same classifier, mended in between: another one would be refused by the store."""
    monkeypatch.setenv("RDEP_TEST_MARK", str(tmp_path / "mended"))
    path = "tests.rdep_experiment.run.misbehaving:HangingUntilMended"
    hanging = replace(
        request(tmp_path, table, time_limit=3.0), protocol=replace(PROTOCOL, extra={"slow": path})
    )
    with closing(LoopbackCluster()) as cluster:  # its workers know the mark
        cluster.start_workers(2)
        hanging = replace(hanging, cluster=DaskCluster(cluster.address))
        outcome = run(hanging, Progress())
        (tmp_path / "mended").touch()
        run(replace(hanging, retry_failed=True), Progress())
    errors = {row["classifier"]: row["error"] for row in outcome.rows}
    assert errors == {"rbf_svc": None, "slow": "TimeLimit: more than 3 s", "dep": None}
    before = [row for row in outcome.rows if row["status"] == "ok"]
    rows = read_rows(tmp_path / ROWS)[1]
    assert [row["status"] for row in rows].count("failed") == REPEATS * PROTOCOL.n_folds
    latest = {cell_of(row): row for row in rows}.values()
    assert len(rows) - len(latest) == REPEATS * PROTOCOL.n_folds  # none but the ones retried
    assert all(row in latest for row in before)
    assert as_csv(list(latest)) == as_csv(undisturbed)


def command(output, table, address=""):
    """The same run for a process of its own, which can be killed."""
    program = (
        "import sys; from pathlib import Path\n"
        "from rdep_experiment.run._dask_cluster import DaskCluster\n"
        "from rdep_experiment.run._progress import Progress\n"
        "from rdep_experiment.run._runner import run\n"
        "from tests.scenarios.test_faults import request\n"
        "if __name__ == '__main__':\n"
        "    output, table, address = sys.argv[1:]\n"
        "    cluster = DaskCluster(address) if address else None\n"
        "    run(request(Path(output), Path(table), cluster=cluster), Progress())\n"
    )
    script = table.with_name("client.py")
    script.write_text(program)
    return [sys.executable, str(script), str(output), str(table), address]


def in_process(*arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command(*arguments), env=environment)


def test_a_process_without_its_parent_ends(tmp_path, table):
    """Killed in the middle of a cell, a run leaves no process behind."""
    process = in_process(tmp_path, table)
    rows_after(tmp_path, 1)
    children = children_of(process.pid)
    assert children
    process.kill()
    process.wait()
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() and not is_zombie(pid) for pid in children):
        assert time.monotonic() < deadline, "a process is left"
        time.sleep(0.05)


def children_of(pid):
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/stat")
        if path.exists() and f" {pid} " in path.read_text().rsplit(")", 1)[1][:20]
    ]


def is_zombie(pid):
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"


def test_two_runners_on_the_same_store(tmp_path, table, undisturbed):
    going = InThread(request(tmp_path, table))
    before = rows_after(tmp_path, 2)
    with pytest.raises(StoreError, match="another run is writing"):
        run(request(tmp_path, table), Progress())
    going.finish()
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.fixture
def finished(tmp_path, undisturbed):
    """A store with all rows, and its bytes."""
    with RowStore(tmp_path / ROWS, PROTOCOL.identity) as store:
        for row in undisturbed:
            store.append(row)
    return tmp_path / ROWS, (tmp_path / ROWS).read_bytes()


@pytest.mark.parametrize("share", [0.4, 0.98])
def test_a_truncated_results_file(finished, table, undisturbed, share):
    path, whole = finished
    path.write_bytes(whole[: int(share * len(whole))])
    kept = path.read_bytes().count(b"\n") - 1
    outcome = run(request(path.parent, table), Progress())
    assert outcome.n_computed == len(undisturbed) - kept
    assert accounts(path.parent, undisturbed, undisturbed[:kept]) == UNHARMED


def test_a_bit_flipped_in_the_results_file(finished, table, undisturbed):
    path, whole = finished
    lines = whole.splitlines(keepends=True)
    position = len(lines[0]) + len(lines[1]) // 2
    damaged = bytearray(whole)
    damaged[position] ^= 4
    path.write_bytes(damaged)
    with pytest.raises(StoreError, match="line 2, is damaged .* --repair"):
        run(request(path.parent, table), Progress())
    assert path.read_bytes() == damaged
    outcome = run(request(path.parent, table, repair=True), Progress())
    assert outcome.n_computed == 1
    assert path.with_name(f"{ROWS}.damaged-1").read_bytes() == damaged
    assert accounts(path.parent, undisturbed, undisturbed[1:]) == UNHARMED


def test_a_data_file_that_changes_between_runs(finished, table, undisturbed, tmp_path):
    path, whole = finished
    changed = tmp_path / "small.csv"
    changed.write_text(table.read_text().replace("\n6,", "\n9,"))
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:6]))
    half = path.read_bytes()
    with pytest.raises(StoreError, match="small has changed since"):
        run(request(path.parent, changed), Progress())
    assert path.read_bytes() == half
    run(request(path.parent, table), Progress())
    assert accounts(path.parent, undisturbed, undisturbed[:5]) == UNHARMED


FULL_DISK = """
set -e
mount -t tmpfs -o size=4k none "$DISK"
if "$@"; then exit 10; fi
cp "$DISK"/rows.jsonl "$KEPT"/before.jsonl
mount -o remount,size=1m "$DISK"
"$@"
cp "$DISK"/rows.jsonl "$KEPT"/rows.jsonl
"""


@pytest.mark.slow
def test_a_full_disk(tmp_path, table, undisturbed):
    """On a tmpfs of one page, seen by these processes only; then it grows."""
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode:
        cannot_run("no right to mount a small disk: run as root, or allow user namespaces")
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", FULL_DISK, "sh", *command(disk, table)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "DISK": str(disk), "KEPT": str(tmp_path)},
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "No space left on device. All earlier rows are safe" in done.stderr
    before = read_rows(tmp_path / "before.jsonl")[1]
    assert 0 < len(before) < len(undisturbed)
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


def test_the_guide_names_these_tests_and_no_others():
    guide = (ROOT / "docs" / "distributed.md").read_text("utf-8")
    named = re.findall(r"^\|[^|]+\| `(test_\w+)` \| 0 \| 0 \|$", guide, re.MULTILINE)
    assert len(named) >= 9
    assert set(named) <= set(globals())
