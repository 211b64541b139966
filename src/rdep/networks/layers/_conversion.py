"""Conversion of a fitted DEP classifier to a layer and back, for both kinds of training."""

from __future__ import annotations

import numpy as np
import torch
from sklearn.utils.validation import check_is_fitted
from torch import nn

from ...perceptrons import DEPClassifier
from ._dep import DEP


def dep_layer(classifier: DEPClassifier) -> DEP:
    """Create a layer with the weights of a fitted classifier, for fine-tuning by gradients.

    Parameters
    ----------
    classifier : DEPClassifier
        The fitted classifier. It must not negate any feature (``monotonic_cst``).

    Returns
    -------
    DEP
        The layer, in double precision. It has one output for two classes, whose sign decides, or
        one for each of more than two. β is trained unless it is a parameter of the classifier.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> from rdep.networks import MorphologicalNetworkClassifier
    >>> from rdep.networks.layers import dep_classifier, dep_layer
    >>> X, X_test, y, y_test = load_ripley()
    >>> by_ccp = DEPClassifier().fit(X, y)
    >>> tuned = MorphologicalNetworkClassifier(dep_layer(by_ccp), loss="hinge", random_state=0)
    >>> layer = tuned.fit(X, y).module()
    >>> bool((dep_classifier(layer, by_ccp.classes_).predict(X) == tuned.predict(X)).all())
    True
    """
    check_is_fitted(classifier)
    parts = [classifier] if len(classifier.classes_) == 2 else classifier.estimators_
    if any((part.orientation_ < 0).any() for part in parts):
        raise ValueError(
            "the classifier negates some features (monotonic_cst), but a DEP layer cannot: "
            "negate them in X, and fit without monotonic_cst"
        )
    layer = DEP(classifier.n_features_in_, len(parts), beta=classifier.beta).double()
    with torch.no_grad():
        for name, values in (
            ("dilation_weights", [part.dilation_weights_ for part in parts]),
            ("erosion_weights", [part.erosion_weights_ for part in parts]),
            ("beta", [part.beta_ for part in parts]),
        ):
            getattr(layer, name).copy_(torch.from_numpy(np.array(values)))
    return layer


def dep_classifier(layer: DEP, classes, feature_names=None) -> DEPClassifier:
    """Create a fitted classifier with the weights of a layer.

    Parameters
    ----------
    layer : DEP
        The layer, with one output for two classes, or one for each of more than two.
    classes : array-like of shape (n_classes,)
        The class labels in ascending order; the second of two is the positive class.
    feature_names : array-like of str, default=None
        Names of the features.

    Returns
    -------
    DEPClassifier
        The classifier. It predicts, explains its predictions, and can be saved or exported to
        ONNX. It has no training results and no certificates.
    """
    classes = np.unique(np.asarray(classes))
    n_outputs = 1 if len(classes) == 2 else len(classes)
    if len(classes) < 2 or layer.out_features != n_outputs:
        raise ValueError(
            f"a layer of {layer.out_features} outputs does not fit {len(classes)} classes: two "
            "classes need one output, more than two need one output each"
        )
    weights, betas = _arrays(layer)
    given = None if isinstance(layer.beta, nn.Parameter) else float(betas[0])
    parts = []
    for k in range(layer.out_features):
        part = DEPClassifier(beta=given)
        part.classes_ = classes if len(classes) == 2 else np.array([False, True])
        part.dilation_weights_, part.erosion_weights_ = weights[0][k], weights[1][k]
        part.features_, part.orientation_ = np.arange(layer.in_features), np.ones(layer.in_features)
        part.prior_, part.missing_ = 0.0, False
        part.beta_, part.beta_interval_ = float(betas[k]), (float(betas[k]),) * 2
        part.dilation_result_ = part.erosion_result_ = part.joint_result_ = None
        parts.append(_named(part, layer, feature_names))
    if len(classes) == 2:
        return parts[0]
    whole = _named(DEPClassifier(beta=given), layer, feature_names)
    whole.classes_, whole.estimators_ = classes, parts
    return whole


def _arrays(layer: DEP):
    """Weights of both operators, and β in [0, 1], in double precision."""
    with torch.no_grad():
        both = [layer.dilation_weights, layer.erosion_weights]
        return [w.double().numpy().copy() for w in both], layer.beta.double().clamp(0, 1).numpy()


def _named(classifier: DEPClassifier, layer: DEP, feature_names) -> DEPClassifier:
    classifier.n_features_in_ = layer.in_features
    classifier.n_iter_ = 0
    if feature_names is not None:
        classifier.feature_names_in_ = np.asarray(feature_names, dtype=object)
    return classifier
