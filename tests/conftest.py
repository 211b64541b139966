"""Shared data and settings of the tests."""

import os
from pathlib import Path

import hypothesis
import pytest

from .needs import cannot_run
from .problems import random_problems

hypothesis.settings.register_profile(
    "rdep", deadline=None, derandomize=True, max_examples=60, print_blob=True
)
hypothesis.settings.load_profile("rdep")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of the paper's data sets; RDEP_DATA_DIR names another."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("RDEP_DATA_DIR", beside))
    if not folder.is_dir():
        message = f"the paper's data sets are not at {folder}: set RDEP_DATA_DIR to their folder"
        cannot_run(message)
    return folder


@pytest.fixture(scope="session")
def problems():
    """200 training problems of many kinds."""
    return random_problems(200)
