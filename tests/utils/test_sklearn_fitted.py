"""Private attributes of scikit-learn's estimators: what they hold, and who reads them."""

import re

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.svm import SVC

from rdep._utils._sklearn_fitted import boosted_trees, boosting_baseline, svc_gamma
from rdep.datasets import load_ripley

from ..places import SOURCE

X, _, Y, _ = load_ripley()
PRIVATE = re.compile(r"\._(predictors|baseline_prediction|preprocessor|gamma|sample_weight)\b")


def test_trees_and_baseline_add_up_to_the_decision():
    model = HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=2, min_samples_leaf=125)
    model.fit(X, Y)
    leaves = [tree.nodes["value"][tree.nodes["is_leaf"] != 0] for (tree,) in boosted_trees(model)]
    sums = boosting_baseline(model).item() + np.sum(np.meshgrid(*leaves), axis=0).ravel()
    found = np.unique(model.decision_function(X))
    assert len(leaves) == 3
    assert all(np.isclose(value, sums).any() for value in found)


def test_gamma_is_that_of_the_formula():
    assert svc_gamma(SVC(gamma="scale").fit(X, Y)) == 1 / (2 * X.var())
    assert svc_gamma(SVC(gamma=0.7).fit(X, Y)) == 0.7


def test_private_attributes_are_read_in_utils_only():
    found = [
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0] not in ("_utils", "experiment")
        for line in path.read_text("utf-8").splitlines()
        if PRIVATE.search(line.replace("self._", "")) and not line.startswith("from ")
    ]
    assert not found
