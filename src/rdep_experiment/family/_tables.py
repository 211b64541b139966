"""The family's published tables: data files with their sources, and smaller tables.

The smaller tables are computed part by part, and each part is stored when it is done.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rdep._utils._imports import optional

from ..run._store import RowStore, read_rows

if TYPE_CHECKING:
    import pandas as pd
else:
    pd = optional("pandas", "the published scores", "cli")

TABLES = "tables.jsonl"
TITLES = {
    "dendrites": "Neurons with dendrites",
    "competitive": "The competitive layer on PMLB",
    "random units": "Random units, ten draws",
    "memories": "Associative memories on digits",
}
_IDENTITY = {"tables": list(TITLES)}


def published_scores() -> pd.DataFrame:
    """Balanced accuracies of morphological models on the paper's data sets, means of 5 folds.

    Returns
    -------
    pandas.DataFrame
        Data sets × classifiers, by the names of the suite ``family``.

    References
    ----------
    github.com/httplups/morphological-networks, 2021.
    """
    text = read("morphological_networks_2021.csv")
    return pd.read_csv(io.StringIO(text), comment="#", index_col="dataset")


def published_splits() -> pd.DataFrame:
    """Accuracies of the competitive layer on ten splits of data sets of PMLB.

    Returns
    -------
    pandas.DataFrame
        One row for each data set, training and split, with the boxes and the penalty chosen.

    References
    ----------
    I. Cunha and M. E. Valle, "Morphological perceptron with competitive layer: training using
    convex-concave procedure", arXiv:2509.05697, 2025; tables of github.com/mevalle/MPCL-CCP.
    """
    return pd.read_csv(io.StringIO(read("mpcl_ccp_2026.csv")), comment="#")


def read(name: str) -> str:
    """Read the text of a data file."""
    return files(__package__).joinpath("published", name).read_text("utf-8")


def result(
    source: str,
    data: str,
    quantity: str,
    published: float | None,
    ours: float | None,
    note: str = "",
) -> dict[str, Any]:
    """Row of a table: source, data, quantity, published and our number, and a note."""
    return {
        "source": source, "data": data, "quantity": quantity,
        "published": published, "ours": ours, "note": note,
    }  # fmt: skip


class Part(NamedTuple):
    """Part of a table that is computed and stored at once."""

    table: str
    name: str
    compute: Callable[[], Iterable[dict[str, Any]]]


def parts(data_dir: Path | None) -> list[Part]:
    """All parts for which data are available, the slowest last."""
    from ._competitive import DATASETS, TRAININGS, competitive_row
    from ._dendrites import FILES, cut_evolution_row, dendrite_rows, evolution_row
    from ._memories import memory_rows
    from ._random_units import elm_row

    dendrites, splits, openml = (
        None if data_dir is None else _folder(data_dir, name)
        for name in ("dendrites", "pmlb", "openml")
    )
    found = [
        Part("memories", "digits", memory_rows),
        Part("dendrites", "elimination and dividing", lambda: dendrite_rows(dendrites)),
    ]
    if openml is not None:
        found += [
            Part("random units", name, _one(elm_row, name, openml))
            for name in published_scores().index
        ]
    if splits is not None:
        found += [
            Part(
                "competitive",
                f"{name}, {training}",
                _one(competitive_row, name, training, splits),
            )
            for training in TRAININGS
            for name in DATASETS
        ]
    if dendrites is not None:
        found += [
            Part("dendrites", f"{training}, {name}", _one(row, name, dendrites))
            for training, row in {
                "evolution of cut boxes": cut_evolution_row,
                "evolution": evolution_row,
            }.items()
            for name in FILES
        ]
    return found


def compute_tables(output: Path, data_dir: Path | None, show: Callable[[str], None]) -> None:
    """Compute the parts that are not yet in the folder, and store their rows.

    Parameters
    ----------
    output : Path
        Folder of the run.
    data_dir : Path or None
        Folder with the folders ``openml``, ``pmlb`` and ``dendrites``. Parts that need a missing
        folder are left out.
    show : function of a text
        Called with the name of each part before it is computed.
    """
    with RowStore(output / TABLES, _IDENTITY) as store:
        done = {(row["table"], row["part"]) for row in store.rows if row["last"]}
        for part in parts(data_dir):
            if (part.table, part.name) in done:
                continue
            show(f"{TITLES[part.table]}: {part.name}")
            rows = list(part.compute())
            for number, row in enumerate(rows, start=1):
                store.append({**_cell(part, number), "last": number == len(rows), **row})


def stored_tables(output: Path) -> dict[str, list[dict[str, Any]]]:
    """Rows of each table in a folder, by the title of the table."""
    if not (output / TABLES).exists():
        return {}
    _, rows = read_rows(output / TABLES)
    latest = {(row["table"], row["part"], row["fold"]): row for row in rows}
    found = {
        title: [row for row in latest.values() if row["table"] == table]
        for table, title in TITLES.items()
    }
    return {title: of_table for title, of_table in found.items() if of_table}


def _one(row: Callable[..., dict[str, Any]], *given) -> Callable[[], list[dict[str, Any]]]:
    return lambda: [row(*given)]


def _folder(data_dir: Path, name: str) -> Path | None:
    return data_dir / name if (data_dir / name).is_dir() else None


def _cell(part: Part, number: int) -> dict[str, Any]:
    """Keys that identify a row in the store."""
    return {
        "table": part.table, "part": part.name,
        "dataset": part.table, "classifier": part.name, "repeat": 0, "fold": number,
    }  # fmt: skip
