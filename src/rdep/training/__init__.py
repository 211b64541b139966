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
from .joint import JointResult, train_jointly
from .problem import REFERENCES
from .samples import WEIGHTINGS, TrainingSet, canonical_order

__all__ = [
    "LOSSES",
    "OPERATORS",
    "REFERENCES",
    "SOLVERS",
    "WEIGHTINGS",
    "JointResult",
    "OptimalityCertificate",
    "TrainingResult",
    "TrainingSet",
    "best_combination",
    "canonical_order",
    "certify_globally",
    "dilation_problem",
    "train",
    "train_jointly",
]
