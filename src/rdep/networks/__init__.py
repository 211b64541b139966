"""Networks of dilations and erosions; layers and training on PyTorch are an extra."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._network_classifier import MorphologicalNetworkClassifier

__all__ = ["MorphologicalNetworkClassifier"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from ._network_classifier import MorphologicalNetworkClassifier

        return MorphologicalNetworkClassifier
    raise AttributeError(f"module 'rdep.networks' has no attribute {name!r}")
