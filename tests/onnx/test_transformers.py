"""Single transformers in ONNX Runtime against scikit-learn."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.kernel_approximation import Nystroem
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from rdep.onnx._graph import Graph
from rdep.onnx._transformers import transformed

from .running import run_graph

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
GAPS = np.where(rng.random(X.shape) < 0.3, np.nan, X)
CODES = rng.integers(4, size=(40, 2)).astype(float)
TEXTS = rng.choice(np.array(["red", "blue", "grün", ""], dtype=object), size=(40, 2))
Y = X[:, 0] > 0


def run(transformer, values):
    return run_graph(lambda graph, X: transformed(transformer, graph, X), values)


@pytest.mark.parametrize(
    ("transformer", "values"),
    [
        (StandardScaler(), X),
        (StandardScaler(with_mean=False), X),
        (StandardScaler(with_std=False), X),
        (SimpleImputer(), GAPS),
        (SimpleImputer(strategy="median"), GAPS),
        (OneHotEncoder(sparse_output=False, handle_unknown="ignore"), CODES),
        (OneHotEncoder(sparse_output=False, handle_unknown="ignore"), TEXTS),
        (PolynomialFeatures(3), X),
        (PolynomialFeatures(2, interaction_only=True, include_bias=False), X),
        (Nystroem(n_components=15, random_state=0), X),
        (Nystroem("poly", n_components=8, degree=2, coef0=0.5, random_state=0), X),
        (Nystroem("linear", n_components=2, random_state=0), X),
        (PCA(2), X),
        (SelectKBest(k=2), X),
    ],
    ids=lambda item: repr(item)[:60] if hasattr(item, "fit") else "",
)
def test_a_transformer_gives_the_same(transformer, values):
    transformer.fit(values, Y)
    tolerance = 1e-12 if not isinstance(transformer, PCA) else 1e-5
    np.testing.assert_allclose(
        run(transformer, values), transformer.transform(values), rtol=tolerance, atol=tolerance
    )


def test_an_unknown_category_is_none_of_the_known():
    encoder = OneHotEncoder(sparse_output=False, handle_unknown="ignore").fit(TEXTS)
    new = np.array([["pink", "red"]], dtype=object)
    assert np.array_equal(run(encoder, new), encoder.transform(new))


def test_the_empty_text_is_a_missing_one():
    known = np.array([["a"], ["b"], ["b"], [np.nan]], dtype=object)
    imputer = SimpleImputer(strategy="most_frequent").fit(known)
    filled = run(imputer, np.array([["a"], [""]], dtype=object))
    assert filled.ravel().tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("transformer", "values", "message"),
    [
        (SimpleImputer(add_indicator=True), GAPS, "SimpleImputer with indicators"),
        (SimpleImputer(missing_values=0.0), CODES, "missing values other than NaN"),
        (OneHotEncoder(drop="first"), CODES, "drops or merges categories"),
        (Nystroem("laplacian", n_components=5), X, "kernel 'laplacian' cannot be written"),
    ],
)
def test_what_has_no_form_is_refused(transformer, values, message):
    transformer.fit(values)
    with pytest.raises(ValueError, match=message):
        transformed(transformer, Graph({"X"}), "X")
