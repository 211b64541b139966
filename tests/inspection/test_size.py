"""The number of conditions of a fitted model, counted by hand."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rdep import CompetitiveClassifier, DEPClassifier, LinearDEPClassifier, RDEPClassifier
from rdep.inspection import n_conditions


@pytest.fixture(scope="module")
def samples():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X[:, :5]), y


def test_trees_have_one_less_than_leaves(samples):
    tree = DecisionTreeClassifier(max_leaf_nodes=7, random_state=0).fit(*samples)
    assert n_conditions(tree) == tree.get_n_leaves() - 1 == 6
    search = GridSearchCV(make_pipeline(tree), {"decisiontreeclassifier__max_depth": [1]}, cv=2)
    assert n_conditions(search.fit(*samples)) == 1


def test_linear_terms_that_are_not_zero(samples):
    sparse = LogisticRegression(l1_ratio=1, C=0.02, solver="liblinear").fit(*samples)
    assert 0 < n_conditions(sparse) == np.count_nonzero(sparse.coef_) < 5
    assert n_conditions(LinearDEPClassifier((2, 1)).fit(*samples)) == 3 * 5


def test_faces_of_boxes():
    X, y = [[0, 0], [1, 1], [2, 3], [3, 2]], [0, 0, 1, 1]
    assert n_conditions(CompetitiveClassifier().fit(X, y)) == 2 * 4
    constant = [[*x, 7.0] for x in X]
    assert n_conditions(CompetitiveClassifier().fit(constant, y)) == 2 * 4
    # One operator alone decides with β of 0 or 1.
    assert n_conditions(DEPClassifier(beta=1).fit(X, y)) == 2
    assert n_conditions(DEPClassifier(beta=0.5).fit(X, y)) == 4


def test_one_against_the_rest():
    X, y = load_iris(return_X_y=True)
    model = LinearDEPClassifier((1, 1)).fit(X, y)
    assert n_conditions(model) == 3 * 2 * 4


def test_members_are_no_conditions(samples):
    with pytest.raises(TypeError, match="not consist of conditions"):
        n_conditions(RDEPClassifier("ensemble").fit(*samples))
    rule = RDEPClassifier("signed").fit(*samples)
    found = rule.rules()
    assert n_conditions(rule) == len(found.positive.conditions) + len(found.negative.conditions)
