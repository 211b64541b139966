"""Doctests of classes that are public in ``rdep`` are found there, once they are imported."""

from importlib.util import find_spec

import pytest

import rdep

for name in rdep.__all__:
    getattr(rdep, name)

# What needs PyTorch is tested by `make test-torch`.
if find_spec("torch") is None:
    collect_ignore_glob = [
        "src/rdep/networks/layers/*",
        *(f"src/rdep/networks/_{name}.py" for name in ("architectures", "losses", "training")),
    ]

    def pytest_collection_modifyitems(items):
        for item in items:
            if item.name.startswith("rdep.networks.MorphologicalNetworkClassifier"):
                item.add_marker(pytest.mark.skip(reason="needs PyTorch: make test-torch"))
