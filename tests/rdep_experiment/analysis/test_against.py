"""The recommended r-DEP against others: the arithmetic, and what the report shows of it."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rdep.datasets import paper_datasets
from rdep_experiment._suite import find_suite
from rdep_experiment.analysis import _recommended as recommended
from rdep_experiment.analysis._names import display_name
from rdep_experiment.models import installed
from rdep_experiment.models._names import STEPS, VARIANTS
from rdep_experiment.report._page import ROPE, write_report

from .test_tables import fail, made_run

EXTENDED = installed(find_suite("extended").classifiers)
NAMES = [entry.name for entry in paper_datasets()]


@pytest.fixture(scope="module")
def means():
    random = np.random.RandomState(0)
    level = random.uniform(0.6, 0.9, size=(len(NAMES), 1))
    compared = {*recommended.LADDER, *recommended.BEYOND, "dep", "random_forest", "svc_ensemble"}
    classifiers = [name for name in EXTENDED if name in {"rbf_svc", *compared}]
    values = level + random.normal(scale=0.02, size=(len(NAMES), len(classifiers)))
    return pd.DataFrame(values, index=NAMES, columns=classifiers)


@pytest.fixture(scope="module")
def run(means):
    rows, header = made_run(means, n_folds=2)
    for row in rows:
        row["fit_seconds"] = {"rbf_svc": 2.0, "recommended_rdep": 7.0}.get(row["classifier"], 1.0)
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


def test_averages_by_metrics_and_cost(means, run):
    rows, header = run
    table = recommended.average_table(rows, header["protocol"], ["balanced_accuracy", "roc_auc"])
    np.testing.assert_allclose(table["mean"], means.mean(), rtol=1e-12)
    assert table.loc["recommended_rdep", "fit_seconds"] == pytest.approx(7.0 * 30)
    assert table.loc["recommended_rdep", "cost"] == pytest.approx(3.5)
    assert table.loc["rbf_svc", "roc_auc"] == 0.5
    assert np.isnan(table.loc["svc_ensemble", "roc_auc"])


def test_the_recommended_one_against_others(means):
    chosen = means[["recommended_rdep", "rbf_svc", "random_forest"]].copy()
    chosen["rbf_svc"] = chosen["recommended_rdep"] - 0.05
    chosen["random_forest"] = chosen["recommended_rdep"] + 0.002
    against = recommended.recommended_against_others(chosen, ROPE).set_index("other")
    svc, forest = against.loc["rbf_svc"], against.loc["random_forest"]
    assert svc.difference == pytest.approx(0.05)
    assert (svc.wins, svc.ties, svc.losses) == (30, 0, 0)
    assert svc.better > 0.99
    assert forest.difference == pytest.approx(-0.002)
    assert (forest.wins, forest.ties, forest.losses) == (0, 30, 0)
    assert forest.equal > 0.99
    assert forest.worse < 0.01
    assert (svc.t_test, forest.t_test) == (0.0, 0.0)  # of constant differences


def test_p_values_are_those_of_scipy_with_holms_correction(means):
    chosen = means[["recommended_rdep", "rbf_svc", "random_forest", "dep"]]
    against = recommended.recommended_against_others(chosen, ROPE).set_index("other")
    for column, test in (("t_test", stats.ttest_rel), ("wilcoxon", stats.wilcoxon)):
        raw = {
            name: test(chosen["recommended_rdep"], chosen[name]).pvalue for name in against.index
        }
        so_far = 0.0
        for n_left, name in zip((3, 2, 1), sorted(raw, key=raw.__getitem__), strict=True):
            so_far = max(so_far, min(1.0, n_left * raw[name]))
            assert against.loc[name, column] == pytest.approx(so_far, rel=1e-9)


def test_each_step_is_compared_with_the_one_before_and_variants_with_what_they_change(means, run):
    rows, header = run
    averages = recommended.average_table(rows, header["protocol"], [])
    steps = recommended.ablation(averages).set_index("classifier")
    assert list(steps.index) == [*recommended.LADDER, *recommended.BEYOND]
    mean = means.mean()
    assert steps.loc["ensemble_rdep", "gain"] == 0
    for name, before in (
        ("cross_fitted", "balanced_members"),
        ("recommended_rdep", "mixed_rdep"),
        *((variant, "mixed_rdep") for variant in VARIANTS),
    ):
        assert steps.loc[name, "gain"] == pytest.approx(mean[name] - mean[before])


def test_every_step_is_explained():
    ends = {"ensemble_rdep", recommended.EARLIER, recommended.RECOMMENDED}
    assert set(recommended.LADDER) == {*STEPS, *ends}
    assert set(recommended.BEYOND) == set(VARIANTS)
    for name in EXTENDED:
        if name not in STEPS and name not in VARIANTS:
            assert display_name(name) != name


def test_the_report_shows_them_and_keeps_steps_out_of_the_tests(run, tmp_path):
    rows, header = run
    few = NAMES[:5]
    header = {**header, "protocol": header["protocol"] | {"datasets": few}}
    rows = [row for row in rows if row["dataset"] in few]
    page = write_report(rows, header, tmp_path).read_text("utf-8")
    for anchor in ("table-metrics", "table-recommended", "table-steps"):
        assert f'id="{anchor}"' in page
    scores = re.search(r'<table id="table-scores".*?</table>', page, flags=re.S)[0]
    assert "Recommended" in scores
    assert "balanced_members" not in scores
    for name in ("averages.csv", "recommended.csv", "ablation.csv", "recommended.md"):
        assert (tmp_path / name).stat().st_size > 0
    assert 'id="averages-figure_1"' in page
    text = (tmp_path / "recommended.md").read_text("utf-8")
    assert "| Recommended r-DEP |" in text
    assert "w, m and β trained jointly" in text


def test_a_missing_cell_is_shown_as_missing_not_averaged(run):
    rows, header = without_a_cell(run, "random_forest")
    table = recommended.average_table(rows, header["protocol"], [])
    assert np.isnan(table.loc["random_forest", "mean"])
    assert np.isnan(table.loc["random_forest", "cost"])
    compared = recommended.compare(rows, header["protocol"], [], ROPE)
    assert "random_forest" not in set(compared.against["other"])
    assert "| Random forest | – |" in recommended.as_markdown(compared)


@pytest.mark.parametrize("suite", ["fresh"])
def test_without_steps_there_is_no_table_of_them(means, tmp_path, suite):
    """As on data that took part in no choice."""
    rows, header = made_run(means[["rbf_svc", "mixed_rdep", "recommended_rdep"]], n_folds=2)
    header["protocol"] |= {"suite": suite, "metrics": ["balanced_accuracy"]}
    (tmp_path / "ablation.csv").write_text("of another run")
    page = find_suite(suite).report(rows, header, tmp_path).read_text("utf-8")
    assert "No parameter, member or rule was chosen on these data sets" in page
    assert 'id="table-steps"' not in page
    assert not (tmp_path / "ablation.csv").exists()
    assert "r-DEP recommended before" in (tmp_path / "recommended.md").read_text("utf-8")


def test_a_recommended_one_with_a_gap_is_not_tested(run):
    rows, header = without_a_cell(run, "recommended_rdep")
    compared = recommended.compare(rows, header["protocol"], [], ROPE)
    assert len(compared.against) == 0
    assert "recommended.csv" not in compared.files
    assert "## Tests" not in recommended.as_markdown(compared)


def test_other_runs_have_no_such_comparison(means):
    _, header = made_run(means[["rbf_svc", "recommended_rdep"]].iloc[:4], n_folds=2)
    assert not recommended.has_recommended(header["protocol"])
    for names in (["rbf_svc", "dep"], ["recommended_rdep"]):
        _, header = made_run(means[names], n_folds=2)
        assert not recommended.has_recommended(header["protocol"])
