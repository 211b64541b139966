"""Dilation-erosion perceptrons: morphological classifiers for scikit-learn, trained exactly."""

from .bagging import BaggingOrdering
from .dep import DEPClassifier
from .dep_cv import DEPClassifierCV
from .feature_orderings import BoxesOrdering, SignedOrdering
from .large import LargeOrdering
from .lattice import dilation, erosion
from .mixed import MixedOrdering
from .ordering import EnsembleOrdering
from .perceptron import MorphologicalPerceptron
from .reduced import RDEPClassifier

__version__ = "0.1.0"

__all__ = [
    "BaggingOrdering",
    "BoxesOrdering",
    "DEPClassifier",
    "DEPClassifierCV",
    "EnsembleOrdering",
    "LargeOrdering",
    "MixedOrdering",
    "MorphologicalPerceptron",
    "RDEPClassifier",
    "SignedOrdering",
    "dilation",
    "erosion",
]
