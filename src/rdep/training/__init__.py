"""Training of morphological perceptrons: the paper's optimisation problems.

Every convex-concave step is minimised exactly; training ends at a critical point.

References
----------
A. L. Yuille and A. Rangarajan, "The concave-convex procedure", Neural Computation 15(4), 2003.

X. Shen, S. Diamond, Y. Gu and S. Boyd, "Disciplined convex-concave programming", IEEE Conference on
Decision and Control, 2016.

V. Charisopoulos and P. Maragos, "Morphological perceptrons: geometry and training algorithms",
ISMM 2017.

M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
2020.

A. L. Oliveira and M. E. Valle, "Linear dilation-erosion perceptron trained using a convex-concave
procedure", arXiv 2011.06512, 2020.
"""

from ._beta import LOSSES, best_combination
from ._beta_passes import Combination as Combination
from ._beta_passes import best_beta_by_passes as best_beta_by_passes
from ._dep_regression import DEPRegressionResult as DEPRegressionResult
from ._dep_regression import train_dep_regression as train_dep_regression
from ._global_search import certify_globally
from ._joint import train_jointly
from ._passes import MOST_KEPT as MOST_KEPT
from ._passes import MOST_PASSES as MOST_PASSES
from ._passes import START_ROWS as START_ROWS
from ._passes import descend_by_passes as descend_by_passes
from ._passes import kept_rows as kept_rows
from ._problem import DilationProblem
from ._results import INTERRUPTED as INTERRUPTED
from ._results import ITERATION_LIMIT as ITERATION_LIMIT
from ._results import JointResult, OptimalityCertificate, TrainingResult
from ._sample import SampledRows as SampledRows
from ._sample import random_numbers as random_numbers
from ._samples import WEIGHTINGS, TrainingSet, canonical_order
from ._samples import ClassSamples as ClassSamples
from ._samples import penalty_weights as penalty_weights
from ._settings import AUTO as AUTO
from ._settings import OPERATORS, REFERENCES, SOLVERS, Objective, Procedure
from ._targets import TargetSet
from ._train import train
from .affine._settings import (
    AFFINE_LOSSES,
    REGRESSION_LOSSES,
    AffineObjective,
    AffineProcedure,
    AffineRegression,
    AffineResult,
)
from .affine._train import rough_path as rough_path
from .affine._train import train_affine
from .boxes._ccp import BOX_SOLVERS as BOX_SOLVERS
from .boxes._ccp import TrainedBoxes as TrainedBoxes
from .boxes._ccp import train_boxes as train_boxes
from .boxes._problem import BoxProblem as BoxProblem
from .boxes._problem import BoxUnits as BoxUnits
from .boxes._starts import start_boxes as start_boxes

__all__ = [
    "AFFINE_LOSSES",
    "LOSSES",
    "OPERATORS",
    "REFERENCES",
    "REGRESSION_LOSSES",
    "SOLVERS",
    "WEIGHTINGS",
    "AffineObjective",
    "AffineProcedure",
    "AffineRegression",
    "AffineResult",
    "DilationProblem",
    "JointResult",
    "Objective",
    "OptimalityCertificate",
    "Procedure",
    "TargetSet",
    "TrainingResult",
    "TrainingSet",
    "best_combination",
    "canonical_order",
    "certify_globally",
    "train",
    "train_affine",
    "train_jointly",
]
