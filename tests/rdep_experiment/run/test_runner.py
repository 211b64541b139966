"""Runs: what is missing is computed once, faults cost only their own cell."""

import lzma
import shutil
from dataclasses import replace

import pytest

from rdep_experiment._suite import find_suite
from rdep_experiment.run._cells import Task
from rdep_experiment.run._progress import Progress
from rdep_experiment.run._runner import ROWS, Request, run
from rdep_experiment.run._sources import Source
from rdep_experiment.run._store import RowStore, StoreError

from ...places import RESULTS
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


EXTRA = {"failing": f"{HERE}:Failing", "constant": f"{HERE}:Constant"}


def other_data(asked, table):
    table.write_text(table.read_text().replace("\n6,", "\n9,"))
    return asked


def other_target(asked, table):
    return replace(asked, sources=(Source("small", file=str(table), target="colour"),))


def other_classifier(asked, table):
    return replace(asked, protocol=replace(asked.protocol, extra={**EXTRA, "constant": "x:Other"}))


@pytest.mark.parametrize("status", ["ok", "failed"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_data, r"small has changed since .*: data_sha256 is \w{12}… there and \w{12}… here"),
        (other_target, "small has changed since .* target is 'answer' there and 'colour' here"),
        (other_classifier, r"constant has changed since .*Constant' there and 'x:Other' here"),
    ],
)
def test_results_of_something_else_are_refused_even_if_nothing_is_missing(
    tmp_path, table, monkeypatch, status, change, message
):
    monkeypatch.setattr("rdep_experiment.run._runner._check_request", lambda *_: None)
    asked = request(tmp_path, table, ["failing", "constant"], EXTRA)
    path = asked.output / ROWS
    with RowStore(path, asked.protocol.identity) as store:
        for _, repeat, fold, name in asked.cells:
            source = asked.sources[0]
            task = Task(source, asked.protocol, repeat, fold, (name,), source.load().sha256)
            store.append({**task.failed_row(name, "no"), "status": status})
    assert run(asked, Progress()).n_computed == 0
    before = path.read_bytes()
    with pytest.raises(StoreError, match=message) as refused:
        run(change(asked, table), Progress())
    assert "another --output, or start again with --fresh" in str(refused.value)
    assert path.read_bytes() == before


def test_a_fresh_run_keeps_the_earlier_rows(tmp_path, table):
    asked = request(tmp_path, table, ["constant"], EXTRA)
    path = asked.output / ROWS
    with RowStore(path, {"of": "something else"}) as store:
        store.append({"dataset": "a", "repeat": 0, "fold": 0, "classifier": "b"})
    earlier = path.read_bytes()
    assert run(replace(asked, fresh=True), Progress()).n_computed == 2
    assert path.with_name(f"{ROWS}.earlier-1").read_bytes() == earlier
    assert run(asked, Progress()).n_computed == 0


def test_a_fold_without_a_class_is_refused(tmp_path, table):
    asked = request(tmp_path, table, ["constant"], EXTRA)
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join([*lines[:31], *lines[31:34]]))  # three rows of one class
    asked = replace(asked, protocol=replace(asked.protocol, n_folds=4))
    with pytest.raises(ValueError, match="4 folds that all have all classes: choose --folds 3"):
        run(asked, Progress())
    assert not asked.output.exists()


@pytest.mark.parametrize("suite", ["paper", "extended"])
def test_the_committed_results_can_be_resumed(tmp_path, data_dir, suite):
    shutil.copy(RESULTS / suite / f"{ROWS}.xz", tmp_path)
    protocol = find_suite(suite).protocol
    sources = (Source("Haberman", data_dir=str(data_dir / "openml")),)
    asked = Request(tmp_path, sources, ("dep", "rbf_svc"), protocol)
    outcome = run(asked, Progress())
    assert (outcome.n_computed, outcome.n_failed, len(outcome.rows)) == (0, 0, 20)
    packed = lzma.decompress((RESULTS / suite / f"{ROWS}.xz").read_bytes())
    assert [path.name for path in tmp_path.iterdir()] == [ROWS]
    assert (tmp_path / ROWS).read_bytes() == packed
