"""The whole experiment in one call: choose, compute what is missing, report."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from rdep._utils._files import write_atomically
from rdep.datasets import find_paper_dataset, paper_datasets
from rdep.exceptions import warn_caller

from .family._tables import compute_tables, stored_tables
from .run._dask_cluster import DaskCluster
from .run._progress import Progress
from .run._protocol import Protocol, choose
from .run._readable import left_out
from .run._rivals import missing_rivals
from .run._runner import ROWS, Outcome, Request, run
from .run._sources import EMBEDDED, FRESH, KEEL, PMLB, Source, benchmark_source, table_name
from .run._store import latest, read_rows
from .run._suites import EXTENDED_SUITES, READABLE_SUITES, READABLE_TABLE, suite_classifiers

RUN = "run.json"
# The published table of the family has another data set in its place.
NOT_IN_THE_FAMILY = "Egg-Eye-State"
# Suites on public collections besides the paper's: their folder, and which data sets.
BENCHMARKS = {
    "networks": ("pmlb", PMLB),
    "fresh": ("fresh", FRESH),
    "readable-fresh": ("fresh", FRESH),
    "keel": ("keel", KEEL),
    "readable-keel": ("keel", KEEL),
}


@dataclass(frozen=True)
class Choice:
    """The data sets and classifiers of a run, by name.

    Attributes
    ----------
    suite : str
        "quick", "paper", "extended", "fresh", "keel", "family", "networks", "readable",
        "readable-fresh" or "readable-keel".
    datasets : list of str or None
        Names of data sets; None means all of the suite.
    classifiers : list of str or None
        Names of classifiers; None means all of the suite. The user's own are compared anyway.
    data_dir, data_home : Path or None
        Folders of the data, as in :func:`rdep.datasets.load_paper_dataset`; the family's smaller
        tables are computed from the folders ``pmlb`` and ``dendrites`` in the former, if it has
        them.
    tables : tuple of (Path, str)
        The user's own files, each with its target column.
    """

    __module__ = "rdep_experiment"

    suite: str
    datasets: list[str] | None = None
    classifiers: list[str] | None = None
    data_dir: Path | None = None
    data_home: Path | None = None
    tables: tuple[tuple[Path, str], ...] = ()

    def sources(self) -> tuple[Source, ...]:
        """The data sets: those of the suite that were asked for, then the user's own."""
        if self.suite == "quick":
            names = choose(self.datasets, list(EMBEDDED), "data set")
        elif self.suite in BENCHMARKS:
            names = choose(self.datasets, list(BENCHMARKS[self.suite][1]), "data set")
        else:
            every = [entry.name for entry in paper_datasets()]
            if self.suite == "family":
                every = [name for name in every if name != NOT_IN_THE_FAMILY]
            asked = self.datasets
            if asked is not None:
                asked = [find_paper_dataset(name).name for name in asked]
            names = choose(asked, every, "data set")
        folder = None if self.data_dir is None else str(self.data_dir)
        home = None if self.data_home is None else str(self.data_home)
        own = tuple(
            Source(table_name(file), file=str(file), target=target) for file, target in self.tables
        )
        if self.suite in BENCHMARKS:
            subfolder = BENCHMARKS[self.suite][0]
            known = tuple(benchmark_source(name, self.data_dir, subfolder) for name in names)
        else:
            known = tuple(Source(name, data_dir=folder, data_home=home) for name in names)
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

    Rows that the folder holds already are not computed again. Rows of other data, of other
    classifiers or of another protocol are refused.

    Parameters
    ----------
    choice : Choice
        The data sets and classifiers.
    output : Path
        Folder for all files.
    protocol : Protocol
        How every cell is computed.
    repeats : int, default=1
        Number of repetitions of the cross-validation with other folds.
    jobs : int, default=1
        Number of processes on this machine.
    cluster : DaskCluster or None, default=None
        A Dask cluster, in place of processes.
    time_limit : float or None, default=None
        Time limit of one cell in seconds; a cell that exceeds it fails.
    retry_failed : bool, default=False
        Whether to compute failed cells again.
    repair : bool, default=False
        Whether to compute damaged rows again instead of refusing the file.
    fresh : bool, default=False
        Whether to begin anew; rows that the folder holds are kept in a file of another name.
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
    if choice.suite == "family":
        compute_tables(output, choice.data_dir, (progress or Progress()).computing)
    if choice.classifiers is None:
        missing = left_out() if choice.suite in READABLE_SUITES else ""
        missing = missing_rivals() if choice.suite in EXTENDED_SUITES else missing
        if missing:
            warn_caller(missing, UserWarning)
    request = Request(
        output=output,
        sources=choice.sources(),
        classifiers=protocol.chosen_classifiers(choice.classifiers, choice.suite),
        protocol=protocol,
        repeats=repeats,
        jobs=jobs,
        cluster=cluster,
        time_limit=time_limit,
        retry_failed=retry_failed,
        repair=repair,
        fresh=fresh,
    )
    return run_and_report(request, choice.suite, progress or Progress(), command)


def run_and_report(request: Request, suite: str, progress: Progress, command: str) -> Outcome:
    """Compute what is missing, note the request and write the report."""
    outcome = run(request, progress)
    described = {
        "suite": suite,
        "datasets": [source.name for source in request.sources],
        "classifiers": list(request.classifiers),
        "repeats": request.repeats,
        "command": command,
    }
    write_atomically(request.output / RUN, json.dumps(described, indent=1) + "\n")
    with progress.reporting():
        rewrite_report(request.output)
    return outcome


def rewrite_report(output: Path, everything: bool = False) -> Path:
    """Write tables, figures and report again from the rows of a run.

    Parameters
    ----------
    output : Path
        Folder of the run.
    everything : bool, default=False
        Whether to report all data sets and classifiers that the rows hold, from now on; otherwise
        those that were asked for last.

    Returns
    -------
    Path
        The page of the report.
    """
    from .report._page import write_report

    if everything:
        _ask_for_everything(output)
    rows, protocol, command = read_run(output)
    if protocol["suite"] in (*READABLE_SUITES, READABLE_TABLE):
        from .report._front_page import write_front

        return write_front(rows, protocol, command, output)
    header = {"protocol": protocol, "command": command, "tables": stored_tables(output)}
    write_report(rows, header, output)
    if protocol["suite"] == "networks":
        from .analysis._networks import beside_published

        write_atomically(output / "published.md", beside_published(rows))
    return output / "report.html"


def read_run(output: Path) -> tuple[list[dict], dict, str]:
    """The rows of a run, its protocol and the command that made it."""
    identity, rows = read_rows(output / ROWS)
    described = _described(output, rows)
    protocol = {
        "suite": described["suite"],
        "metric": identity["metrics"][0],
        "metrics": identity["metrics"],
        "datasets": described["datasets"],
        "classifiers": described["classifiers"],
        "repeats": described["repeats"],
        **{key: value for key, value in identity.items() if key != "metrics"},
    }
    return list(latest(rows).values()), protocol, described["command"]


def _ask_for_everything(output: Path) -> None:
    """Note as the last request what the rows hold, in the order of the suite."""
    rows = read_rows(output / ROWS)[1]
    noted = _described(output, rows)
    orders = {
        "dataset": [*(entry.name for entry in paper_datasets()), *FRESH, *KEEL, *PMLB],
        "classifier": suite_classifiers(noted["suite"]),
    }
    for key, order in orders.items():
        held = {row[key]: None for row in rows}
        known = [name for name in order if name in held]
        noted[f"{key}s"] = list(dict.fromkeys([*known, *held]))
    noted["repeats"] = max(noted["repeats"], 1 + max((row["repeat"] for row in rows), default=0))
    noted["command"] = _without_choices(noted["command"])
    write_atomically(output / RUN, json.dumps(noted, indent=1) + "\n")


def _without_choices(command: str) -> str:
    """A command that computes a part of a suite as the one that computes all of it."""
    words = shlex.split(command)
    for option in ("--datasets", "--classifiers"):
        while option in words:
            place = words.index(option)
            del words[place : place + 2]
    return shlex.join(words)


def _described(output: Path, rows: list[dict]) -> dict:
    """The last request as it was noted, or all that the rows hold."""
    if (output / RUN).exists():
        return json.loads((output / RUN).read_text("utf-8"))
    return {
        "suite": "",
        "datasets": list(dict.fromkeys(row["dataset"] for row in rows)),
        "classifiers": list(dict.fromkeys(row["classifier"] for row in rows)),
        "repeats": 1 + max((row["repeat"] for row in rows), default=0),
        "command": "",
    }
