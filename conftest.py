"""Doctests of classes that are public in ``rdep`` are found there, once they are imported."""

from importlib.util import find_spec

import rdep

for name in rdep.__all__:
    getattr(rdep, name)

_NEEDS_PYTORCH = "rdep.networks.MorphologicalNetworkClassifier"

# What needs PyTorch is tested by `make test-torch`.
if find_spec("torch") is None:
    collect_ignore_glob = [
        "src/rdep/networks/layers/*",
        *(f"src/rdep/networks/_{name}.py" for name in ("architectures", "losses", "training")),
    ]

    # Not skipped: pytest cannot tell the line of a doctest that stands elsewhere.
    def pytest_collection_modifyitems(config, items):
        needing = [item for item in items if item.name.startswith(_NEEDS_PYTORCH)]
        config.hook.pytest_deselected(items=needing)
        items[:] = [item for item in items if item not in needing]
