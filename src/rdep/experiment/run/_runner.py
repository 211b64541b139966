"""From a request to rows: missing cells are computed, stored rows are kept."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from ...datasets import Dataset
from ._cells import FAILED, OK
from ._dask_cluster import DaskCluster, run_tasks_on_dask
from ._progress import Progress
from ._protocol import Protocol
from ._sources import Source
from ._store import RowStore, StoreError, cell_of, latest
from ._workers import Task, run_tasks

ROWS = "rows.jsonl"


@dataclass(frozen=True)
class Request:
    """The cells to compute, and how they are computed."""

    output: Path
    sources: tuple[Source, ...]
    classifiers: tuple[str, ...]
    protocol: Protocol = field(default_factory=Protocol)
    repeats: int = 1
    jobs: int = 1  # processes on this machine
    cluster: DaskCluster | None = None  # in place of them
    time_limit: float | None = None  # seconds for one cell
    retry_failed: bool = False
    repair: bool = False  # compute damaged rows again

    @property
    def cells(self) -> list[tuple]:
        """(data set, repeat, fold, classifier), as rows name them."""
        return [
            (source.name, repeat, fold, classifier)
            for source in self.sources
            for repeat in range(self.repeats)
            for fold in range(self.protocol.n_folds)
            for classifier in self.classifiers
        ]


@dataclass(frozen=True)
class Outcome:
    """The rows of a request, and how many of them this run added."""

    rows: list[dict]  # one for each cell wanted that has one, in the request's order
    n_computed: int
    n_failed: int


def run(request: Request, progress: Progress) -> Outcome:
    """Compute the cells that the store does not have yet."""
    path, identity = request.output / ROWS, request.protocol.identity
    with RowStore(path, identity, repair=request.repair) as store:
        known = latest(store.rows)
        missing = [cell for cell in request.cells if _is_wanted(known.get(cell), request)]
        datasets = {source.name: source.load() for source in request.sources} if missing else {}
        _check_data(store, datasets)
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


def _is_wanted(row: dict | None, request: Request) -> bool:
    return row is None or (request.retry_failed and row["status"] == FAILED)


def _check_data(store: RowStore, datasets: dict[str, Dataset]) -> None:
    """Refuse data that changed since the first rows were computed."""
    for row in store.rows:
        dataset = datasets.get(row["dataset"])
        if dataset and row["status"] == OK and row["data_sha256"] != dataset.sha256:
            raise StoreError(
                f"{row['dataset']} has changed since {store.path} was begun (its checksum is "
                f"{dataset.sha256[:12]}…, it was {row['data_sha256'][:12]}…). Restore the earlier "
                "data, or choose another --output"
            )


def _tasks(
    request: Request, missing: list[tuple], datasets: dict[str, Dataset]
) -> tuple[list[Task], dict[tuple, float]]:
    """One task for each fold, the most expensive first, and the estimated cost of each cell."""
    sources = {source.name: source for source in request.sources}
    folds = defaultdict(list)
    for name, repeat, fold, classifier in missing:
        folds[name, repeat, fold].append(classifier)
    # Fitting an SVC grows with the square of the samples; only proportions matter here.
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
