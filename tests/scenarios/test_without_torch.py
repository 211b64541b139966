"""Without PyTorch: what needs it says so, and names the extra."""

from importlib import import_module
from importlib.util import find_spec

import pytest

from rdep.networks import MorphologicalNetworkClassifier

pytestmark = pytest.mark.skipif(find_spec("torch") is not None, reason="PyTorch is installed")
MISSING = "which is not installed or does not load"


def test_layers():
    with pytest.raises(ImportError) as refused:
        import_module("rdep.networks.layers")
    assert f"rdep.networks.layers needs torch, {MISSING}" in str(refused.value)
    assert "pip install 'rdep[torch]'" in str(refused.value)


def test_the_classifier():
    with pytest.raises(ImportError) as refused:
        MorphologicalNetworkClassifier().fit([[0.0], [1.0]], [0, 1])
    assert f"MorphologicalNetworkClassifier needs skorch, {MISSING}" in str(refused.value)
    assert "pip install 'rdep[torch]'" in str(refused.value)
