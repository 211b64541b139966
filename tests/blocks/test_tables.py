"""Fits on tables by blocks from Python: sources, what is refused, what is overflowing."""

import dask
import numpy as np
import pandas as pd
import pyarrow.dataset
import pytest

from rdep import RDEPClassifier
from rdep.blocks import fit_table_blocks

N = 300


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, N))
    return pd.DataFrame({"a": a, "b": b, "y": a + b**2 > 1})


def in_blocks(frame):
    return lambda: (frame[k : k + 100] for k in range(0, N, 100))


def test_a_data_set_and_a_function(frame, tmp_path):
    frame.to_parquet(tmp_path / "table.parquet", index=False)
    source = pyarrow.dataset.dataset(tmp_path)
    found = RDEPClassifier(random_state=0).fit_blocks(source, "y")
    again = RDEPClassifier(random_state=0).fit_blocks(in_blocks(frame), "y")
    rows = frame[["a", "b"]]
    assert found.classes_.tolist() == ["false", "true"]  # as rdep.tables reads truth values
    np.testing.assert_allclose(
        found.decision_function(rows), again.decision_function(rows), atol=1e-10
    )


def test_progress_names_every_step(frame):
    states = []
    RDEPClassifier().fit_blocks(in_blocks(frame), "y", progress=states.append)
    steps = list(dict.fromkeys(state.what for state in states))
    assert steps == [
        "looking at the columns", "reading", "scaling", "landmarks", "logistic regression",
        "drawing rows", "forest and boosting", "values of the members", "stack", "DEP",
        "probabilities",
    ]  # fmt: skip
    assert all(state.n_rows in (None, N) for state in states)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"a": "text"}, "column 'a' holds texts, .*fit_table_blocks encodes texts"),
        ({"b": [np.nan, *range(N - 1)]}, "column 'b' has gaps"),
        ({"y": "always"}, "the target 'y' of the source is constant"),
        ({"y": np.arange(N)}, "different values in 300 rows: these are not classes"),
        ({"a": np.linspace(-1e200, 1e200, N)}, "feature 'a' is too large to be standardised"),
    ],
)
def test_what_is_refused(frame, change, message):
    model = RDEPClassifier()
    with np.errstate(over="ignore"), pytest.raises(ValueError, match=message):
        model.fit_blocks(in_blocks(frame.assign(**change)), "y")
    assert not hasattr(model, "classes_")


def test_units_and_numbers_as_categories(frame):
    """A table whose numbers have units in some blocks, and whose codes are categories."""
    table = frame.assign(
        price=[f"${k}" if k < 150 else f"{k}" for k in range(N)],
        code=np.arange(N) % 4,
        y=np.where(frame["y"], "yes", "no"),
    )
    model = fit_table_blocks(
        in_blocks(table), "y", number=("price",), categorical=("code",), drop=("a",)
    )
    columns = {column.name: column for column in model.schema.columns}
    assert (columns["price"].unit, columns["price"].high) == ("$", 299)
    assert columns["code"].categories == ("0", "1", "2", "3")
    assert model.schema.dropped == ("a",)
    assert len(model.predict(table.head())) == 5
    table["price"] = [f"${k}" if k < 200 else f"{k} €" for k in range(N)]
    with pytest.raises(ValueError, match=r"numbers in \$ in block 1 and in € in block 3"):
        fit_table_blocks(in_blocks(table), "y", number=("price",))


def test_gaps_become_the_mean_of_all_rows(frame):
    table = frame.assign(b=frame["b"].where(np.arange(N) % 3 > 0), y=frame["y"].astype(int))
    model = fit_table_blocks(in_blocks(table), "y", class_weight={"0": 1.0, "1": 2.0})
    assert model.classifier.class_weight == {0: 1.0, 1: 2.0}
    (imputer,) = (t[1] for t in model.estimator[0].transformers_ if t[0] == "numbers")
    np.testing.assert_allclose(imputer.statistics_, table[["a", "b"]].mean())
    assert model.schema.classes == (0, 1)


def test_empty_parts_are_passed_over(frame, tmp_path):
    """A fragment without rows, and parts that have none with a class."""
    frame = frame.assign(y=np.where(frame["y"], "yes", "no"))
    unlabelled = frame[:50].assign(y=pd.Series([None] * 50, dtype="str"))
    for k, part in enumerate((frame[:0], frame[:100], unlabelled, frame[100:])):
        part.to_parquet(tmp_path / f"{k}.parquet", index=False)
    source = pyarrow.dataset.dataset(tmp_path)
    settings = {"drop_unlabelled": True, "random_state": 0}
    with dask.config.set(scheduler="synchronous"):
        models = [
            fit_table_blocks(source, "y", cluster=cluster, **settings) for cluster in (False, True)
        ]
    assert [model.summary["rows"] for model in models] == [N, N]
    values = [model.decision_function(frame) for model in models]
    np.testing.assert_allclose(*values, atol=1e-10)
    with pytest.raises(ValueError, match="the source has no rows"):
        fit_table_blocks(lambda: [frame[:0]], "y")
