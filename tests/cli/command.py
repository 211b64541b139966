"""The installed command in a process of its own, as a user runs it."""

import subprocess
import sys
from pathlib import Path

RDEP = Path(sys.executable).with_name("rdep")


def rdep(*arguments, **settings):
    return subprocess.run(
        [RDEP, *map(str, arguments)], capture_output=True, text=True, check=False, **settings
    )
