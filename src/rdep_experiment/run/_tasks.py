"""A task: some classifiers on one fold, and what identifies each of its rows."""

from __future__ import annotations

from dataclasses import dataclass

from rdep._utils._versions import versions

from ._protocol import Protocol
from ._sources import Source

OK, FAILED = "ok", "failed"


@dataclass(frozen=True)
class Task:
    """Some classifiers on one fold of one data set."""

    source: Source
    protocol: Protocol
    repeat: int
    fold: int
    classifiers: tuple[str, ...]
    data_sha256: str  # of the data that a worker must read
    attempt: int = 1

    def row(self, classifier: str, outcome: dict) -> dict:
        """A row: its cell, the outcome, and where data, classifier and numbers come from."""
        return {
            "dataset": self.source.name,
            "repeat": self.repeat,
            "fold": self.fold,
            "classifier": classifier,
            **outcome,
            "seed": self.protocol.seed + self.repeat,
            "data_sha256": self.data_sha256,
            **origin(self.source, self.protocol, classifier),
            "versions": versions(),
        }

    def failed_row(self, classifier: str, error: str) -> dict:
        """The row of a cell that failed."""
        outcome: dict = {
            "status": FAILED,
            "scores": {},
            "fit_seconds": None,
            "predict_seconds": None,
            "error": error[:1000],
            "warnings": [],
        }
        return self.row(classifier, outcome)


def origin(source: Source, protocol: Protocol, classifier: str) -> dict:
    """What a row tells of the user's own tables and classifiers; others are known by name."""
    known = {"target": source.target, "imported_from": protocol.extra.get(classifier)}
    return {name: value for name, value in known.items() if value is not None}
