"""Kernels: decision values of SVCs by matrix products, and a classifier on landmarks."""

from ._evaluation import FARTHEST_EXPONENT as FARTHEST_EXPONENT
from ._evaluation import Kernel, can_evaluate, decision_values, kernel_blocks
from ._evaluation import union_of_supports as union_of_supports
from ._landmark_passes import fit_landmarks_by_passes as fit_landmarks_by_passes
from ._landmark_passes import left_out_values as left_out_values
from ._landmarks import LandmarkClassifier

__all__ = ["Kernel", "LandmarkClassifier", "can_evaluate", "decision_values", "kernel_blocks"]
