"""The 30 data sets of the paper's experiment, from a folder of ARFF files or from OpenML."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from urllib.error import URLError

import numpy as np
from sklearn.datasets import fetch_openml

from .._utils._names import unknown_name
from .._utils._typing import Array, Indices
from ._arff import read_arff


@dataclass(frozen=True)
class PaperDataset:
    """One line of the paper's Table 3, and what it takes to find and to check the data."""

    name: str  # the paper's
    openml_name: str
    version: int
    openml_id: int
    target: str
    ignored: tuple[str, ...]  # attributes that are not features
    instances: int
    features: int
    negative_label: str
    positive_label: str
    negatives: int
    positives: int

    @property
    def percentages(self) -> tuple[int, int]:
        """Share of the negative and of the positive class, as the table prints them."""
        share = round(100 * self.negatives / self.instances)
        return share, 100 - share


@dataclass(frozen=True)
class Dataset:
    """Samples and their classes, 0 and 1; missing values are NaN."""

    name: str
    X: Array
    y: Indices
    feature_names: tuple[str, ...]
    labels: tuple[str, str]  # of class 0 and of class 1
    source: str

    @cached_property
    def sha256(self) -> str:
        """A checksum of the numbers themselves, whatever file they came from."""
        digest = hashlib.sha256(repr(self.X.shape).encode())
        digest.update(np.ascontiguousarray(self.X, dtype="<f8").tobytes())
        digest.update(np.ascontiguousarray(self.y, dtype="<i8").tobytes())
        return digest.hexdigest()


@cache
def paper_datasets() -> tuple[PaperDataset, ...]:
    """The registry: all data sets of the paper's Table 3, in its order."""
    content = json.loads(files(__package__).joinpath("registry.json").read_text("utf-8"))
    return tuple(
        PaperDataset(**{**row, "ignored": tuple(row["ignored"])}) for row in content["datasets"]
    )


def find_paper_dataset(name: str) -> PaperDataset:
    """The registry's entry by the paper's name or OpenML's, in upper or lower case."""
    by_name = {}
    for entry in paper_datasets():
        by_name[entry.name.lower()] = by_name[entry.openml_name.lower()] = entry
    if name.lower() not in by_name:
        raise ValueError(unknown_name("data set", name, [entry.name for entry in paper_datasets()]))
    return by_name[name.lower()]


def load_paper_dataset(name: str, *, data_dir=None, data_home=None) -> Dataset:
    """Load one of the paper's data sets.

    Nominal values are codes in the order of their declaration; missing values are NaN. Shape and
    class counts are checked whatever the source.

    Parameters
    ----------
    name : str
        The paper's name ("Blood Transfusion") or OpenML's.
    data_dir : path-like, default=None
        A folder of ARFF files ``<OpenML name>-<version>.arff``, gzipped or not, or one with such a
        folder called ``openml``. Where it has a ``manifest.json``, checksums are compared with it.
        Files that are not there, or all without a folder, are fetched from OpenML.
    data_home : path-like, default=None
        Where scikit-learn keeps what it fetched; None is its default.

    Returns
    -------
    Dataset
    """
    entry = find_paper_dataset(name)
    path = None if data_dir is None else _arff_file(entry, Path(data_dir))
    dataset = _from_openml(entry, data_home, data_dir) if path is None else _from_file(entry, path)
    _check(entry, dataset)
    return dataset


def _arff_file(entry: PaperDataset, folder: Path) -> Path | None:
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder} is not a folder: name one with the data sets' ARFF files"
        )
    stem = f"{entry.openml_name}-{entry.version}.arff"
    candidates = [
        place / name for place in (folder, folder / "openml") for name in (stem, f"{stem}.gz")
    ]
    return next((candidate for candidate in candidates if candidate.exists()), None)


def _from_file(entry: PaperDataset, path: Path) -> Dataset:
    _check_sum(entry, path)
    table = read_arff(path)
    if entry.target not in table.columns:
        raise ValueError(f"{entry.name}: {path} has no attribute {entry.target!r} (the class)")
    names = tuple(
        column for column in table.columns if column != entry.target and column not in entry.ignored
    )
    X = table.values[:, [table.columns.index(column) for column in names]]
    codes, labels = table.column(entry.target), table.categories.get(entry.target)
    target = [
        "?" if np.isnan(code) else labels[int(code)] if labels else f"{code:g}" for code in codes
    ]
    return _dataset(entry, X, np.array(target), names, f"{path.name} in a folder")


def _check_sum(entry: PaperDataset, path: Path) -> None:
    manifest = path.parent / "manifest.json"
    if not manifest.exists():
        return
    try:
        expected = {row["file"]: row["sha256"] for row in json.loads(manifest.read_text("utf-8"))}
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"{manifest} cannot be read ({error!r}): repair it, or remove it to skip checksums"
        ) from error
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if path.name in expected and found != expected[path.name]:
        raise ValueError(
            f"{entry.name}: {path} is not the file that {manifest.name} lists: its sha256 is "
            f"{found[:12]}…, not {expected[path.name][:12]}…; fetch it again or correct that"
        )


def _from_openml(entry: PaperDataset, data_home, data_dir) -> Dataset:
    try:
        bunch = fetch_openml(
            data_id=entry.openml_id, as_frame=False, parser="liac-arff", data_home=data_home
        )
    except (URLError, OSError) as error:
        where = "" if data_dir is None else f"is not in {data_dir} and "
        raise ConnectionError(
            f"{entry.name} {where}could not be fetched from OpenML ({error}). Name a folder that "
            "has it as ARFF (--data-dir, or data_dir=…), or use what needs no network: load_ripley "
            "and make_double_moon, on the command line `rdep reproduce --suite quick`"
        ) from error
    X = bunch.data.toarray() if hasattr(bunch.data, "toarray") else bunch.data
    target = np.array([str(label) for label in bunch.target])
    return _dataset(
        entry, X.astype(float), target, tuple(bunch.feature_names), f"OpenML {entry.openml_id}"
    )


def _dataset(entry, X, target, names, source) -> Dataset:
    known = np.isin(target, [entry.negative_label, entry.positive_label])
    if not known.all():
        others = sorted(set(target[~known].tolist()))
        raise ValueError(
            f"{entry.name}: the class has values {others} besides "
            f"{entry.negative_label!r} and {entry.positive_label!r}"
        )
    y = (target == entry.positive_label).astype(np.intp)
    return Dataset(entry.name, X, y, names, (entry.negative_label, entry.positive_label), source)


def _check(entry: PaperDataset, dataset: Dataset) -> None:
    """Compare with the registry, before any imputation: a column may be missing as a whole."""
    found = {
        "samples": len(dataset.X),
        "features": dataset.X.shape[1],
        "negative samples": int((dataset.y == 0).sum()),
        "positive samples": int((dataset.y == 1).sum()),
    }
    expected = dict(
        zip(found, (entry.instances, entry.features, entry.negatives, entry.positives), strict=True)
    )
    wrong = [f"{found[what]} {what} instead of {expected[what]}" for what in found
             if found[what] != expected[what]]  # fmt: skip
    if wrong:
        raise ValueError(
            f"{entry.name} from {dataset.source} is not the paper's: {', '.join(wrong)}"
        )
