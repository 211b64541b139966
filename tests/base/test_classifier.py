"""What all classifiers share."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from rdep import all_estimators
from rdep._base._classifier import BaseClassifier


class Nearest(BaseClassifier):
    """The smallest example: the class of the nearer mean."""

    def __init__(self, class_weight=None):
        self.class_weight = class_weight

    _parameter_constraints = {"class_weight": [dict, None]}

    def _fit(self, X, y, sample_weight):
        self.means_ = [
            np.average(
                X[y == label],
                axis=0,
                weights=None if sample_weight is None else sample_weight[y == label],
            )
            for label in self.classes_
        ]

    def _decision_values(self, X):
        values = -np.column_stack([np.abs(X - mean).sum(axis=1) for mean in self.means_])
        return values[:, 1] - values[:, 0] if len(self.classes_) == 2 else values


def test_two_classes_by_sign_and_more_by_the_largest_value():
    X = [[0.0], [1.0], [5.0]]
    two = Nearest().fit(X, ["no", "no", "yes"])
    assert two.decision_function(X).shape == (3,)
    assert two.predict(X).tolist() == ["no", "no", "yes"]
    three = Nearest().fit(X, ["c", "b", "a"])
    assert three.decision_function(X).shape == (3, 3)
    assert three.predict(X).tolist() == ["c", "b", "a"]


def test_weights_reach_the_fit():
    model = Nearest().fit([[0.0], [4.0], [9.0]], [0, 0, 1], sample_weight=[3, 1, 1])
    assert model.means_[0] == [1.0]


def test_class_weights_are_checked_before_the_fit():
    model = Nearest(class_weight={2: 1.0})
    with pytest.raises(ValueError, match=r"y does not have: \[2\]"):
        model.fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(NotFittedError):
        model.predict([[0.0]])


@pytest.mark.parametrize(("name", "kind"), all_estimators("classifier"))
def test_every_classifier_of_the_package_is_one(name, kind):
    assert issubclass(kind, BaseClassifier)
    assert kind.__module__ == "rdep"
