"""``n_jobs`` of estimators and orderings means what joblib.parallel_config says, on any backend."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import load_iris, make_moons
from sklearn.svm import SVC

from rdep import BaggingOrdering, EnsembleOrdering, MixedOrdering, RDEPClassifier


class Located(SVC):
    """Notes whether it was fitted on a Dask worker."""

    def fit(self, X, y, sample_weight=None):
        from distributed import get_worker

        try:
            self.on_dask_ = get_worker().status.name == "running"
        except ValueError:
            self.on_dask_ = False
        return super().fit(X, y, sample_weight=sample_weight)


@pytest.fixture(scope="module")
def client():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def orderings():
    return [
        EnsembleOrdering([("a", Located()), ("b", Located(kernel="linear"))]),
        EnsembleOrdering([("a", Located()), ("b", Located(kernel="linear"))], cv=2),
        BaggingOrdering(Located(), n_estimators=3, random_state=0),
        MixedOrdering(max_svc_samples=0, random_state=0),
    ]


@pytest.mark.parametrize("ordering", orderings(), ids=lambda o: f"{type(o).__name__} cv={o.cv}")
def test_orderings_on_dask(client, ordering):
    X, y = make_moons(120, noise=0.2, random_state=0)
    alone = ordering.fit_transform(X, y)
    located = [member for member in ordering.estimators_ if isinstance(member, Located)]
    assert not any(member.on_dask_ for member in located)
    with parallel_config(backend="dask", n_jobs=2, wait_for_workers_timeout=600):
        there = ordering.fit_transform(X, y)
    located = [member for member in ordering.estimators_ if isinstance(member, Located)]
    assert all(member.on_dask_ for member in located)
    assert np.array_equal(there, alone)


@pytest.mark.parametrize(
    "ordering", [EnsembleOrdering(), BaggingOrdering(random_state=0)], ids=["ensemble", "bagging"]
)
def test_members_in_processes(ordering):
    X, y = make_moons(120, noise=0.2, random_state=0)
    alone = ordering.fit(X, y).transform(X)
    there = ordering.set_params(n_jobs=2).fit(X, y).transform(X)
    assert np.array_equal(there, alone)


@pytest.mark.parametrize("backend", ["threading", "loky", "dask"])
def test_several_classes(client, backend):
    X, y = load_iris(return_X_y=True)
    model = RDEPClassifier("ensemble", random_state=0)
    alone = model.fit(X, y).decision_function(X)
    with parallel_config(backend=backend, n_jobs=2):
        there = model.fit(X, y).decision_function(X)
    assert np.array_equal(there, alone)
