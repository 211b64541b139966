"""Collections of Dask: the model of the same rows in blocks, lazy predictions, bad partitions."""

from itertools import pairwise

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.problems import hard
from rdep import RDEPClassifier
from rdep.blocks._dask import DaskRows

N = 1500
CUTS = (0, 400, 650, 900, 1200, N)


@pytest.fixture(scope="module")
def frame():
    X, y = hard(N)
    return pd.DataFrame(X, columns=[f"x{k}" for k in range(20)]).assign(
        y=np.where(y, "yes", "no").astype(object)
    )


def rdep():
    boosting = HistGradientBoostingClassifier(max_iter=10, random_state=0)
    return RDEPClassifier(random_state=0).set_params(ordering__boosting=boosting)


@pytest.fixture(scope="module")
def model(frame):
    return rdep().fit_blocks(lambda: (frame[k : k + 500] for k in range(0, N, 500)), "y")


@pytest.fixture(autouse=True)
def in_this_process():
    with dask.config.set(scheduler="synchronous"):
        yield


def partitioned(frame):
    parts = [dask.delayed(frame[a:b]) for a, b in pairwise(CUTS)]
    return dd.from_delayed(parts, meta=frame[:0])


def test_a_data_frame_is_its_rows(frame, model):
    """Partitions of other sizes, one of them empty, and sizes that nobody knows."""
    collection = partitioned(frame)
    collection = dd.concat([collection, collection.partitions[[0]].query("x0 > 1e9")])
    X, y = collection.drop(columns="y"), collection["y"]
    found = rdep().fit(X, y)
    rows = frame.drop(columns="y")
    assert found.classes_.tolist() == ["no", "yes"]
    assert found.feature_names_in_.tolist() == rows.columns.tolist()
    values = model.decision_function(rows)
    np.testing.assert_allclose(found.decision_function(rows), values, atol=1e-8)
    assert (found.predict(rows) == model.predict(rows)).all()
    lazy = found.decision_function(X)
    assert isinstance(lazy, da.Array)
    np.testing.assert_allclose(lazy.compute(), found.decision_function(rows), atol=1e-12)
    assert (found.predict(X).compute() == found.predict(rows)).all()
    shares = found.predict_proba(X).compute()
    np.testing.assert_allclose(shares, found.predict_proba(rows), atol=1e-12)


def test_an_array_is_its_rows(frame, model):
    """Chunks across columns, and a y whose chunks are others."""
    values, labels = frame.drop(columns="y").to_numpy(), (frame["y"] == "yes").to_numpy()
    X = da.from_array(values, chunks=(600, 7))
    found = rdep().fit(X, da.from_array(labels, chunks=400))
    np.testing.assert_allclose(
        found.decision_function(values), model.decision_function(frame.drop(columns="y")), atol=1e-8
    )
    lazy = found.predict_proba(X)
    assert (lazy.shape, lazy.chunks) == ((N, 2), ((600, 600, 300), (2,)))
    np.testing.assert_allclose(lazy.compute(), found.predict_proba(values), atol=1e-12)
    assert found.predict(X).compute().dtype == bool


def test_unknown_chunk_sizes_are_computed(frame):
    X = partitioned(frame.drop(columns="y")).to_dask_array()
    y = partitioned(frame[["y"]] == "yes")["y"].to_dask_array()
    assert np.isnan(X.shape[0])
    found = rdep().fit(X[:, :3], y)
    assert found.n_features_in_ == 3
    assert np.isnan(found.decision_function(X[:, :3]).shape[0])


def test_predictions_of_a_model_fitted_in_memory(frame):
    rows = frame.drop(columns="y")
    model = RDEPClassifier("ensemble", random_state=0).fit(rows[:300], frame["y"][:300])
    lazy = model.predict(partitioned(rows))
    assert (lazy.compute() == model.predict(rows)).all()


def _bad(frame, change):
    frame = frame.copy()
    change(frame)
    return partitioned(frame)


def _gap(frame):
    frame.loc[700, "x3"] = np.nan


def _unlabelled(frame):
    frame.loc[1000, "y"] = None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_gap, "partition 2 has missing or infinite values"),
        (_unlabelled, "partition 3 has rows without a class"),
    ],
)
def test_bad_partitions_are_named(frame, change, message):
    bad = _bad(frame, change)
    with pytest.raises(ValueError, match=message):
        rdep().fit(bad.drop(columns="y"), bad["y"])


def _delayed(*parts):
    return dd.from_delayed([dask.delayed(part) for part in parts], verify_meta=False)


def test_partitions_that_differ(frame):
    X, y = frame.drop(columns="y"), frame["y"]
    halves = _delayed(X[:700], X[700:]), _delayed(y[:700], y[700:])
    for parts, labels, message in (
        (halves[0], _delayed(y[:500], y[500:]), "partition 0 of X has 700 rows and that of y has"),
        (halves[0], _delayed(y), "X has 2 partitions and y has 1"),
        (
            _delayed(X[:700], X[700:].rename(columns={"x1": "z"})),
            halves[1],
            "partition 1 has other",
        ),
        (_delayed(X[:700], X[700:].astype(str) + "a"), halves[1], "partition 1 has a column that"),
        (halves[0], _delayed(y[:700], pd.Series(np.ones(N - 700))), "classes of partition 1 are"),
        (halves[0], _delayed(*[pd.Series(["no"] * n) for n in (700, N - 700)]), "one class only"),
    ):
        with pytest.raises(ValueError, match=message):
            rdep().fit(parts, labels)
    with pytest.raises(TypeError, match="X is a collection of Dask and y is of type Series"):
        rdep().fit(halves[0], y)
    with pytest.raises(ValueError, match="takes neither sample_weight nor groups"):
        rdep().fit(*halves, sample_weight=np.ones(N))


def test_a_class_that_only_one_partition_has(frame):
    """The rows are sorted by class, and the columns by nothing."""
    ordered = frame.sort_values("y", kind="stable").reset_index(drop=True)
    collection = partitioned(ordered)
    found = rdep().fit(collection[["x0", "x3"]], collection["y"])
    assert found.score(ordered[["x0", "x3"]], ordered["y"]) > 0.6


def test_no_task_is_pinned_to_a_worker(frame, monkeypatch):
    """What a lost worker had can be computed elsewhere: no annotations, no scattered data."""
    seen = []
    tasks = DaskRows._tasks

    def looking(self, function, shared):
        found = tasks(self, function, shared)
        seen.extend(layer.annotations for task in found for layer in task.dask.layers.values())
        return found

    monkeypatch.setattr(DaskRows, "_tasks", looking)
    collection = partitioned(frame[["x0", "y"]])
    rdep().fit(collection[["x0"]], collection["y"])
    assert seen
    assert not any(seen)
