"""The target of a table: classes or numbers, and what is inferred from numbers."""

import numpy as np
import pandas as pd
import pytest

from rdep._registry import CLASSIFICATION, REGRESSION
from rdep.tables import AUTO, fit_table
from rdep.tables._blocks import read_table
from rdep.tables._opening import ReadOptions
from rdep.tables._targets import read_target

RANDOM = np.random.default_rng(0)


@pytest.fixture
def block(tmp_path):
    def made(values, kind="csv"):
        path = tmp_path / f"t.{kind}"
        frame = pd.DataFrame({"y": values})
        frame.to_csv(path, index=False) if kind == "csv" else frame.to_parquet(path)
        return read_table(str(path), ReadOptions())

    return made


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("values", "task", "is_said"),
    [
        (["no", "yes"] * 30, CLASSIFICATION, False),
        ([True, False] * 30, CLASSIFICATION, False),
        ([0, 1] * 30, CLASSIFICATION, False),
        ([1, 2, 3] * 20, CLASSIFICATION, True),
        ([*range(1, 21)] * 3, CLASSIFICATION, True),
        ([*range(1, 22)] * 3, REGRESSION, True),
        ([0.5, 1.0] * 30, REGRESSION, True),
        (RANDOM.normal(size=60), REGRESSION, True),
        ([1e6 + k for k in range(60)], REGRESSION, True),
        ([f"name {k % 30}" for k in range(60)], CLASSIFICATION, False),
    ],
    ids=lambda value: str(value)[:20],
)
def test_the_task_of_a_target(block, kind, values, task, is_said):
    found = read_target(block(values, kind), "y", AUTO)
    assert found.task == task
    assert bool(found.remark) == is_said
    if task == REGRESSION:
        np.testing.assert_array_equal(found.y, np.asarray(values, dtype=float))
    assert read_target(block(values, kind), "y", task).remark == ""


def test_formatted_numbers_are_numbers_if_asked(block):
    values = [f"${1000 + 7 * k:,}" for k in range(30)]
    assert read_target(block(values), "y", AUTO, formatted=True).y[0] == 1000
    with pytest.raises(ValueError, match=r"row 1 has '\$1,000'.* give number=\('y',\)"):
        read_target(block(values), "y", REGRESSION)


def test_numbers_of_rows_are_predicted_only_if_asked(block):
    values = RANDOM.permutation(40)
    with pytest.raises(ValueError, match="numbers the rows from 0 to 39: choose another"):
        read_target(block(values), "y", AUTO)
    np.testing.assert_array_equal(read_target(block(values), "y", REGRESSION).y, values)


def test_an_unknown_task_is_refused_before_the_table_is_read():
    with pytest.raises(ValueError, match="unknown task 'regress'; did you mean 'regression'"):
        fit_table("no such table.csv", "y", task="regress")


def test_a_summary_states_the_task_and_nothing_is_warned_of(tmp_path):
    x = RANDOM.normal(size=(50, 2))
    pd.DataFrame({"a": x[:, 0], "y": x[:, 0] + x[:, 1]}).to_csv(tmp_path / "t.csv", index=False)
    model = fit_table(str(tmp_path / "t.csv"), "y", "linear_dep", n_pieces=1)
    assert (model.summary["task"], model.schema.classes, model.noticed) == (REGRESSION, (), ())
    with pytest.raises(ValueError, match=r"'y' holds numbers .* \(task='classification'\)"):
        fit_table(str(tmp_path / "t.csv"), "y", calibrate="sigmoid")
