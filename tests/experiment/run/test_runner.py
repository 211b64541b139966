"""Runs: what is missing is computed once, faults cost only their own cell."""

import pytest

from rdep.experiment.run._progress import Progress
from rdep.experiment.run._runner import run
from rdep.experiment.run._store import StoreError

from .requests import HERE, request


def test_a_second_run_computes_nothing(tmp_path, table):
    asked = request(tmp_path, table, ["rbf_svc", "dep"])
    first = run(asked, Progress())
    assert (first.n_computed, first.n_failed, len(first.rows)) == (4, 0, 4)
    again = run(asked, Progress())
    assert again.n_computed == 0
    assert again.rows == first.rows
    more = run(request(tmp_path, table, ["rbf_svc", "dep", "linear_svc"]), Progress())
    assert more.n_computed == 2
    row = first.rows[0]
    assert row["scores"]["balanced_accuracy"] >= 0.5
    assert row["fit_seconds"] > 0
    assert set(row["versions"]) == {"rdep", "scikit-learn", "numpy", "scipy", "python"}


def test_failures_are_rows_and_tried_again_only_on_request(tmp_path, table):
    extra = {"failing": f"{HERE}:Failing", "constant": f"{HERE}:Constant"}
    asked = request(tmp_path, table, ["failing", "constant"], extra)
    outcome = run(asked, Progress())
    assert outcome.n_failed == 2
    assert outcome.rows[0]["error"] == "RuntimeError: on <purpose>"
    assert [row["status"] for row in outcome.rows] == ["failed", "ok"] * 2
    assert run(asked, Progress()).n_computed == 0
    retried = request(tmp_path, table, ["failing", "constant"], extra, retry_failed=True)
    assert run(retried, Progress()).n_computed == 2


def test_data_that_changed_are_refused(tmp_path, table):
    run(request(tmp_path, table, ["dep"]), Progress())
    table.write_text(table.read_text().replace("\n6,", "\n9,"))
    with pytest.raises(StoreError, match="small has changed since"):
        run(request(tmp_path, table, ["dep", "rbf_svc"]), Progress())
