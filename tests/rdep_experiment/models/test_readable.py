"""Models to be read: none is larger than its name says, and what is missing is named."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from rdep.inspection import n_conditions
from rdep_experiment import models
from rdep_experiment._reproduce import Choice
from rdep_experiment._suite import find_suite
from rdep_experiment.models._names import (
    DENDRITES,
    EBM,
    INSTALLABLE,
    READABLE,
    SIZES,
    model_and_size,
)
from rdep_experiment.models._readable import SparseLogisticRegression
from rdep_experiment.models._rivals import BalancedWeights
from rdep_experiment.models._sharing import FitCache
from rdep_experiment.run._protocol import Protocol


@pytest.fixture(scope="module")
def samples():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X)[:200, :12], y[:200]


@pytest.mark.parametrize("name", [name for name in models.installed(READABLE) if name != EBM])
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
        assert {f"score_{k}" for k in SIZES} <= set(find_suite(suite).classifiers)


def test_a_sparse_logistic_regression_is_one_on_its_features(samples):
    X, y = samples
    sparse = SparseLogisticRegression(3).fit(X, y)
    plain = LogisticRegression(class_weight="balanced", max_iter=1000)
    plain.fit(X[:, sparse.features_], y)
    np.testing.assert_array_equal(sparse.predict(X), plain.predict(X[:, sparse.features_]))
    assert 0 < len(sparse.features_) <= 3


def test_what_is_not_installed_is_left_out_with_a_word(monkeypatch):
    monkeypatch.setattr(models, "is_installed", lambda package: False)
    names = models.installed(READABLE)
    assert "tree_4" in names
    assert not {"figs_4", EBM} & set(names)
    assert not {"figs_4", "lightgbm"} & set(models.known_classifiers())
    assert models.installed(INSTALLABLE) == ()
    text = models.left_out(READABLE)
    assert "left out: figs_4, " in text
    assert "(package imodels); ebm (package interpret). pip install 'rdep[rivals]'" in text
    assert "'rdep[bench-morpho,rivals]'" in models.left_out(["morpho_rdep", "lightgbm"])
    assert models.left_out(["tree_4", "rbf_svc"]) == ""


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


COUNTS = {"fresh": 19, "keel": 29, "new": 18}


@pytest.mark.parametrize("collection", COUNTS)
def test_other_data_sets_are_found_in_their_folder(tmp_path, collection):
    suite = find_suite(collection)
    names = suite.data.names
    folder = tmp_path / collection
    folder.mkdir()
    for name in names:
        (folder / f"{name}{suite.data.ending}").write_bytes(b"")
    sources = Choice(collection, data_dir=tmp_path).sources()
    assert [source.name for source in sources] == list(names) == sorted(names)
    assert len(set(names)) == COUNTS[collection]
    assert {source.target for source in sources} == {"target"}
    assert {source.one_hot for source in sources} == {collection == "new"}
    with pytest.raises(ValueError, match="needs --data-dir"):
        Choice(collection).sources()
    if collection != "new":
        assert Choice(f"readable-{collection}", data_dir=tmp_path).sources() == sources


def test_who_has_no_new_tables_is_told_where_they_come_from(tmp_path):
    with pytest.raises(FileNotFoundError, match="has no table arrests.csv.gz: make them") as told:
        Choice("new", data_dir=tmp_path).sources()
    for text in ("arrests: R package carData, Arrests: released", "R package MASS, shuttle: use"):
        assert text in str(told.value)
