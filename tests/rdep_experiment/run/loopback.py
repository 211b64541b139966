"""A Dask cluster on the loopback address, each part a process that a test may kill."""

import os
import signal
import socket
import subprocess
import sys


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LoopbackCluster:
    """A scheduler and workers without nannies: what is killed stays dead until started again."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers: list[subprocess.Popen] = []
        self.start_scheduler()

    def start_scheduler(self) -> None:
        self.scheduler = _start(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port),
            "--no-dashboard",
        )  # fmt: skip

    def start_workers(self, number: int) -> None:
        self.workers += [
            _start(
                "distributed.cli.dask_worker", self.address, "--host", "127.0.0.1", "--no-nanny",
                "--nthreads", "1", "--memory-limit", "0", "--no-dashboard",
                "--death-timeout", "600",
            )
            for _ in range(number)
        ]  # fmt: skip

    def kill_workers(self, number: int) -> None:
        for _ in range(number):
            _kill(self.workers.pop())

    def kill_scheduler(self) -> None:
        _kill(self.scheduler)

    def close(self) -> None:
        self.kill_workers(len(self.workers))
        self.kill_scheduler()


def _start(module: str, *arguments: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _kill(process: subprocess.Popen) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
