"""Chosen on one half, reported on the other: the arithmetic, and what the report shows of it."""

import re

import numpy as np
import pandas as pd
import pytest

from rdep.datasets import paper_datasets
from rdep.experiment.analysis import _halves as halves
from rdep.experiment.analysis._names import display_name
from rdep.experiment.report._page import ROPE, write_report
from rdep.experiment.run._suites import EXTENDED, STEPS, VARIANTS

from .test_tables import fail, made_run

NAMES = [entry.name for entry in paper_datasets()]


@pytest.fixture(scope="module")
def means():
    random = np.random.RandomState(0)
    level = random.uniform(0.6, 0.9, size=(len(NAMES), 1))
    classifiers = [name for name in EXTENDED if name != "morpho_rdep"]
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


def test_the_halves_are_every_second_row_of_the_papers_table():
    tuning = halves.tuning_half()
    assert len(tuning) == 15
    assert tuning[:3] == ["Australian", "Banknote", "Breast Cancer Wisconsin"]
    assert tuning[-1] == "Titanic"
    assert NAMES[0] not in tuning


def test_averages_by_halves_metrics_and_cost(means, run):
    rows, header = run
    table = halves.average_table(rows, header["protocol"], ["balanced_accuracy", "roc_auc"])
    tuning = means.iloc[1::2]
    np.testing.assert_allclose(table["tuning_half"], tuning.mean(), rtol=1e-12)
    np.testing.assert_allclose(table["held_out_half"], means.iloc[::2].mean(), rtol=1e-12)
    np.testing.assert_allclose(table["all"], means.mean(), rtol=1e-12)
    assert table.loc["recommended_rdep", "fit_seconds"] == pytest.approx(7.0 * 30)
    assert table.loc["recommended_rdep", "cost"] == pytest.approx(3.5)
    assert table.loc["rbf_svc", "roc_auc"] == 0.5
    assert np.isnan(table.loc["svc_ensemble", "roc_auc"])


def test_the_recommended_one_against_others(means):
    held_out = means.iloc[::2][["recommended_rdep", "rbf_svc", "random_forest"]].copy()
    held_out["rbf_svc"] = held_out["recommended_rdep"] - 0.05
    held_out["random_forest"] = held_out["recommended_rdep"] + 0.002
    against = halves.recommended_against_others(held_out, ROPE).set_index("other")
    svc, forest = against.loc["rbf_svc"], against.loc["random_forest"]
    assert svc.difference == pytest.approx(0.05)
    assert (svc.wins, svc.ties, svc.losses) == (15, 0, 0)
    assert svc.better > 0.99
    assert forest.difference == pytest.approx(-0.002)
    assert (forest.wins, forest.ties, forest.losses) == (0, 15, 0)
    assert forest.equal > 0.99
    assert forest.worse < 0.01


def test_each_step_is_compared_with_the_one_before_and_variants_with_the_recommended(means, run):
    rows, header = run
    averages = halves.average_table(rows, header["protocol"], [])
    steps = halves.ablation(averages).set_index("classifier")
    assert list(steps.index) == [*halves.LADDER, *halves.BEYOND]
    held_out = means.iloc[::2].mean()
    assert steps.loc["ensemble_rdep", "gain_held_out"] == 0
    assert steps.loc["cross_fitted", "gain_held_out"] == pytest.approx(
        held_out["cross_fitted"] - held_out["balanced_members"]
    )
    for variant in VARIANTS:
        assert steps.loc[variant, "gain_held_out"] == pytest.approx(
            held_out[variant] - held_out["recommended_rdep"]
        )


def test_every_step_is_explained():
    assert set(halves.LADDER) == {"ensemble_rdep", *STEPS, halves.RECOMMENDED}
    assert set(halves.BEYOND) == set(VARIANTS)
    for name in EXTENDED:
        if name not in STEPS and name not in VARIANTS:
            assert display_name(name) != name


def test_the_report_shows_them_and_keeps_steps_out_of_the_tests(run, tmp_path):
    rows, header = run
    page = write_report(rows, header, tmp_path).read_text("utf-8")
    for anchor in ("table-halves", "table-recommended", "table-steps"):
        assert f'id="{anchor}"' in page
    scores = re.search(r'<table id="table-scores".*?</table>', page, flags=re.S)[0]
    assert "Recommended" in scores
    assert "balanced_members" not in scores
    for name in ("averages.csv", "recommended.csv", "ablation.csv", "halves.md"):
        assert (tmp_path / name).stat().st_size > 0
    assert (tmp_path / "figures" / "halves.png").exists()
    text = (tmp_path / "halves.md").read_text("utf-8")
    assert "| Recommended r-DEP |" in text
    assert "w, m and β trained jointly" in text


def test_a_missing_cell_is_shown_as_missing_not_averaged(run, tmp_path):
    rows, header = run
    rows = [dict(row) for row in rows]
    for row in rows:
        if row["classifier"] == "random_forest" and row["dataset"] == NAMES[0]:
            fail(row)
    table = halves.average_table(rows, header["protocol"], [])
    assert np.isnan(table.loc["random_forest", "held_out_half"])
    assert np.isfinite(table.loc["random_forest", "tuning_half"])
    assert np.isnan(table.loc["random_forest", "cost"])
    compared = halves.compare_halves(rows, header["protocol"], [], ROPE).against
    assert "random_forest" not in set(compared["other"])
    assert "–" in (write_report(rows, header, tmp_path).parent / "halves.md").read_text("utf-8")


def test_other_runs_have_no_halves(means):
    _, header = made_run(means[["rbf_svc", "recommended_rdep"]].iloc[:8], n_folds=2)
    assert not halves.is_extended(header["protocol"])
    _, header = made_run(means[["rbf_svc", "dep"]], n_folds=2)
    assert not halves.is_extended(header["protocol"])
