"""Pack the rows of runs before they are committed: ``python -m tools.pack_rows results/paper …``.

``rows.jsonl`` is replaced by ``rows.jsonl.xz``, the same bytes for the same rows. The commands read
both, and a run that adds rows unpacks them first.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rdep_experiment.run._runner import ROWS
from rdep_experiment.run._store import pack


def main(folders: list[str]) -> None:
    """Pack the rows of each folder, and print their new sizes."""
    for folder in folders:
        packed = pack(Path(folder) / ROWS)
        print(f"{packed}: {packed.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
