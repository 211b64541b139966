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
    """One line of the paper's Table 3, with the identifiers of the data set on OpenML.

    Attributes
    ----------
    name : str
        The paper's name of the data set.
    openml_name, version, openml_id : str, int and int
        Name, version and number of the data set on OpenML.
    target : str
        The attribute that holds the class.
    ignored : tuple of str
        Attributes that are not features.
    instances, features : int
        Number of samples and of features.
    negative_label, positive_label : str
        Values of the target for the two classes.
    negatives, positives : int
        Number of samples of each class.
    """

    __module__ = "rdep.datasets"

    name: str
    openml_name: str
    version: int
    openml_id: int
    target: str
    ignored: tuple[str, ...]
    instances: int
    features: int
    negative_label: str
    positive_label: str
    negatives: int
    positives: int

    @property
    def percentages(self) -> tuple[int, int]:
        """Percentage of the negative and of the positive class, as the table prints them."""
        share = round(100 * self.negatives / self.instances)
        return share, 100 - share


@dataclass(frozen=True)
class Dataset:
    """Samples and their classes, 0, 1 and so on, or numbers; missing values are NaN.

    Attributes
    ----------
    name : str
        The paper's name of the data set.
    X : ndarray of shape (n_samples, n_features)
        Samples.
    y : ndarray of shape (n_samples,)
        Classes as integers; with two classes, 1 is the positive class. Without classes, numbers to
        predict.
    feature_names : tuple of str
        Names of the features.
    labels : tuple of str
        Names of the classes, class 0 first; empty if y holds numbers to predict.
    source : str
        Source of the data.
    groups : ndarray of shape (n_samples,) or None
        Number of the group of each sample, if samples belong together. If samples follow each
        other in time, groups are moments in ascending order.
    """

    __module__ = "rdep.datasets"

    name: str
    X: Array
    y: Indices | Array
    feature_names: tuple[str, ...]
    labels: tuple[str, ...]
    source: str
    groups: Indices | None = None

    @cached_property
    def sha256(self) -> str:
        """Checksum of the numbers themselves, independent of the file."""
        digest = hashlib.sha256(repr(self.X.shape).encode())
        digest.update(np.ascontiguousarray(self.X, dtype="<f8").tobytes())
        digest.update(np.ascontiguousarray(self.y, dtype="<i8" if self.labels else "<f8").tobytes())
        if self.groups is not None:
            digest.update(np.ascontiguousarray(self.groups, dtype="<i8").tobytes())
        return digest.hexdigest()


@cache
def paper_datasets() -> tuple[PaperDataset, ...]:
    """List all data sets of the paper's Table 3, in its order.

    Returns
    -------
    tuple of PaperDataset
        One entry for each line of the table.

    References
    ----------
    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    content = json.loads(files(__package__).joinpath("registry.json").read_text("utf-8"))
    return tuple(
        PaperDataset(**{**row, "ignored": tuple(row["ignored"])}) for row in content["datasets"]
    )


def find_paper_dataset(name: str) -> PaperDataset:
    """Find a data set in the registry by the paper's name or OpenML's, ignoring case.

    Parameters
    ----------
    name : str
        The paper's name ("Blood Transfusion") or OpenML's.

    Returns
    -------
    PaperDataset
        The registry's entry.
    """
    by_name = {}
    for entry in paper_datasets():
        by_name[entry.name.lower()] = by_name[entry.openml_name.lower()] = entry
    if name.lower() not in by_name:
        raise ValueError(unknown_name("data set", name, [entry.name for entry in paper_datasets()]))
    return by_name[name.lower()]


def load_paper_dataset(name: str, *, data_dir=None, data_home=None) -> Dataset:
    """Load one of the paper's data sets.

    Nominal values are codes in the order of their declaration; missing values are NaN. Shape and
    class counts are checked for every source.

    Parameters
    ----------
    name : str
        The paper's name ("Blood Transfusion") or OpenML's.
    data_dir : path-like, default=None
        Folder of ARFF files ``<OpenML name>-<version>.arff``, gzipped or not, or a folder that
        contains such a folder called ``openml``. If it has a ``manifest.json``, checksums are
        compared with it. A data set that is not in the folder is fetched from OpenML. None fetches
        every data set.
    data_home : path-like, default=None
        Folder in which scikit-learn caches what it fetches; None means its default.

    Returns
    -------
    Dataset
        The samples and their classes.

    References
    ----------
    J. Vanschoren, J. N. van Rijn, B. Bischl and L. Torgo, "OpenML: networked science in machine
    learning", SIGKDD Explorations 15(2), 2013.

    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.
    """
    entry = find_paper_dataset(name)
    path = None if data_dir is None else _arff_file(entry, Path(data_dir))
    dataset = _from_openml(entry, data_home, data_dir) if path is None else _from_file(entry, path)
    _check(entry, dataset)
    return dataset


def _arff_file(entry: PaperDataset, folder: Path) -> Path | None:
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder} is not a folder: pass a folder with the data sets' ARFF files"
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
            f"{found[:12]}…, not {expected[path.name][:12]}…; fetch it again or correct the "
            "manifest"
        )


def _from_openml(entry: PaperDataset, data_home, data_dir) -> Dataset:
    try:
        bunch = fetch_openml(
            data_id=entry.openml_id, as_frame=False, parser="liac-arff", data_home=data_home
        )
    except (URLError, OSError) as error:
        where = "" if data_dir is None else f"is not in {data_dir} and "
        raise ConnectionError(
            f"{entry.name} {where}could not be fetched from OpenML ({error}). Pass a folder that "
            "contains it as ARFF (data_dir=…), or use data that need no network: "
            "load_ripley and make_double_moon, on the command line `rdep reproduce --suite quick`"
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
    """Compare with the registry, before any imputation: all values of a column may be missing."""
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
            f"{entry.name} from {dataset.source} differs from the paper's: {', '.join(wrong)}"
        )
