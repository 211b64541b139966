"""Without PyTorch: what needs it says so, and names the extra."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

pytestmark = pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
MISSING = "which is not installed or does not load"


def failing(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode
    return done.stderr


def test_layers():
    message = failing("import rdep.networks.layers")
    assert f"rdep.networks.layers needs torch, {MISSING}" in message
    assert "pip install 'rdep[torch]'" in message


@pytest.mark.parametrize("what", ["fit([[0.0], [1.0]], [0, 1])"])
def test_the_classifier(what):
    message = failing(f"from rdep.networks import MorphologicalNetworkClassifier as N\nN().{what}")
    assert f"MorphologicalNetworkClassifier needs skorch, {MISSING}" in message
    assert "pip install 'rdep[torch]'" in message


def test_all_else_is_there():
    code = "import rdep, rdep.networks, rdep.onnx, rdep.display; print(rdep.DEPClassifier())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "DEPClassifier()"
