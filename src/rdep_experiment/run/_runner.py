"""Run a request: compute missing cells and keep stored rows."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from sklearn.base import BaseEstimator
from sklearn.calibration import CalibratedClassifierCV

from rdep.datasets import Dataset

from ..models import is_known
from ..models._names import NETWORKS
from ..models._sharing import FitCache
from ._cells import Task
from ._dask_cluster import DaskCluster, run_tasks_on_dask
from ._folds import usable_folds
from ._metrics import check_metrics, needs_only_predictions
from ._progress import Progress
from ._protocol import Protocol
from ._sources import Source
from ._store import (
    FAILED,
    HOW_TO_GO_ON,
    RowStore,
    StoreError,
    cell_of,
    differences,
    latest,
    set_aside,
)
from ._workers import run_tasks

ROWS = "rows.jsonl"


@dataclass(frozen=True)
class Request:
    """Cells to compute, and how to compute them.

    Attributes
    ----------
    output : Path
        Folder for all files.
    sources : tuple of Source
        The data sets.
    classifiers : tuple of str
        Names of the classifiers.
    protocol : Protocol
        How every cell is computed.
    repeats : int
        Number of cross-validations, each with different folds.
    jobs : int
        Number of processes on this machine.
    cluster : DaskCluster or None
        Dask cluster to use instead of processes.
    time_limit : float or None
        Time limit of one cell in seconds; a cell that exceeds it fails.
    retry_failed : bool
        Whether to compute failed cells again.
    repair : bool
        Whether to compute damaged rows again instead of refusing the file.
    fresh : bool
        Whether to start again; existing rows are kept in a file with another name.
    table : dict
        Further settings that identify a comparison on one table.
    about : dict
        Description of the one table, for the report.
    """

    __module__ = "rdep_experiment"

    output: Path
    sources: tuple[Source, ...] = ()
    classifiers: tuple[str, ...] = ()
    protocol: Protocol = field(default_factory=Protocol)
    repeats: int = 1
    jobs: int = 1
    cluster: DaskCluster | None = None
    time_limit: float | None = None
    retry_failed: bool = False
    repair: bool = False
    fresh: bool = False
    table: dict = field(default_factory=dict)
    about: dict = field(default_factory=dict)

    @property
    def seeds(self) -> list[int]:
        """Seeds of the folds, one for each repeat."""
        return [self.protocol.seed_of(repeat) for repeat in range(self.repeats)]

    @property
    def cells(self) -> list[tuple]:
        """Tuples (data set, repeat, fold, classifier), as in rows."""
        return [
            (source.name, repeat, fold, classifier)
            for source in self.sources
            for repeat in range(self.repeats)
            for fold in range(self.protocol.n_folds)
            for classifier in self.classifiers
        ]


@dataclass(frozen=True)
class Outcome:
    """Rows of a request, and the number of rows that this run added."""

    rows: list[dict]  # rows of the requested cells that have one, in the order of the request
    n_computed: int
    n_failed: int


def run(request: Request, progress: Progress) -> Outcome:
    """Compute the cells that are not yet in the store.

    Data, classifiers and protocol are first compared with those of the stored rows: only rows of
    the same comparison count as done.
    """
    datasets = {source.name: source.load() for source in request.sources}
    _check_request(request, datasets)
    path = request.output / ROWS
    if request.fresh:
        set_aside(path)
    identity = {**request.protocol.identity, **request.table}
    with RowStore(path, identity, repair=request.repair) as store:
        _check_rows(store, request, datasets)
        known = latest(store.rows)
        missing = [cell for cell in request.cells if _is_wanted(known.get(cell), request)]
        tasks, costs = _tasks(request, missing, datasets)
        with progress.following(len(missing), costs) as follow:

            def keep(row: dict) -> None:
                store.append(row)
                follow.finished(cell_of(row), row["status"])

            if request.cluster is None:
                run_tasks(tasks, request.jobs, request.time_limit, keep, follow.running)
            else:
                run_tasks_on_dask(tasks, request.cluster, request.time_limit, keep)
        return _outcome(request, latest(store.rows), len(missing))


def _check_request(request: Request, datasets: dict[str, Dataset]) -> None:
    """Refuse a request that would fail or lead to meaningless scores."""
    protocol = request.protocol
    classifiers = _made_in_advance(request)
    if not protocol.gaps:
        check_metrics(protocol.metrics, list(datasets.values()), classifiers)
    if protocol.threshold is not None or protocol.cost is not None:
        made = (protocol.classifier(name, 0, FitCache()) for name in request.classifiers)
        names = zip(request.classifiers, made, strict=True)
        lacking = [name for name, one in names if not hasattr(one, "predict_proba")]
        if lacking and protocol.calibrate is None:
            raise ValueError(
                f"a threshold is a probability, and {', '.join(lacking)} have none: calibrate "
                "them (--calibrate sigmoid), or compare others (--classifiers)"
            )
    for dataset in datasets.values():
        usable = usable_folds(dataset, protocol.split, protocol.n_folds, request.seeds)
        if usable < protocol.n_folds:
            few = "a class has too few samples" if dataset.labels else "it has too few samples"
            raise ValueError(
                f"{dataset.name} cannot be cut into {protocol.n_folds} folds"
                f"{' that all have all classes' if dataset.labels else ''}: "
                + (f"choose --folds {usable}" if usable else few)
            )


def _made_in_advance(request: Request) -> dict[str, BaseEstimator]:
    """Create the classifiers that may lack a module, a package or a method.

    Classifiers that are known to predict are created in the worker, and not imported here.
    """
    protocol, cache = request.protocol, FitCache()
    all_predict = all(map(needs_only_predictions, protocol.metrics))
    made_here = {*protocol.extra, *NETWORKS}
    names = [
        name
        for name in request.classifiers
        if not all_predict or name in made_here or not is_known(name, protocol.task)
    ]
    made = {name: protocol.classifier(name, 0, cache) for name in names}
    if protocol.calibrate is None:
        return made
    return {name: CalibratedClassifierCV(one) for name, one in made.items()}


def _is_wanted(row: dict | None, request: Request) -> bool:
    return row is None or (request.retry_failed and row["status"] == FAILED)


def _check_rows(store: RowStore, request: Request, datasets: dict[str, Dataset]) -> None:
    """Refuse rows of other data, of another target or of another classifier of the same name."""
    sources = {source.name: source for source in request.sources}
    for row in store.rows:
        there, here = {}, {}
        if row["dataset"] in sources:
            source = sources[row["dataset"]]
            here = {"data_sha256": datasets[source.name].sha256, "target": source.target}
            # Rows of earlier versions have no target, and failed rows have no checksum.
            there = {name: row.get(name) or value for name, value in here.items()}
        if row["classifier"] in request.classifiers:
            here["imported_from"] = request.protocol.extra.get(row["classifier"])
            there["imported_from"] = row.get("imported_from")
        changes = differences(there, here)
        if changes:
            name = row["classifier"] if "imported_from" in changes else row["dataset"]
            raise StoreError(
                f"{name} has changed since {store.path} was started: {changes}. Restore it, "
                f"{HOW_TO_GO_ON}"
            )


def _tasks(
    request: Request, missing: list[tuple], datasets: dict[str, Dataset]
) -> tuple[list[Task], dict[tuple, float]]:
    """One task for each fold, the most expensive first, and the estimated cost of each cell."""
    sources = {source.name: source for source in request.sources}
    folds = defaultdict(list)
    for name, repeat, fold, classifier in missing:
        folds[name, repeat, fold].append(classifier)
    # The time of an SVC grows with the square of the samples; only proportions matter here.
    cost = {
        name: len(dataset.X) ** 2 * (dataset.X.shape[1] + 20) + 1e6
        for name, dataset in datasets.items()
    }
    tasks = [
        Task(
            sources[name], request.protocol, repeat, fold, tuple(classifiers), datasets[name].sha256
        )
        for (name, repeat, fold), classifiers in folds.items()
    ]
    tasks.sort(key=lambda task: -cost[task.source.name])
    return tasks, {cell: cost[cell[0]] for cell in missing}


def _outcome(request: Request, known: dict[tuple, dict], n_computed: int) -> Outcome:
    rows = [known[cell] for cell in request.cells if cell in known]
    return Outcome(rows, n_computed, sum(row["status"] == FAILED for row in rows))
