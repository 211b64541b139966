"""The whole experiment in one call: choose, compute missing cells, report."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from rdep._registry import CLASSIFICATION, REGRESSION
from rdep._utils._files import write_atomically
from rdep.exceptions import warn_caller

from . import report
from ._suite import find_suite, known_suite
from .models import left_out
from .run._dask_cluster import DaskCluster
from .run._progress import Progress
from .run._protocol import Protocol, choose
from .run._runner import ROWS, Outcome, Request, run
from .run._sources import Source, table_name
from .run._store import latest, read_rows

RUN = "run.json"


@dataclass(frozen=True)
class Choice:
    """The data sets and classifiers of a run, by name.

    Attributes
    ----------
    suite : str
        Name of a suite.
    datasets : list of str or None
        Names of data sets; None means all of the suite.
    classifiers : list of str or None
        Names of classifiers; None means all of the suite. Classifiers of the user are always added.
    data_dir, data_home : Path or None
        Folders of the data, as in :func:`rdep.datasets.load_paper_dataset`. The family's smaller
        tables are computed from the folders ``pmlb`` and ``dendrites`` in ``data_dir``, if they
        exist.
    tables : tuple of (Path, str)
        Files of the user, each with its target column.
    """

    __module__ = "rdep_experiment"

    suite: str
    datasets: list[str] | None = None
    classifiers: list[str] | None = None
    data_dir: Path | None = None
    data_home: Path | None = None
    tables: tuple[tuple[Path, str], ...] = ()

    def sources(self) -> tuple[Source, ...]:
        """The chosen data sets of the suite, then those of the user."""
        data = find_suite(self.suite).data
        if data is None:
            raise ValueError(f"the suite {self.suite!r} has no data sets: use rdep evaluate")
        asked = None if self.datasets is None else list(map(data.full_name, self.datasets))
        names = choose(asked, data.names, "data set")
        known = tuple(data.source(name, self.data_dir, self.data_home) for name in names)
        numbers = find_suite(self.suite).protocol.task == REGRESSION
        own = tuple(
            Source(table_name(file), file=str(file), target=target, numbers=numbers)
            for file, target in self.tables
        )
        sources = known + own
        names_in_use = [source.name for source in sources]
        twice = {name for name in names_in_use if names_in_use.count(name) > 1}
        if twice:
            raise ValueError(f"two data sets have the name {sorted(twice)}: rename the file")
        return sources


def reproduce(
    choice: Choice,
    output: Path,
    protocol: Protocol,
    *,
    repeats: int = 1,
    jobs: int = 1,
    cluster: DaskCluster | None = None,
    time_limit: float | None = None,
    retry_failed: bool = False,
    repair: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    command: str = "",
) -> Outcome:
    """Run the experiment and write rows, tables, figures and report.

    Rows that the folder already holds are not computed again. Rows of other data, other classifiers
    or another protocol are refused.

    Parameters
    ----------
    choice : Choice
        The data sets and classifiers.
    output : Path
        Folder for all files.
    protocol : Protocol
        How every cell is computed.
    repeats : int, default=1
        Number of cross-validations, each with different folds.
    jobs : int, default=1
        Number of processes on this machine.
    cluster : DaskCluster or None, default=None
        Dask cluster to use instead of processes.
    time_limit : float or None, default=None
        Time limit of one cell in seconds; a cell that exceeds it fails.
    retry_failed : bool, default=False
        Whether to compute failed cells again.
    repair : bool, default=False
        Whether to compute damaged rows again instead of refusing the file.
    fresh : bool, default=False
        Whether to start again; existing rows are kept in a file with another name.
    progress : Progress or None, default=None
        Display of the progress; None shows nothing.
    command : str, default=""
        The command that the report states as its origin.

    Returns
    -------
    Outcome
        The rows, and how many were computed and failed.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    suite = find_suite(choice.suite)
    progress = progress or Progress()
    if protocol.costs and (jobs > 1 or cluster is not None):
        raise ValueError(
            f"the suite {suite.name!r} measures CPU times, one classifier after the other: omit "
            "--jobs and --backend"
        )
    if suite.prepare is not None:
        suite.prepare(output, choice.data_dir, progress.computing)
    if choice.classifiers is None and left_out(suite.classifiers):
        warn_caller(left_out(suite.classifiers), UserWarning)
    request = Request(
        output=output,
        sources=choice.sources(),
        classifiers=protocol.chosen_classifiers(choice.classifiers, suite.classifiers),
        protocol=protocol,
        repeats=repeats,
        jobs=jobs,
        cluster=cluster,
        time_limit=time_limit,
        retry_failed=retry_failed,
        repair=repair,
        fresh=fresh,
    )
    return run_and_report(request, choice.suite, progress, command)


def run_and_report(request: Request, suite: str, progress: Progress, command: str) -> Outcome:
    """Compute missing cells, record the request and write the report."""
    outcome = run(request, progress)
    described = {
        "suite": suite,
        "datasets": [source.name for source in request.sources],
        "classifiers": list(request.classifiers),
        "repeats": request.repeats,
        "command": command,
        **({"about": request.about} if request.about else {}),
    }
    write_atomically(request.output / RUN, json.dumps(described, indent=1) + "\n")
    with progress.reporting():
        rewrite_report(request.output)
    return outcome


def rewrite_report(
    output: Path, everything: bool = False, formats: tuple[str, ...] | None = None
) -> Path:
    """Write tables, figures and report again from the rows of a run.

    Parameters
    ----------
    output : Path
        Folder of the run.
    everything : bool, default=False
        Whether to report all data sets and classifiers in the rows, from now on. Otherwise those of
        the last request are reported.
    formats : tuple of {"png", "svg", "pdf"} or None, default=None
        Formats of the figures' files; None means PNG. The page contains all figures anyway.

    Returns
    -------
    Path
        The page of the report.
    """
    if everything:
        _ask_for_everything(output)
    rows, protocol, command = read_run(output)
    suite = known_suite(protocol["suite"])  # None if another installation made the run
    write = report.scores if suite is None else suite.report
    header = {"protocol": protocol, "command": command}
    return write(rows, header if formats is None else {**header, "formats": formats}, output)


def read_run(output: Path) -> tuple[list[dict], dict, str]:
    """Read the rows of a run, its protocol and the command that made it."""
    identity, rows = read_rows(output / ROWS)
    described = _described(output, rows)
    protocol = {
        "suite": described["suite"],
        "metric": identity["metrics"][0],
        "metrics": identity["metrics"],
        "datasets": described["datasets"],
        "classifiers": described["classifiers"],
        "repeats": described["repeats"],
        **({"about": described["about"]} if "about" in described else {}),
        **{key: value for key, value in identity.items() if key != "metrics"},
    }
    # Rows of earlier versions do not state their task.
    rows = [{"task": CLASSIFICATION, **row} for row in latest(rows).values()]
    return rows, protocol, described["command"]


def _ask_for_everything(output: Path) -> None:
    """Record all cells of the rows as the last request, in the order of the suite."""
    rows = read_rows(output / ROWS)[1]
    noted = _described(output, rows)
    suite = known_suite(noted["suite"])
    orders = {
        "dataset": suite.data.names if suite is not None and suite.data is not None else [],
        "classifier": suite.classifiers if suite is not None else (),
    }
    for key, order in orders.items():
        held = {row[key]: None for row in rows}
        known = [name for name in order if name in held]
        noted[f"{key}s"] = list(dict.fromkeys([*known, *held]))
    noted["repeats"] = max(noted["repeats"], 1 + max((row["repeat"] for row in rows), default=0))
    noted["command"] = _without_choices(noted["command"])
    write_atomically(output / RUN, json.dumps(noted, indent=1) + "\n")


def _without_choices(command: str) -> str:
    """Turn a command for a part of a suite into the command for all of it."""
    words = shlex.split(command)
    for option in ("--datasets", "--classifiers"):
        while option in words:
            place = words.index(option)
            del words[place : place + 2]
    return shlex.join(words)


def _described(output: Path, rows: list[dict]) -> dict:
    """The last request as recorded, or all cells of the rows."""
    if (output / RUN).exists():
        return json.loads((output / RUN).read_text("utf-8"))
    return {
        "suite": "",
        "datasets": list(dict.fromkeys(row["dataset"] for row in rows)),
        "classifiers": list(dict.fromkeys(row["classifier"] for row in rows)),
        "repeats": 1 + max((row["repeat"] for row in rows), default=0),
        "command": "",
    }
