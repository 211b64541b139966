"""Training of morphological perceptrons: the paper's optimisation problems.

Every convex-concave step is minimised exactly; training ends at a critical point.
"""

from ._beta import LOSSES, best_combination
from ._certify import certify_globally
from ._joint import train_jointly
from ._problem import DilationProblem
from ._results import JointResult, OptimalityCertificate, TrainingResult
from ._samples import WEIGHTINGS, TrainingSet, canonical_order
from ._settings import OPERATORS, REFERENCES, SOLVERS, Objective, Procedure
from ._train import train

__all__ = [
    "LOSSES",
    "OPERATORS",
    "REFERENCES",
    "SOLVERS",
    "WEIGHTINGS",
    "DilationProblem",
    "JointResult",
    "Objective",
    "OptimalityCertificate",
    "Procedure",
    "TrainingResult",
    "TrainingSet",
    "best_combination",
    "canonical_order",
    "certify_globally",
    "train",
    "train_jointly",
]
