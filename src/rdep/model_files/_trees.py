"""Validation of trees in model files: no prediction may read outside their arrays.

scikit-learn's compiled code follows the indices of nodes and features in a tree without bounds
checks. A crafted file could make it read arbitrary memory or loop for ever. All trees of a loaded
model are therefore validated before it predicts anything.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.tree import BaseDecisionTree

from .._utils._sklearn_fitted import (
    BOOSTED_TREES,
    boosted_trees,
    boosting_baseline,
    encodes_categories,
    is_amid_fit,
)
from .._utils._sklearn_trees import (
    PREDICTOR_RECORD_DTYPE,
    BaseGradientBoosting,
    BaseHistGradientBoosting,
    Tree,
    TreePredictor,
)
from .._utils._typing import Mask

__all__ = ["TREE_TYPES", "check_methods", "tree_parts"]

TREE_TYPES = (Tree, TreePredictor)


def tree_parts(value: Any) -> list[Any] | None:
    """Check the trees of an estimator and return its other parts; None if it owns no trees."""
    if isinstance(value, BaseDecisionTree):
        return _parts_of_owner(value, "tree_", _check_tree)
    if isinstance(value, BaseHistGradientBoosting):
        return _parts_of_owner(value, BOOSTED_TREES, _check_boosting)
    if isinstance(value, BaseGradientBoosting):
        # Its compiled code follows the nodes of any trees, for X of any width.
        raise ValueError(
            f"a safe model file cannot hold {type(value).__name__}: use a "
            "HistGradientBoostingClassifier"
        )
    # The owner of a tree ensures that X has the number of features that the tree was checked for.
    if isinstance(value, TREE_TYPES) or any(value is kind for kind in TREE_TYPES):
        raise ValueError("it holds a tree outside of a decision tree or boosting")
    return None


def _parts_of_owner(owner: BaseEstimator, name: str, check: Callable[[Any], None]) -> list[Any]:
    attributes = vars(owner)
    if name in attributes:
        check_methods(owner)
        if type(owner.n_features_in_) is not int:
            raise ValueError(f"{type(owner).__name__} has no valid number of features")
        check(owner)
    return [value for own, value in attributes.items() if own != name]


def check_methods(value: Any) -> None:
    """Refuse an object whose attributes replace methods of its class."""
    if any(callable(getattr(type(value), own, None)) for own in vars(value)):
        raise ValueError(f"it replaces methods of {type(value).__name__}")


def _check_tree(owner: BaseDecisionTree) -> None:
    tree = owner.tree_
    if type(tree) is not Tree or tree.node_count < 1:
        raise ValueError(f"{type(owner).__name__} holds a tree without nodes")
    n_classes = getattr(owner, "n_classes_", 1)
    if (
        tree.n_outputs != 1
        or tree.n_classes.tolist() != [n_classes]
        or tree.value.shape != (tree.node_count, 1, n_classes)
        or tree.n_features != owner.n_features_in_
    ):
        raise ValueError(f"{type(owner).__name__} holds a tree for other classes or features")
    is_leaf = tree.children_left == -1
    if not np.array_equal(is_leaf, tree.children_right == -1):
        raise ValueError("a node of a tree has one child only")
    _check_nodes(tree.children_left, tree.children_right, is_leaf, tree.feature, tree.n_features)
    # The tree reserves memory for paths according to its depth.
    if not tree.compute_node_depths().max() - 1 <= tree.max_depth <= tree.node_count:
        raise ValueError("a tree is deeper than its recorded depth")


def _check_boosting(owner: BaseHistGradientBoosting) -> None:
    if encodes_categories(owner):
        raise ValueError(
            f"a safe model file cannot hold {type(owner).__name__} with categorical features: "
            "encode them as numbers"
        )
    iterations = boosted_trees(owner)
    if (
        is_amid_fit(owner)  # the width of X would then not be checked
        or boosting_baseline(owner).shape != (1, owner.n_trees_per_iteration_)
        or type(iterations) is not list
        or any(type(trees) is not list for trees in iterations)
    ):
        raise ValueError(f"{type(owner).__name__} is not in the state of a fitted estimator")
    for tree in chain.from_iterable(iterations):
        if type(tree) is not TreePredictor:
            raise ValueError(f"{type(owner).__name__} holds objects other than trees")
        _check_predictor(tree.nodes, owner.n_features_in_)


def _check_predictor(nodes: NDArray[Any], n_features: int) -> None:
    if (
        type(nodes) is not np.ndarray
        or nodes.dtype != PREDICTOR_RECORD_DTYPE
        or nodes.ndim != 1
        or len(nodes) < 1
    ):
        raise ValueError("a tree has no valid nodes")
    if nodes["is_categorical"].any():
        raise ValueError("a tree splits by categories of a feature without categories")
    is_leaf = nodes["is_leaf"] != 0
    _check_nodes(nodes["left"], nodes["right"], is_leaf, nodes["feature_idx"], n_features)


def _check_nodes(
    left: NDArray[Any], right: NDArray[Any], is_leaf: Mask, feature: NDArray[Any], n_features: int
) -> None:
    """Check that every node but the first is the child of exactly one node before it."""
    parents = np.flatnonzero(~is_leaf)
    children = np.concatenate([left[parents], right[parents]])
    if (
        not np.array_equal(np.sort(children), np.arange(1, len(is_leaf)))
        or (children <= np.tile(parents, 2)).any()
    ):
        raise ValueError("the nodes of a tree do not form a tree")
    if ((feature[parents] < 0) | (feature[parents] >= n_features)).any():
        raise ValueError("a tree splits by a feature that does not exist")
