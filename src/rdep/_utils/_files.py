"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def writing_atomically(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its name only when the block ends without an error."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with partial.open("wb") as file:
            yield file
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that no reader ever sees half of it."""
    with writing_atomically(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)
