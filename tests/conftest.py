"""Shared data and settings of the tests."""

from pathlib import Path

import hypothesis
import pytest

from .data_folder import data_folder
from .needs import cannot_run
from .problems import random_problems

hypothesis.settings.register_profile(
    "rdep", deadline=None, derandomize=True, max_examples=60, print_blob=True
)
hypothesis.settings.load_profile("rdep")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of real data sets, which RDEP_DATA_DIR names."""
    folder = data_folder()
    if folder is None or not folder.is_dir():
        cannot_run("real data sets are needed: set RDEP_DATA_DIR to their folder")
    return folder


@pytest.fixture(scope="session")
def problems():
    """200 training problems of many kinds."""
    return random_problems(200)
