"""Join the committed runs on all collections of data sets: ``python -m tools.join_results``.

It writes ``collections.csv``, ``collections_against.csv``, ``collections.md`` and
``collections.png`` into the folder ``results``, from the rows of the runs in its subfolders.
"""

from __future__ import annotations

from pathlib import Path

from rdep_experiment.report import all_collections

RESULTS = Path(__file__).parents[1] / "results"
# The runs by the name of each collection in the tables.
CHOSEN_ON = "paper"
FOLDERS = {CHOSEN_ON: "extended", "PMLB": "fresh", "KEEL": "keel", "R packages": "new"}


def main(output: Path = RESULTS) -> None:
    """Write the files and print the path of the table."""
    folders = {name: RESULTS / folder for name, folder in FOLDERS.items()}
    print(all_collections(folders, output, (CHOSEN_ON,)))


if __name__ == "__main__":
    main()
