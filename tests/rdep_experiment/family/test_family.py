"""The published tables, and the columns of them that come out again to six decimals."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rdep import CompetitiveClassifier
from rdep.datasets import paper_datasets
from rdep_experiment._suite import find_suite
from rdep_experiment.family import published_scores, published_splits

from ...real_data import load

SIZES = {entry.name: entry.instances * entry.features for entry in paper_datasets()}
LARGE = pytest.mark.slow  # whose boxes take more than a few seconds
LEFT_OUT = "Arsene"  # whose 10,000 features take minutes and gigabytes


def rows():
    return [
        pytest.param(name, score, id=name, marks=[LARGE] if SIZES[name] > 60_000 else [])
        for name, score in published_scores()["mpc_published"].items()
        if name != LEFT_OUT
    ]


def test_the_tables_are_whole():
    scores = published_scores()
    assert len(scores) == 22
    assert set(scores.index) <= set(SIZES)
    assert set(scores.columns) <= set(find_suite("family").classifiers)
    assert scores.notna().all(axis=None)
    splits = published_splits()
    assert (splits.groupby(["dataset", "training"]).size() == 10).all()
    assert splits.groupby("training")["dataset"].nunique().tolist() == [8, 8, 8]


@pytest.mark.parametrize(("name", "score"), rows())
def test_the_published_column_of_greedy_boxes(data_dir, name, score):
    X, y = load(data_dir, name)
    found = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(X, y):
        scaler = StandardScaler().fit(X[train])
        model = CompetitiveClassifier("greedy-published", ties="first").fit(
            scaler.transform(X[train]), y[train]
        )
        predicted = model.predict(scaler.transform(X[test]))
        found.append(balanced_accuracy_score(y[test], predicted))
    assert np.mean(found) == pytest.approx(score, abs=1e-6)
