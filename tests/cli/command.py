"""The installed command in a process of its own, as a user runs it, or in this one."""

import io
import os
import subprocess
import sys
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from threading import Thread
from unittest.mock import patch

from rdep.cli import main

RDEP = Path(sys.executable).with_name("rdep")


def rdep(*arguments, **settings):
    return subprocess.run(
        [RDEP, *map(str, arguments)], capture_output=True, text=True, check=False, **settings
    )


def rdep_here(*arguments, cwd):
    """The same in this process, which has imported what takes longer than the work."""
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with (
        chdir(cwd),
        patch.object(sys, "argv", ["rdep", *map(str, arguments)]),
        redirect_stdout(out),
        redirect_stderr(errors),
    ):
        try:
            main()
        except SystemExit as leaving:
            code = leaving.code
    texts = (stream.buffer.getvalue().decode() for stream in (out, errors))
    return subprocess.CompletedProcess(sys.argv, code, *texts)


@contextmanager
def on_terminal():
    """Standard error is a terminal; yields what is shown there, in parts that go on coming."""
    import pty

    ours, theirs = pty.openpty()
    shown = []

    def read():
        with suppress(OSError):  # Linux: the other end is closed
            while part := os.read(ours, 4096):
                shown.append(part)

    reader = Thread(target=read)
    reader.start()
    with os.fdopen(theirs, "w") as terminal, redirect_stderr(terminal):
        yield shown
    reader.join()
    os.close(ours)
