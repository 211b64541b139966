"""Shared data and settings of the tests."""

import signal
from functools import partial
from pathlib import Path

import hypothesis
import pytest

from .data_folder import data_folder
from .needs import cannot_run
from .places import ROOT
from .problems import random_problems

# What depends on other versions and on the compiler: part of `pytest -m core`, besides
# scikit-learn's checks of the estimators as they are by default.
CORE = tuple(
    ROOT / "tests" / file
    for file in (
        "training/test_ccp.py", "training/test_descend.py", "training/test_escape.py",
        "training/test_linear_program.py", "training/test_joint.py", "training/affine",
        "training/boxes", "images/test_compiled.py", "model_files/test_archive.py",
        "model_files/test_calibration.py", "model_files/test_files.py",
    )
)  # fmt: skip

# What a shell starts in the background ignores interrupts, and so would all that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

for profile, max_examples in {"rdep": 30, "slow": 200}.items():
    hypothesis.settings.register_profile(
        profile, deadline=None, derandomize=True, max_examples=max_examples, print_blob=True
    )


def pytest_configure(config):
    slow = config.getoption("markexpr") == "slow"
    hypothesis.settings.load_profile("slow" if slow else "rdep")


def pytest_collection_modifyitems(items):
    for item in items:
        if any(item.path.is_relative_to(place) for place in CORE):
            item.add_marker(pytest.mark.core)


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data sets, which RDEP_DATA_DIR names."""
    folder = data_folder()
    if folder is None or not folder.is_dir():
        cannot_run("real data sets are needed: set RDEP_DATA_DIR to their folder")
    return folder


@pytest.fixture(scope="session")
def cell_processes():
    """Processes of the experiment that have nothing to do.

    Each takes seconds to import its packages. Here they are forked from one that has imported them.
    """
    import multiprocessing

    from rdep_experiment.run import _workers

    processes, forked = [], multiprocessing.get_context("forkserver")
    forked.set_forkserver_preload([_workers.__name__, "rdep", "sklearn.svm", "pandas"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_workers, "_START_METHOD", "forkserver")
        yield processes
        _workers.end_processes(processes)


@pytest.fixture(scope="module")
def kept_processes(cell_processes):
    """Runs of the experiment leave their processes to the next run."""
    from rdep_experiment.run import _runner, _workers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_runner, "run_tasks", partial(_workers.run_tasks, idle=cell_processes))
        yield


@pytest.fixture(scope="module")
def pages_only():
    """Reports have their page, which contains the figures, but no files of figures.

    Drawing takes most of the time of a small report.
    """
    from rdep_experiment.report import _figures

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_figures, "BY_DEFAULT", ())
        yield


@pytest.fixture(scope="session")
def problems():
    """80 training problems of many kinds; three times as many are solved exactly in `make slow`."""
    return random_problems(80)
