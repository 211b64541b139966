"""Single-layer morphological perceptron of Ritter and Sussner, trained in closed form."""

from __future__ import annotations

import numpy as np

from .._base._record import FittedOperators
from .._base._validation import feature_names
from ..exceptions import DegenerateFitWarning, warn_caller
from ..inspection import OperatorClassifier
from ..lattice import dilation

# Warn if more than this share of the samples lies at the boundary, on its wrong side.
_LARGE_SHARE = 0.1


class RitterSussnerClassifier(OperatorClassifier):
    r"""Single-layer morphological perceptron of Ritter and Sussner, trained in closed form.

    The decision value is a dilation. The positive class is predicted if it is positive:

    .. math::

        \tau(x) = \max_j (x_j + w_j), \qquad w_j = -\max_{i \in N} x_{ij} .

    Training takes one pass over the negative samples, in any order. The points below their
    supremum form a box, which is predicted negative, so every negative training sample is
    classified correctly. Points outside the box are predicted positive. More than two classes are
    handled one against the rest.

    Read more in the :doc:`user guide </guide/boxes>`.

    Parameters
    ----------
    boxes : bool, default=False
        Whether to train on (x, −x), which closes the box on all sides (SLMP-box). The box is then
        the bounding box of the negative class.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,) or (2 * n_features,)
        Weights w; with ``boxes=True``, those of x followed by those of −x.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    estimators_ : list of RitterSussnerClassifier
        For more than two classes, instead of the weights: one classifier for each class against the
        rest.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X has names that are all strings.

    Warns
    -----
    DegenerateFitWarning
        If every training sample is predicted as the negative class, or if many positive samples lie
        at the boundary, which belongs to the negative class.

    See Also
    --------
    DendriteClassifier : Neurons with several boxes.
    MorphologicalPerceptron : A dilation or an erosion trained by the convex-concave procedure.
    DEPClassifier : Dilation-erosion perceptron.

    References
    ----------
    G. X. Ritter and P. Sussner, "An introduction to morphological neural networks", ICPR 1996.

    Examples
    --------
    >>> from rdep import RitterSussnerClassifier
    >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1]
    >>> perceptron = RitterSussnerClassifier().fit(X, y)
    >>> perceptron.weights_
    array([-1., -1.])
    >>> perceptron.predict([[1, 1], [0, 2], [-1, -1]])
    array([0, 1, 0])
    >>> RitterSussnerClassifier(boxes=True).fit(X, y).predict([[-1, -1]])
    array([1])
    """

    __module__ = "rdep"

    _parameter_constraints = {"boxes": ["boolean"]}

    def __init__(self, *, boxes=False):
        self.boxes = boxes

    def _fit_binary(self, X, y, sample_weight):
        negatives = y == self.classes_[0]
        if sample_weight is not None:
            negatives &= sample_weight > 0
        self.weights_ = -X[negatives].max(axis=0)
        if self.boxes:
            self.weights_ = np.concatenate([self.weights_, X[negatives].min(axis=0)])
        self._warn_if_degenerate(X, y == self.classes_[1], sample_weight)

    def _warn_if_degenerate(self, X, positive, sample_weight):
        """Warn if the box of the negative class holds the positive samples as well."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        values, total = self._decide(X), weights.sum()
        missed = positive & (values <= 0)
        at_boundary = weights[missed & (values == 0)].sum() / total
        if weights[missed].sum() == weights[positive].sum():
            label = self.classes_.tolist()[0]
            trouble = f"every training sample is predicted as class {label!r}"
        elif at_boundary > _LARGE_SHARE:
            trouble = (
                f"{at_boundary:.0%} of the training samples lie at the decision boundary, on its "
                "wrong side"
            )
        else:
            return
        # Suggest boxes=True only if lower faces would separate some of the missed samples.
        lower = X[~positive & (weights > 0)].min(axis=0)
        helps = not self.boxes and (X[missed & (weights > 0)] < lower).any()
        warn_caller(DegenerateFitWarning(trouble, {"boxes": True} if helps else {}))

    def _zero_is_positive(self):
        return False

    def _decide(self, X):
        return dilation(np.hstack([X, -X]) if self.boxes else X, self.weights_)

    def _fitted_operators(self):
        features, signs = np.arange(self.n_features_in_), np.ones(self.n_features_in_)
        if self.boxes:
            features, signs = np.tile(features, 2), np.concatenate([signs, -signs])
        return FittedOperators(
            title=self._title(f"{self.n_features_in_} features"),
            classes=tuple(self.classes_.tolist()),
            names=feature_names(self),
            features=features,
            orientation=signs,
            weights={"dilation": self.weights_},
            zero_is_positive=False,
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # a box for one class, whatever the other does
        return tags
