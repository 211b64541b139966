"""Trees in ONNX Runtime against scikit-learn, where single precision would go astray."""

import numpy as np
import pytest
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from rdep.onnx import _tree_ensembles
from rdep.onnx._tree_ensembles import boosting_value, forest_value
from rdep.orderings import decision_values

from .running import run_graph

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 3))
GAPS = np.where(rng.random(X.shape) < 0.2, np.nan, X)
Y = (X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=300) > 0).astype(int)


def thresholds(member):
    """The features of all splits, and what they are compared with."""
    if isinstance(member, HistGradientBoostingClassifier):
        nodes = np.concatenate([trees[0].nodes for trees in member._predictors])
        inner = nodes[nodes["is_leaf"] == 0]
        return inner["feature_idx"], inner["num_threshold"]
    trees = [tree.tree_ for tree in getattr(member, "estimators_", [member])]
    feature = np.concatenate([tree.feature for tree in trees])
    return feature[feature >= 0], np.concatenate([tree.threshold for tree in trees])[feature >= 0]


def at_thresholds(member, base):
    """Samples at every threshold, and the next numbers in single and in double precision."""
    feature, threshold = thresholds(member)
    finite = np.isfinite(threshold)  # an infinite one parts the missing from the others
    feature, threshold = feature[finite], threshold[finite]
    single = threshold.astype(np.float32)
    beside = [np.nextafter(single, np.float32(way)) for way in (-np.inf, np.inf)]
    exact = [np.nextafter(threshold, way) for way in (-np.inf, np.inf)]
    rows = []
    for values in (threshold, single, *beside, *exact):
        samples = base[rng.integers(len(base), size=len(threshold))].copy()
        samples[np.arange(len(threshold)), feature] = values
        rows.append(samples)
    return np.concatenate(rows)


@pytest.mark.parametrize("values", [X, GAPS], ids=["complete", "gaps"])
@pytest.mark.parametrize(
    "member",
    [
        RandomForestClassifier(30, random_state=0),
        ExtraTreesClassifier(30, random_state=0),
        DecisionTreeClassifier(random_state=0),
        ExtraTreeClassifier(random_state=0),
        DecisionTreeClassifier(min_samples_leaf=200),
        HistGradientBoostingClassifier(max_iter=30),
        HistGradientBoostingClassifier(max_iter=3, min_samples_leaf=200),
    ],
    ids=["forest", "extra", "tree", "extra tree", "a leaf", "boosting", "leaves"],
)
def test_the_leaf_is_the_same_at_every_threshold(member, values):
    member.fit(values, Y)
    samples = np.concatenate([values, at_thresholds(member, values)])
    boosting = isinstance(member, HistGradientBoostingClassifier)
    write = boosting_value if boosting else forest_value
    found = run_graph(lambda graph, name: write(graph, member, name), samples)
    expected = decision_values(["member"], [member], samples)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("most", [1, 250, 10**6], ids=["by trees", "some trees", "all trees"])
def test_trees_in_several_operators_give_the_same(most, monkeypatch):
    monkeypatch.setattr(_tree_ensembles, "_GROUP_NODES", most)
    forest = RandomForestClassifier(12, random_state=0).fit(X, Y)
    found = run_graph(lambda graph, name: forest_value(graph, forest, name), X)
    np.testing.assert_allclose(found[:, 0], forest.predict_proba(X)[:, 1] - 0.5, atol=1e-13)


def test_categories_are_refused():
    codes = np.column_stack([np.arange(300) % 4, X])
    boosting = HistGradientBoostingClassifier(max_iter=3, categorical_features=[0]).fit(codes, Y)
    with pytest.raises(ValueError, match="categorical features cannot be written"):
        run_graph(lambda graph, name: boosting_value(graph, boosting, name), codes)
