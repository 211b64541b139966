"""One classifier against all others: the arithmetic, and what reports show of it."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rdep.datasets import paper_datasets
from rdep_experiment._suite import find_suite
from rdep_experiment.analysis import _against as against
from rdep_experiment.analysis._names import display_name

from .test_tables import fail, made_run

CLASSIFIERS = ["rbf_svc", "dep", "rdep", "positive_stack", "random_forest", "svc_ensemble"]
NAMES = [entry.name for entry in paper_datasets()]
FEW = NAMES[:6]


@pytest.fixture(scope="module")
def means():
    random = np.random.RandomState(0)
    level = random.uniform(0.6, 0.9, size=(len(NAMES), 1))
    values = level + random.normal(scale=0.02, size=(len(NAMES), len(CLASSIFIERS)))
    return pd.DataFrame(values, index=NAMES, columns=CLASSIFIERS)


@pytest.fixture(scope="module")
def run(means):
    rows, header = made_run(means, n_folds=2)
    for row in rows:
        row["scores"]["roc_auc"] = None if row["classifier"] == "svc_ensemble" else 0.5
    header["protocol"] |= {"suite": "extended", "metrics": ["balanced_accuracy", "roc_auc"]}
    return rows, header


def without_a_cell(run, classifier):
    """The run, in which the classifier failed on the first data set."""
    rows, header = run
    rows = [dict(row) for row in rows]
    for row in rows:
        if row["classifier"] == classifier and row["dataset"] == NAMES[0]:
            fail(row)
    return rows, header


def test_averages_by_metric(means, run):
    rows, header = run
    table = against.average_table(rows, header["protocol"], ["roc_auc"])
    np.testing.assert_allclose(table["mean"], means.mean(), rtol=1e-12)
    assert table.loc["rbf_svc", "roc_auc"] == 0.5
    assert np.isnan(table.loc["svc_ensemble", "roc_auc"])


def test_wins_ties_and_probabilities(means):
    chosen = means[["rdep", "rbf_svc", "random_forest"]].copy()
    chosen["rbf_svc"] = chosen["rdep"] - 0.05
    chosen["random_forest"] = chosen["rdep"] + 0.002
    tests = against.against_others(chosen, "rdep").set_index("other")
    svc, forest = tests.loc["rbf_svc"], tests.loc["random_forest"]
    assert svc.difference == pytest.approx(0.05)
    assert (svc.wins, svc.ties, svc.losses) == (30, 0, 0)
    assert svc.better > 0.99
    assert forest.difference == pytest.approx(-0.002)
    assert (forest.wins, forest.ties, forest.losses) == (0, 30, 0)
    assert forest.equal > 0.99
    assert forest.worse < 0.01
    assert (svc.t_test, forest.t_test) == (0.0, 0.0)  # of constant differences


def test_p_values_are_those_of_scipy_with_holms_correction(means):
    chosen = means[["rdep", "rbf_svc", "random_forest", "dep"]]
    tests = against.against_others(chosen, "rdep").set_index("other")
    for column, test in (("t_test", stats.ttest_rel), ("wilcoxon", stats.wilcoxon)):
        raw = {name: test(chosen["rdep"], chosen[name]).pvalue for name in tests.index}
        so_far = 0.0
        for n_left, name in zip((3, 2, 1), sorted(raw, key=raw.__getitem__), strict=True):
            so_far = max(so_far, min(1.0, n_left * raw[name]))
            assert tests.loc[name, column] == pytest.approx(so_far, rel=1e-9)


def test_every_classifier_of_the_suite_has_a_name():
    names = find_suite("extended").classifiers
    assert [name for name in names if display_name(name) == name] == []


@pytest.mark.parametrize(("suite", "unseen"), [("extended", False), ("fresh", True)])
def test_the_report_shows_the_comparison(run, tmp_path, suite, unseen):
    rows, header = run
    header = {**header, "protocol": header["protocol"] | {"datasets": FEW, "suite": suite}}
    rows = [row for row in rows if row["dataset"] in FEW]
    page = find_suite(suite).report(rows, header, tmp_path).read_text("utf-8")
    for anchor in ("table-metrics", "table-against"):
        assert f'id="{anchor}"' in page
    assert ("No parameter, member or rule was chosen on these data sets" in page) == unseen
    scores = re.search(r'<table id="table-scores".*?</table>', page, flags=re.S)[0]
    assert "<span>Random</span> <span>forest</span>" in scores
    for name in ("averages.csv", "against.csv", "against.md"):
        assert (tmp_path / name).stat().st_size > 0
    text = (tmp_path / "against.md").read_text("utf-8")
    assert "| Random forest |" in text


def test_a_missing_cell_is_shown_as_missing_not_averaged(run):
    rows, header = without_a_cell(run, "random_forest")
    table = against.average_table(rows, header["protocol"], [])
    assert np.isnan(table.loc["random_forest", "mean"])
    compared = against.compare(rows, header["protocol"], [])
    assert "random_forest" not in set(compared.against["other"])
    assert "| Random forest | – |" in against.as_markdown(compared)


def test_a_reference_with_a_gap_is_not_tested(run):
    rows, header = without_a_cell(run, "rdep")
    compared = against.compare(rows, header["protocol"], [])
    assert len(compared.against) == 0
    assert "against.csv" not in compared.files
    assert "## Tests" not in against.as_markdown(compared)


def test_other_runs_have_no_such_comparison(means):
    few, alone, without = (
        made_run(means[names].iloc[:n], n_folds=2)[1]["protocol"]
        for names, n in ((["rbf_svc", "rdep"], 4), (["rdep"], 30), (["rbf_svc", "dep"], 30))
    )
    assert not any(against.can_compare(protocol, "rdep") for protocol in (few, alone, without))


def test_collections_are_joined_by_data_set(means):
    first, second = means.iloc[:10], means.iloc[10:].drop(columns="svc_ensemble")
    joined = against.join_collections({"first": first, "second": second})
    assert dict(joined.n_datasets) == {"first": 10, "second": 20}
    np.testing.assert_allclose(
        joined.means.loc["dep", ["first", "second", "all"]],
        [first["dep"].mean(), second["dep"].mean(), means["dep"].mean()],
    )
    assert np.isnan(joined.means.loc["svc_ensemble", ["second", "all"]]).all()
    assert list(joined.means["all"].dropna()) == sorted(joined.means["all"].dropna())[::-1]
    # The tests are those of all data sets together; a classifier with gaps has none.
    complete = means.drop(columns="svc_ensemble")
    pd.testing.assert_frame_equal(joined.against, against.against_others(complete, "rdep"))
    text = against.collections_as_markdown(joined)
    assert "| Classifier | first (10) | second (20) | together (30) |" in text
    # A collection on which something was chosen is shown, and not tested.
    joined = against.join_collections({"first": first, "second": second}, chosen_on=("first",))
    assert joined.means.loc["dep", "all"] == joined.means.loc["dep", "second"]
    assert joined.means.loc["dep", "first"] == pytest.approx(first["dep"].mean())
    pd.testing.assert_frame_equal(joined.against, against.against_others(second, "rdep"))
    assert "together (20)" in against.collections_as_markdown(joined)
    with pytest.raises(ValueError, match="in two collections"):
        against.join_collections({"first": first, "again": first})
