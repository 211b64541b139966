"""How much of a fitted model there is to read: the number of its conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted


def n_conditions(model: Any) -> int:
    """Number of conditions that a person has to read to know a fitted model as a whole.

    Counted are the split nodes of a tree, the finite faces of boxes (a bound on a feature that
    every training sample meets is none, where the ranges of the training samples are known), and
    the non-zero coefficients of linear terms. Intercepts, β and the values of leaves are not
    counted, in any model. One face in two boxes counts twice.

    Parameters
    ----------
    model : estimator
        A fitted classifier of this package on features, a tree, a linear model, a pipeline or a
        search around one of them, or any model that states an ``n_conditions_`` of its own.

    Returns
    -------
    int

    Examples
    --------
    >>> from rdep import LinearDEPClassifier
    >>> from rdep.inspection import n_conditions
    >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1]
    >>> n_conditions(LinearDEPClassifier((1, 1)).fit(X, y))
    4
    """
    check_is_fitted(model)
    if isinstance(model, Pipeline):
        return n_conditions(model[-1])
    if hasattr(model, "best_estimator_"):
        return n_conditions(model.best_estimator_)
    if hasattr(model, "n_conditions_"):
        return int(model.n_conditions_)
    if hasattr(model, "tree_"):
        return int(np.count_nonzero(model.tree_.children_left >= 0))
    if hasattr(model, "coef_"):
        return int(np.count_nonzero(model.coef_))
    raise TypeError(
        f"{type(model).__name__} is not made of conditions on features, so that they cannot be "
        "counted: trees, rules, boxes and linear terms on features are"
    )
