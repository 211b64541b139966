"""How much of a fitted model there is to read: the number of its conditions."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from ._rules import MulticlassRule, Rule


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
    if hasattr(model, "_by_class") and len(model.classes_) > 2:  # one against the rest
        return sum(map(n_conditions, model.estimators_))
    if hasattr(model, "tree_"):
        return int(np.count_nonzero(model.tree_.children_left >= 0))
    if hasattr(model, "boxes_"):
        excluded = model._excluded() if hasattr(model, "_excluded") else []
        return sum(int(np.isfinite(boxes).sum()) for boxes in (*model.boxes_, *excluded))
    if hasattr(model, "dilation_coef_"):
        return int(np.count_nonzero(model.dilation_coef_) + np.count_nonzero(model.erosion_coef_))
    if hasattr(model, "rules"):
        try:
            return _of_rule(model.rules())
        except ValueError as error:  # members of an ordering are classifiers themselves
            raise _unknown(model) from error
    if hasattr(model, "coef_"):
        return int(np.count_nonzero(model.coef_))
    raise _unknown(model)


def _of_rule(rule: Rule | MulticlassRule) -> int:
    if isinstance(rule, MulticlassRule):
        return sum(map(_of_rule, rule.by_class.values()))
    boxes = [rule.positive] if rule.beta < 1 else []  # with β = 1 the other alone decides
    boxes += [rule.negative] if rule.beta > 0 else []
    return sum(condition.n_bounds for box in boxes for condition in box.conditions)


def _unknown(model: Any) -> TypeError:
    return TypeError(
        f"{type(model).__name__} is not made of conditions on features, so that they cannot be "
        "counted: trees, rules, boxes and linear terms on features are"
    )
