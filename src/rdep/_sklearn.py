"""The private scikit-learn names this package relies on, imported here and nowhere else."""

from sklearn.base import _fit_context
from sklearn.ensemble._gb import BaseGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.gradient_boosting import BaseHistGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.externals._arff import ArffException
from sklearn.externals._arff import loads as _loads
from sklearn.tree._tree import Tree
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils._repr_html.estimator import _VisualBlock
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.validation import _check_feature_names_in, _check_sample_weight

__all__ = [
    "PREDICTOR_RECORD_DTYPE",
    "ArffException",
    "BaseGradientBoosting",
    "BaseHistGradientBoosting",
    "HasMethods",
    "Interval",
    "StrOptions",
    "Tree",
    "TreePredictor",
    "_BaseComposition",
    "_VisualBlock",
    "_check_feature_names_in",
    "_check_sample_weight",
    "_fit_context",
    "load_arff_text",
]


def load_arff_text(text: str) -> dict:
    """Parse ARFF with the parser that ``fetch_openml`` uses; nominal values become their codes."""
    return _loads(text, encode_nominal=True)
