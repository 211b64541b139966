"""Private names of scikit-learn (1.7 to 1.9) behind fitted trees and boosting."""

from sklearn.ensemble._gb import BaseGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.gradient_boosting import BaseHistGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree._tree import Tree

__all__ = [
    "PREDICTOR_RECORD_DTYPE",
    "BaseGradientBoosting",
    "BaseHistGradientBoosting",
    "Tree",
    "TreePredictor",
]
