"""Kernels: decision values of SVCs by matrix products, and a classifier on landmarks."""

from ._evaluation import Kernel, can_evaluate, decision_values, kernel_blocks
from ._landmarks import LandmarkClassifier

__all__ = ["Kernel", "LandmarkClassifier", "can_evaluate", "decision_values", "kernel_blocks"]
