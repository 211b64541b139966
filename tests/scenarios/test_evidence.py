"""The committed run of the whole experiment says what the README says it does."""

import pytest

from rdep.experiment.analysis import (
    _remarks as remarks,
)
from rdep.experiment.analysis import (
    _statistics as statistics,
)
from rdep.experiment.analysis import (
    _tables as tables,
)
from rdep.experiment.run._store import read_rows
from rdep.experiment.run._suites import PAPER

from ..places import RESULTS

RUN = RESULTS / "paper"
SVCS = ["linear_svc", "rbf_svc", "poly_svc", "svc_ensemble", "svc_bagging"]


@pytest.fixture(scope="module")
def table():
    identity, rows = read_rows(RUN / "rows.jsonl")
    names = list(dict.fromkeys(tables.published()[0].index))
    protocol = {
        "datasets": names, "classifiers": list(PAPER), "repeats": 1,
        "n_folds": identity["n_folds"], "metric": identity["metrics"][0],
    }  # fmt: skip
    assert identity["margin"] == 1e-6
    return tables.cross_validated_scores(rows, protocol)


def test_it_is_complete(table):
    assert table.mean.shape == (30, 8)
    assert not table.missing
    assert (RUN / "table.csv").read_text("utf-8") == tables.as_csv(table)


def test_the_svcs_are_the_papers(table):
    difference = (table.mean - tables.published()[0])[SVCS].abs()
    assert (difference <= 0.01).sum().sum() >= 148


def test_the_averages(table):
    average = table.mean.mean()
    assert average["ensemble_rdep"] >= 0.822
    assert average["bagging_rdep"] >= 0.819
    assert average["dep"] >= 0.58


def test_every_other_cell_is_explained(table):
    for cell in remarks.deviations(tables.compare(table)):
        assert cell.remark is not None, cell


def test_the_papers_conclusion_holds(table):
    beats = statistics.one_sided_t(table.mean).beats
    for svc in ("linear_svc", "rbf_svc", "poly_svc", "svc_ensemble"):
        assert beats.loc["bagging_rdep", svc]
    assert beats.loc["ensemble_rdep", "svc_ensemble"]
    edges = set(statistics.hasse(beats).graph.edges)
    assert {("bagging_rdep", svc) for svc in ("linear_svc", "rbf_svc", "svc_ensemble")} <= edges
    assert ("ensemble_rdep", "svc_ensemble") in edges
