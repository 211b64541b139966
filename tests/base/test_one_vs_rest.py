"""More than two classes: each against the rest."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from rdep import DEPClassifier, MorphologicalPerceptron, RitterSussnerClassifier
from rdep._base._one_vs_rest import weights_against_the_rest

X, Y = load_iris(return_X_y=True)


def test_each_class_has_the_decision_value_of_a_fit_against_the_rest():
    model = MorphologicalPerceptron().fit(X, Y)
    values = model.decision_function(X)
    for k, label in enumerate(model.classes_):
        alone = MorphologicalPerceptron().fit(X, label == Y)
        assert np.array_equal(values[:, k], alone.decision_function(X))
    assert np.array_equal(model.predict(X), np.argmax(values, axis=1))
    assert model.n_iter_ == max(part.n_iter_ for part in model.estimators_)


class Rounded(DEPClassifier):
    """A DEP whose decision values are rounded."""

    def _rounding(self):
        return 1e-9


def test_of_values_equal_up_to_rounding_the_first_class_wins(monkeypatch):
    model = Rounded().fit(X, Y)
    rows = np.array([[0.5, 0.5 + 1e-10, -1.0], [0.5, 0.5 + 1e-8, 0.5], [-2.0, -1.0, -1.0 + 1e-12]])
    for part, column in zip(model.estimators_, rows.T, strict=True):
        monkeypatch.setattr(part, "_decide", lambda X, column=column: column)
    assert model.predict(X[:3]).tolist() == [0, 1, 1]
    assert model.decision_function(X[:3]).argmax(axis=1).tolist() == [0, 1, 1]


def test_weights_of_the_rest_are_averaged_over_samples():
    y = np.array(["a", "b", "b", "c"])
    costs = {"a": 2.0, "b": 4.0}
    assert weights_against_the_rest(costs, "a", y, None) == {True: 2.0, False: (4 + 4 + 1) / 3}
    sample_weight = np.array([1.0, 0.0, 1.0, 3.0])
    assert weights_against_the_rest(costs, "a", y, sample_weight) == {
        True: 2.0,
        False: (4 * 1 + 1 * 3) / 4,
    }


def test_zero_belongs_to_the_class_that_the_model_says():
    samples, y = [[0.0], [1.0]], [0, 1]
    closed = RitterSussnerClassifier().fit(samples, y)
    assert closed.decision_function([[0.0]]) == [-np.finfo(float).tiny]
    assert closed.predict([[0.0]]) == [0]
    positive = MorphologicalPerceptron("erosion", margin=0.0).fit(samples, y)
    at_zero = [[-positive.weights_[0]]]
    assert 0 < positive.decision_function(at_zero)[0] <= np.finfo(float).tiny
    assert positive.predict(at_zero) == [1]


def test_what_is_for_two_classes_says_whom_to_ask():
    model = DEPClassifier().fit(X, Y)
    with pytest.raises(ValueError, match="two classes, this model has 3"):
        model.certify(X, Y)
    assert set(model.estimators_[2].certify(X, Y == 2, time_limit=0.1)) == {"dilation", "erosion"}
