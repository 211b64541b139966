"""Private names of scikit-learn (1.7 to 1.9) for estimators made of named estimators."""

from sklearn.utils._repr_html.estimator import _VisualBlock
from sklearn.utils.metaestimators import _BaseComposition

__all__ = ["_BaseComposition", "_VisualBlock"]
