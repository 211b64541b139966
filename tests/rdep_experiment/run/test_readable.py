"""Models to be read: none is larger than its name says, and what is missing is named."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from rdep.inspection import n_conditions
from rdep_experiment._reproduce import Choice
from rdep_experiment.run import _readable, _rivals
from rdep_experiment.run._protocol import Protocol
from rdep_experiment.run._readable import (
    DENDRITES,
    EBM,
    SIZES,
    SparseLogisticRegression,
    model_and_size,
    readable_classifiers,
)
from rdep_experiment.run._rivals import BalancedWeights, installed_rivals, missing_rivals
from rdep_experiment.run._sharing import FitCache
from rdep_experiment.run._sources import FRESH, KEEL
from rdep_experiment.run._suites import suite_classifiers


@pytest.fixture(scope="module")
def samples():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X)[:200, :12], y[:200]


@pytest.mark.parametrize("name", [name for name in readable_classifiers() if name != EBM])
def test_no_model_is_larger_than_its_name_says(samples, name):
    X, y = samples
    _, size = model_and_size(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of packages of others
        fitted = Protocol().classifier(name, 0, FitCache()).fit(X, y)
    assert size is None or 0 < n_conditions(fitted) <= size
    assert set(fitted.predict(X)) == {0, 1}


def test_names():
    assert model_and_size("tree_large_leaves_16") == ("tree_large_leaves", 16)
    assert model_and_size(DENDRITES) == (DENDRITES, None)
    for suite in ("readable", "readable-fresh", "readable-keel"):
        assert {f"score_{k}" for k in SIZES} <= set(suite_classifiers(suite))


def test_a_sparse_logistic_regression_is_one_on_its_features(samples):
    X, y = samples
    sparse = SparseLogisticRegression(3).fit(X, y)
    plain = LogisticRegression(class_weight="balanced", max_iter=1000)
    plain.fit(X[:, sparse.features_], y)
    np.testing.assert_array_equal(sparse.predict(X), plain.predict(X[:, sparse.features_]))
    assert 0 < len(sparse.features_) <= 3


def test_what_is_not_installed_is_left_out_with_a_word(monkeypatch):
    monkeypatch.setattr(_readable, "is_installed", lambda package: False)
    monkeypatch.setattr(_rivals, "is_installed", lambda package: False)
    names = readable_classifiers()
    assert "tree_4" in names
    assert not {"figs_4", EBM} & set(names)
    assert installed_rivals() == {}
    for text in (_readable.left_out(), missing_rivals()):
        assert "left out" in text
        assert "pip install 'rdep[rivals]'" in text


def test_rivals_have_balanced_weights(samples):
    X, y = samples
    names = np.where(y == 1, "yes", "no")
    ours = BalancedWeights(LogisticRegression()).fit(X, names)
    plain = LogisticRegression(class_weight="balanced").fit(X, names)
    np.testing.assert_allclose(ours.predict_proba(X), plain.predict_proba(X), atol=1e-6)
    assert ours.predict(X).tolist() == plain.predict(X).tolist()
    assert not np.allclose(
        ours.predict_proba(X), LogisticRegression().fit(X, y).predict_proba(X), atol=1e-3
    )


@pytest.mark.parametrize(("collection", "names"), [("fresh", FRESH), ("keel", KEEL)])
def test_unseen_data_sets_are_found_in_their_folder(tmp_path, collection, names):
    folder = tmp_path / collection
    folder.mkdir()
    for name in names:
        (folder / f"{name}.tsv.gz").write_bytes(b"")
    sources = Choice(f"readable-{collection}", data_dir=tmp_path).sources()
    assert [source.name for source in sources] == list(names) == sorted(names)
    assert len(set(names)) == {"fresh": 19, "keel": 29}[collection]
    assert {source.target for source in sources} == {"target"}
    assert Choice(collection, data_dir=tmp_path).sources() == sources
    with pytest.raises(ValueError, match="needs --data-dir"):
        Choice(f"readable-{collection}").sources()
