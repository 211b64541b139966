"""Faults injected into runs: nothing is lost, nothing counted twice, the table is the same."""

import csv
import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from rdep_experiment.analysis import _tables as tables
from rdep_experiment.run import _runner
from rdep_experiment.run._dask_cluster import DaskCluster
from rdep_experiment.run._progress import Progress
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._runner import ROWS, Outcome, Request, run
from rdep_experiment.run._sources import Source
from rdep_experiment.run._store import RowStore, StoreError, cell_of, read_rows
from rdep_experiment.run._workers import run_tasks

from ..needs import cannot_run
from ..places import ROOT
from ..rdep_experiment.run.loopback import LoopbackCluster

# Behind a closed gate the last one of each fold waits: a run goes on while a test does harm.
CLASSIFIERS = ("rbf_svc", "dep", "waiting")
PROTOCOL = Protocol(n_folds=2, extra={"waiting": "tests.rdep_experiment.run.misbehaving:Waiting"})
REPEATS = 2
DEADLINE = 600.0  # of what comes for certain; a busy machine takes minutes for seconds' work

pytestmark = pytest.mark.usefixtures("kept_processes")


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
def gate_path(tmp_path_factory):
    """The file that closes the gate, known to all processes started from here on."""
    path = tmp_path_factory.mktemp("gate") / "closed"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RDEP_TEST_GATE", str(path))
        yield path


@pytest.fixture
def gate(gate_path):
    """The gate, closed until the test opens it by unlinking the file."""
    gate_path.touch()
    yield gate_path
    gate_path.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, table, kept_processes):
    """The rows of a serial run that nothing happens to."""
    output = tmp_path_factory.mktemp("undisturbed")
    run(request(output, table), Progress())
    return read_rows(output / ROWS)[1]


@pytest.fixture(scope="module")
def kept_cluster(gate_path):
    cluster = LoopbackCluster()
    yield cluster
    cluster.close()


@pytest.fixture
def cluster(kept_cluster):
    """A cluster of two workers: what the test before has killed is started again."""
    kept_cluster.start_workers(2 - len(kept_cluster.workers))
    return kept_cluster


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


def wait_for(event, missing):
    """Wait until the event has come; however slow the machine, it comes."""
    deadline = time.monotonic() + DEADLINE
    while not event():
        assert time.monotonic() < deadline, missing
        time.sleep(0.02)


def rows_after(output, number):
    """The rows on the disk when there are so many."""
    path = output / ROWS
    wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") > number, "no rows arrive")
    return read_rows(path)[1]


def test_a_worker_killed_in_the_middle_of_a_cell(tmp_path, table, undisturbed, cluster, gate):
    going = InThread(request(tmp_path, table, cluster=DaskCluster(cluster.address)))
    before = rows_after(tmp_path, 2)
    cluster.kill_workers(1)
    gate.unlink()
    going.finish()
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.mark.slow
def test_all_workers_killed_and_restarted(tmp_path, table, undisturbed, cluster, gate):
    going = InThread(request(tmp_path, table, cluster=DaskCluster(cluster.address)))
    before = rows_after(tmp_path, 2)
    cluster.kill_workers(2)
    gate.unlink()
    assert going.outcome is None
    cluster.start_workers(2)
    going.finish()
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.mark.slow
def test_the_scheduler_restarted(tmp_path, table, undisturbed, cluster, gate):
    going = InThread(request(tmp_path, table, cluster=DaskCluster(cluster.address)))
    before = rows_after(tmp_path, 2)
    cluster.kill_scheduler()
    cluster.kill_workers(2)
    gate.unlink()
    assert going.outcome is None
    cluster.start_scheduler()
    cluster.start_workers(2)
    going.finish()
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.mark.slow
def test_the_client_killed_and_resumed(tmp_path, table, undisturbed, cluster, gate):
    process = in_process(tmp_path, table, cluster.address)
    before = rows_after(tmp_path, 2)
    process.kill()
    process.wait()
    gate.unlink()
    run(request(tmp_path, table, cluster=DaskCluster(cluster.address)), Progress())
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


@pytest.mark.slow
def test_a_cell_that_hangs_on_a_worker(tmp_path, table, undisturbed, cluster, gate):
    hanging = request(tmp_path, table, cluster=DaskCluster(cluster.address), time_limit=10.0)
    outcome = run(hanging, Progress())
    errors = {row["classifier"]: row["error"] for row in outcome.rows}
    assert errors == {"rbf_svc": None, "dep": None, "waiting": "TimeLimit: more than 10 s"}
    before = [row for row in outcome.rows if row["status"] == "ok"]
    gate.unlink()
    mended = request(tmp_path, table, cluster=DaskCluster(cluster.address), retry_failed=True)
    run(mended, Progress())
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


def test_a_process_without_its_parent_ends(tmp_path, table, undisturbed, gate):
    """Killed in the middle of a cell, a run leaves no process behind, and can be resumed."""
    process = in_process(tmp_path, table)
    before = rows_after(tmp_path, 1)
    children = children_of(process.pid)
    assert children
    process.kill()
    process.wait()
    wait_for(lambda: not any(map(is_running, children)), "a process is left")
    gate.unlink()
    run(request(tmp_path, table), Progress())
    assert accounts(tmp_path, undisturbed, before) == UNHARMED


def children_of(pid):
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/stat")
        if path.exists() and f" {pid} " in path.read_text().rsplit(")", 1)[1][:20]
    ]


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_two_runners_on_the_same_store(tmp_path, table, undisturbed, gate, monkeypatch):
    monkeypatch.setattr(_runner, "run_tasks", run_tasks)  # in a process that knows the gate
    going = InThread(request(tmp_path, table))
    before = rows_after(tmp_path, 2)
    with pytest.raises(StoreError, match="another run is writing"):
        run(request(tmp_path, table), Progress())
    gate.unlink()
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
    named = re.findall(r"^- .+: `(test_\w+)`$", guide, re.MULTILINE)
    assert len(named) >= 9
    assert set(named) <= set(globals())
