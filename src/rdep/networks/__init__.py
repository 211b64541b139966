"""Networks of dilations and erosions; layers and training on PyTorch are an extra."""

from ._network_classifier import MorphologicalNetworkClassifier

__all__ = ["MorphologicalNetworkClassifier"]
