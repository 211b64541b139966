"""Partial dependence, beside scikit-learn's and beside models whose answer is known."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence
from sklearn.linear_model import LogisticRegression

from rdep import BoxScoreClassifier, DEPClassifier
from rdep.datasets import load_ripley
from rdep.scoring import dependence

from ..explorer.tables import fitted, table


@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_are_those_of_scikit_learn(n_classes):
    X, _, y, _ = load_ripley()
    y = y if n_classes == 2 else np.digitize(X.sum(axis=1), [0.3, 0.9])
    frame = pd.DataFrame(X, columns=["a", "b"])
    model = LogisticRegression().fit(frame, y)
    for found in dependence(model, frame, n_values=7):
        expected = partial_dependence(
            model,
            frame,
            [found.column],
            custom_values={found.column: found.values},
            response_method="predict_proba",
        )
        assert len(found.values) == 7
        assert found.values[[0, -1]].tolist() == [
            frame[found.column].min(),
            frame[found.column].max(),
        ]
        np.testing.assert_allclose(found.mean[:, -1], expected.average[-1], rtol=1e-12)
        np.testing.assert_allclose(found.mean.sum(axis=1), 1)


def test_without_probabilities_it_is_the_share_predicted():
    X = np.arange(20.0)[:, None]
    model = DEPClassifier().fit(X, X[:, 0] > 9)
    (found,) = dependence(model, X)
    assert not found.of_probabilities
    assert found.mean[:, 1].tolist() == model.predict(found.values[:, None]).tolist()


def test_columns_of_a_table(tmp_path):
    frame = table(4)
    model = fitted(frame, "score", tmp_path)
    size, colour = dependence(model, frame, ["size", "colour"], max_rows=100)
    assert set(colour.values) == set(frame.colour.dropna())
    assert size.mean[-1, 1] > size.mean[0, 1]
    red = colour.values.tolist().index("red")
    assert colour.mean[red, 1] == colour.mean[:, 1].max()
    with pytest.raises(ValueError, match="have no column 'price'"):
        dependence(model, frame, ["price"])


def test_rows_are_a_sample_of_many():
    X, _, y, _ = load_ripley()
    model = BoxScoreClassifier(2).fit(X, y)
    assert len(dependence(model, X, max_rows=10, n_values=200)[0].values) == 10
    assert len(dependence(model, X, n_values=200)[0].values) > 100
