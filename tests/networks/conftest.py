"""What needs PyTorch is tested where it is installed, by `make test-torch`."""

from importlib.util import find_spec

if find_spec("torch") is None:
    collect_ignore_glob = ["layers/*", "test_network_*.py"]
