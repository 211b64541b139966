"""Training of morphological perceptrons: the paper's optimisation problems, solved exactly."""

from .beta import LOSSES, best_combination
from .ccp import (
    OPERATORS,
    SOLVERS,
    OptimalityCertificate,
    TrainingResult,
    certify_globally,
    dilation_problem,
    train,
)
from .problem import REFERENCES, WEIGHTINGS, TrainingSet

__all__ = [
    "LOSSES",
    "OPERATORS",
    "REFERENCES",
    "SOLVERS",
    "WEIGHTINGS",
    "OptimalityCertificate",
    "TrainingResult",
    "TrainingSet",
    "best_combination",
    "certify_globally",
    "dilation_problem",
    "train",
]
