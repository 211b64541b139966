"""Tree ensembles as nodes: the same leaves as in scikit-learn, with values in double precision.

ONNX's operator for tree ensembles compares in double precision but sums in single precision. Here
it returns the index of the leaf in each tree, and the values are gathered by index.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

from .._utils._sklearn_fitted import boosted_trees, boosting_baseline
from .._utils._typing import Array
from ._graph import ML, Graph, onnx_package

# Maximum number of nodes in one operator, which visits all of its trees sample by sample: this
# many stay in the processor's cache.
_GROUP_NODES = 4000


@dataclass(frozen=True)
class _Tree:
    """Tree as arrays over its nodes; samples equal to the threshold go left."""

    left: NDArray
    right: NDArray
    is_leaf: NDArray
    feature: NDArray
    threshold: Array
    missing_left: NDArray
    value: Array


def forest_value(graph: Graph, forest, X: str) -> str:
    """Mean proportion of the positive class in the leaves, minus one half."""
    return graph.add("Sub", _mean_of_leaves(graph, forest, X, 1), np.array(0.5))


def forest_prediction(graph: Graph, forest, X: str) -> str:
    """Mean value of the leaves of a regression forest."""
    return _mean_of_leaves(graph, forest, X, 0)


def _mean_of_leaves(graph: Graph, forest, X: str, column: int) -> str:
    trees = [_of_forest(tree.tree_, column) for tree in getattr(forest, "estimators_", [forest])]
    # As in scikit-learn: X in single precision, thresholds in double precision.
    X = graph.cast(graph.cast(X, np.float32), np.float64)
    return graph.add("ReduceMean", _leaf_values(graph, trees, X), np.array([1]), keepdims=1)


def boosting_value(
    graph: Graph,
    boosting: HistGradientBoostingClassifier | HistGradientBoostingRegressor,
    X: str,
) -> str:
    """Log-odds of the positive class, or the prediction of a regressor."""
    if boosting.is_categorical_ is not None:
        raise ValueError(
            f"{type(boosting).__name__} with categorical features cannot be written as ONNX: "
            "encode them as numbers"
        )
    trees = [_of_boosting(iteration[0].nodes) for iteration in boosted_trees(boosting)]
    total = graph.add("ReduceSum", _leaf_values(graph, trees, X), np.array([1]), keepdims=1)
    return graph.add("Add", total, boosting_baseline(boosting))


def _of_forest(tree, column: int) -> _Tree:
    return _Tree(
        tree.children_left,
        tree.children_right,
        tree.children_left < 0,
        tree.feature,
        tree.threshold,
        tree.missing_go_to_left,
        tree.value[:, 0, column],
    )


def _of_boosting(nodes: NDArray) -> _Tree:
    return _Tree(
        nodes["left"],
        nodes["right"],
        nodes["is_leaf"] != 0,
        nodes["feature_idx"],
        nodes["num_threshold"],
        nodes["missing_go_to_left"],
        nodes["value"],
    )


def _leaf_values(graph: Graph, trees: list[_Tree], X: str) -> str:
    """Value of the leaf that each sample reaches, of shape (n_samples, n_trees)."""
    sizes = np.array([len(tree.value) for tree in trees])
    group_of = (np.cumsum(sizes) - sizes) // _GROUP_NODES
    groups = [np.flatnonzero(group_of == group) for group in np.unique(group_of)]
    leaves = graph.joined([_leaves(graph, [trees[k] for k in group], X) for group in groups])
    places = graph.add("Add", graph.cast(leaves, np.int64), np.cumsum(sizes) - sizes)
    return graph.add("Gather", np.concatenate([tree.value for tree in trees]), places)


def _leaves(graph: Graph, trees: list[_Tree], X: str) -> str:
    """Index of the leaf that each sample reaches in each tree, in single precision."""
    sizes = [len(tree.value) for tree in trees]
    of_tree = np.repeat(np.arange(len(trees)), sizes)
    of_node = np.concatenate([np.arange(size) for size in sizes])
    is_leaf = np.concatenate([tree.is_leaf for tree in trees])

    def inner(name: str) -> NDArray:
        return np.where(is_leaf, 0, np.concatenate([getattr(tree, name) for tree in trees]))

    from_array = onnx_package().numpy_helper.from_array
    return graph.add(
        "TreeEnsembleRegressor",
        X,
        domain=ML,
        n_targets=len(trees),
        nodes_treeids=of_tree,
        nodes_nodeids=of_node,
        nodes_modes=np.where(is_leaf, "LEAF", "BRANCH_LEQ").tolist(),
        nodes_featureids=inner("feature"),
        nodes_truenodeids=inner("left"),
        nodes_falsenodeids=inner("right"),
        nodes_missing_value_tracks_true=inner("missing_left"),
        nodes_values_as_tensor=from_array(inner("threshold").astype(np.float64), "thresholds"),
        target_treeids=of_tree[is_leaf],
        target_nodeids=of_node[is_leaf],
        target_ids=of_tree[is_leaf],
        # Single precision represents all integers up to 16 million.
        target_weights_as_tensor=from_array(of_node[is_leaf].astype(np.float64), "leaves"),
    )
