"""Size of a fitted model: the number of its conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted


def n_conditions(model: Any) -> int:
    """Count the conditions that a person has to read to know a fitted model as a whole.

    Split nodes of a tree, finite faces of boxes and non-zero coefficients of linear terms are
    counted. A face that is in two boxes counts twice. If the training ranges are known, a bound
    that every training sample satisfies is not counted. Intercepts, β and leaf values are never
    counted.

    Parameters
    ----------
    model : estimator
        A fitted classifier of this package on features, a tree, a linear model, any model with an
        attribute ``n_conditions_``, or a pipeline or search around one of them.

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
        f"{type(model).__name__} does not consist of conditions on features: only trees, rules, "
        "boxes and linear terms have conditions to count"
    )
