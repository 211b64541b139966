"""The committed run of the extended suite says what the documentation says it does."""

import pytest

from rdep.experiment._reproduce import read_run
from rdep.experiment.analysis import _halves as halves
from rdep.experiment.analysis import _tables as tables
from rdep.experiment.report._page import ROPE

from ..places import RESULTS

RUN = RESULTS / "extended"
STACK = "mixed_stack"  # of the recommended r-DEP's own members


@pytest.fixture(scope="module")
def run():
    rows, protocol, _ = read_run(RUN)
    return rows, protocol


@pytest.fixture(scope="module")
def means(run):
    return tables.cross_validated_scores(*run).mean


@pytest.fixture(scope="module")
def compared(run):
    rows, protocol = run
    return halves.compare_halves(rows, protocol, protocol["metrics"], ROPE)


def test_it_is_complete_and_without_leakage(run):
    rows, protocol = run
    table = tables.cross_validated_scores(rows, protocol)
    assert table.mean.shape == (30, 33)
    assert not table.missing
    assert protocol["impute"] == "fold"


def test_the_tables_are_those_of_the_rows(compared):
    for name, text in compared.files.items():
        assert (RUN / name).read_text("utf-8") == text


def test_the_recommended_one_on_the_held_out_half(compared):
    against = compared.against.set_index("other")
    assert len(against) == 22
    assert (against["difference"].drop(STACK) > 0.014).all()
    assert (against["worse"] < 0.05).all()


def test_it_is_no_better_than_the_stack_of_its_members(compared):
    against = compared.against.set_index("other").loc[STACK]
    assert against["difference"] == pytest.approx(-0.003, abs=0.0005)
    assert against["equal"] > 0.99
    average = compared.averages["all"]
    assert average["recommended_rdep"] == pytest.approx(average[STACK], abs=0.001)


@pytest.mark.parametrize("dataset", ["Thoracic Surgery", "Ilpd", "Haberman", "Blood Transfusion"])
def test_at_least_the_papers_score(means, dataset):
    paper = tables.published()[0].loc[dataset, ["ensemble_rdep", "bagging_rdep"]].max()
    assert means.loc[dataset, "recommended_rdep"] >= paper


def test_titanic(means):
    assert means.loc["Titanic", "recommended_rdep"] >= 0.68


def test_without_classifiers_in_the_ordering(compared):
    assert compared.averages.loc["signed_rdep", "all"] >= 0.68
    assert compared.averages.loc["boxes_rdep", "all"] >= 0.68
