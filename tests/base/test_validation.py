"""Samples, classes and weights: what is taken, and what is said of the rest."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from rdep import DEPClassifier, EnsembleOrdering
from rdep._base._validation import (
    check_classes,
    check_weights,
    class_costs,
    feature_names,
    validate_samples,
    validate_training,
)

X = [[1, 2], [3, 4], [5, 6]]


def test_samples_become_arrays_and_names_are_noted():
    estimator = DEPClassifier()
    frame = pd.DataFrame(X, columns=["age", "income"])
    samples, y, weight, classes = validate_training(estimator, frame, ["a", "b", "a"], [1, 2, 0])
    assert samples.dtype == np.float64
    assert samples.tolist() == X
    assert y.tolist() == ["a", "b", "a"]
    assert weight.tolist() == [1.0, 2.0, 0.0]
    assert classes.tolist() == ["a", "b"]
    assert estimator.n_features_in_ == 2
    assert feature_names(estimator).tolist() == ["age", "income"]


def test_without_names_features_are_numbered():
    estimator = DEPClassifier()
    validate_training(estimator, X, [0, 1, 1], None)
    assert feature_names(estimator).tolist() == ["x0", "x1"]


@pytest.mark.parametrize("kind", [int, np.uint8, bool, str])
def test_two_values_are_two_classes_whatever_they_are(kind):
    y = np.array([0, 1, 0, 1]).astype(kind)
    *_, classes = validate_training(DEPClassifier(), np.arange(8.0).reshape(4, 2), y, None)
    assert classes.tolist() == np.unique(y).tolist()


@pytest.mark.parametrize(
    ("y", "error"),
    [([0.1, 0.7, 0.1, 0.7], ValueError), (np.array([b"a", b"b", b"a", b"b"]), TypeError)],
)
def test_what_scikit_learn_does_not_take_for_classes_is_refused(y, error):
    with pytest.raises(error):
        validate_training(DEPClassifier(), np.arange(8.0).reshape(4, 2), y, None)


def test_samples_of_a_prediction_are_those_of_the_fit():
    estimator = DEPClassifier()
    validate_training(estimator, X, [0, 1, 1], None)
    assert validate_samples(estimator, X).tolist() == X
    with pytest.raises(ValueError, match="3 features, but DEPClassifier"):
        validate_samples(estimator, [[1, 2, 3]])


def test_sparse_samples_only_where_the_estimator_takes_them():
    with pytest.raises(ValueError, match=r"DEPClassifier needs dense samples, .* X.toarray\(\)"):
        validate_training(DEPClassifier(), csr_array(X), [0, 1, 1], None)
    samples, *_ = validate_training(EnsembleOrdering(), csr_array(X), [0, 1, 1], None)
    assert samples.toarray().tolist() == X


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0, 0], "all sample weights are zero"),
        ([1, -1, 1], "[Nn]egative"),
        ([1, np.nan, 1], "NaN"),
        ([1, 1], "inconsistent|shape"),
    ],
)
def test_mistakes_in_weights(weights, message):
    with pytest.raises(ValueError, match=message):
        check_weights(weights, np.array(X))


def test_a_class_needs_samples_with_weight():
    y = np.array(["a", "b", "b"])
    assert check_classes(y, None).tolist() == ["a", "b"]
    assert check_classes(y, np.array([1.0, 0.0, 1.0])).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match=r"class \['b'\] has zero weight"):
        check_classes(y, np.array([1.0, 0.0, 0.0]))
    with pytest.raises(ValueError, match=r"one class only, \['b'\]"):
        check_classes(y[1:], None)


def test_classes_without_a_cost_have_cost_one():
    assert class_costs({"b": 3}, np.array(["a", "b"])) == {"a": 1.0, "b": 3.0}


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"c": 1.0}, r"y does not have: \['c'\]; y has \['a', 'b'\]"),
        ({"a": 0.0}, "positive finite"),
        ({"a": np.inf}, "positive finite"),
    ],
)
def test_mistakes_in_class_weights(costs, message):
    with pytest.raises(ValueError, match=message):
        class_costs(costs, np.array(["a", "b"]))
