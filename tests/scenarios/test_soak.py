"""Ten thousand cells through the store and the report."""

import random
import time

import pytest

from rdep_experiment.analysis import _tables as tables
from rdep_experiment.report._page import write_report
from rdep_experiment.run._store import RowStore, latest, read_rows

DATASETS = [f"data {i}" for i in range(50)]
CLASSIFIERS = ["linear_svc", "rbf_svc", "poly_svc", "dep", "bagging_rdep"]
N_FOLDS, REPEATS = 10, 4
IDENTITY = {
    "margin": 1e-6, "impute": "dataset", "n_folds": N_FOLDS, "seed": 1,
    "metrics": ["balanced_accuracy"],
}  # fmt: skip


def score(dataset, repeat, fold, classifier):
    return random.Random(f"{dataset} {repeat} {fold} {classifier}").uniform(0.5, 1)


def row(dataset, repeat, fold, classifier):
    return {
        "dataset": dataset, "repeat": repeat, "fold": fold, "classifier": classifier,
        "status": "ok", "scores": {"balanced_accuracy": score(dataset, repeat, fold, classifier)},
        "fit_seconds": 0.1, "predict_seconds": 0.01, "error": None, "warnings": [],
        "seed": 1 + repeat, "data_sha256": "0" * 64, "versions": {"rdep": "0"},
    }  # fmt: skip


@pytest.mark.slow
def test_ten_thousand_cells(tmp_path):
    cells = [
        (dataset, repeat, fold, classifier)
        for dataset in DATASETS
        for repeat in range(REPEATS)
        for fold in range(N_FOLDS)
        for classifier in CLASSIFIERS
    ]
    assert len(cells) == 10_000
    path = tmp_path / "rows.jsonl"
    started = time.perf_counter()
    written = 0
    while written < len(cells):  # closed and opened again, a torn line in between
        with RowStore(path, IDENTITY) as store:
            assert len(store.rows) == written
            for cell in cells[written : written + 2000]:
                store.append(row(*cell))
        written += 2000
        path.write_bytes(path.read_bytes()[:-5])
        written -= 1
    with RowStore(path, IDENTITY) as store:
        for cell in cells[len(store.rows) :]:
            store.append(row(*cell))
    rows = read_rows(path)[1]
    assert [tuple(r[key] for key in ("dataset", "repeat", "fold", "classifier")) for r in rows] == [
        *cells
    ]
    protocol = {
        "suite": "", "metric": "balanced_accuracy", "datasets": DATASETS,
        "classifiers": CLASSIFIERS, "repeats": REPEATS, "n_folds": N_FOLDS, "margin": 1e-6,
        "impute": "dataset",
    }  # fmt: skip
    write_report(list(latest(rows).values()), {"protocol": protocol, "command": ""}, tmp_path)
    table = tables.cross_validated_scores(rows, protocol)
    expected = sum(score("data 7", r, f, "dep") for r in range(4) for f in range(10)) / 40
    assert table.mean.loc["data 7", "dep"] == pytest.approx(expected, rel=1e-12)
    assert (tmp_path / "table.csv").read_text().count("\n") == 251
    assert (tmp_path / "report.html").stat().st_size < 20_000_000
    assert time.perf_counter() - started < 300
