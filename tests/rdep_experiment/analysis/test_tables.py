"""Tables of scores: against the published table, and NumPy on the folds."""

import csv
import io
import random

import numpy as np
import pandas as pd
import pytest

from rdep_experiment.analysis import _tables as tables
from rdep_experiment.analysis._names import display_name
from rdep_experiment.models._names import PAPER


def made_run(means, stds=None, n_folds=10, repeats=1, seed=0):
    """Rows and header of a run with exactly these means and standard deviations."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in means.index:
        for classifier in means.columns:
            noise = rng.normal(size=n_folds * repeats)
            noise = (noise - noise.mean()) / noise.std()
            spread = 0.05 if stds is None else stds.loc[dataset, classifier]
            for i, value in enumerate(means.loc[dataset, classifier] + spread * noise):
                rows.append(
                    {
                        "dataset": dataset,
                        "classifier": classifier,
                        "repeat": i // n_folds,
                        "fold": i % n_folds,
                        "status": "ok",
                        "scores": {"balanced_accuracy": float(value), "accuracy": 0.25},
                        "fit_seconds": 0.1 + 0.01 * i,
                        "predict_seconds": 0.02,
                        "error": None,
                        "warnings": [],
                        "seed": i,
                        "data_sha256": "0" * 64,
                        "versions": {"rdep": "0.1.0", "numpy": "2.4.6"},
                    }
                )
    protocol = {
        "suite": "paper",
        "metric": "balanced_accuracy",
        "datasets": list(means.index),
        "classifiers": list(means.columns),
        "n_folds": n_folds,
        "repeats": repeats,
        "margin": 1e-6,
        "impute": "dataset",
    }
    return rows, {"protocol": protocol, "command": "rdep reproduce --suite paper"}


def fail(row, error="ValueError: no"):
    row.update(status="failed", scores={}, error=error)


@pytest.fixture
def paper_run():
    return made_run(*tables.published())


@pytest.fixture
def small_run():
    mean, std = tables.published()
    return made_run(mean.iloc[:2, :3], std.iloc[:2, :3], n_folds=5, repeats=2)


def test_the_published_table_has_the_papers_averages():
    mean, std = tables.published()
    assert mean.shape == std.shape == (30, 8)
    assert list(mean.columns) == list(PAPER)
    printed = [0.76, 0.80, 0.73, 0.77, 0.80, 0.58, 0.82, 0.81]
    assert mean.mean().round(2).tolist() == printed
    assert mean.std(ddof=0).round(2).tolist() == [0.18, 0.16, 0.17, 0.17, 0.16, 0.12, 0.14, 0.15]
    assert mean.loc["Monks-2", "bagging_rdep"] == 0.79
    assert std.loc["Hill-Valley", "ensemble_rdep"] == 0.11


def test_mean_and_deviation_are_numpys(small_run):
    rows, header = small_run
    table = tables.cross_validated_scores(rows, header["protocol"])
    scores = [
        row["scores"]["balanced_accuracy"]
        for row in rows
        if (row["dataset"], row["classifier"]) == ("Australian", "poly_svc")
    ]
    assert len(scores) == 10
    assert table.mean.loc["Australian", "poly_svc"] == pytest.approx(np.mean(scores), abs=1e-15)
    assert table.std.loc["Australian", "poly_svc"] == pytest.approx(np.std(scores), abs=1e-15)
    assert table.missing == ()


def test_another_metric(small_run):
    rows, header = small_run
    table = tables.cross_validated_scores(rows, header["protocol"], metric="accuracy")
    assert (table.mean == 0.25).all(axis=None)
    assert tables.compare(table).empty
    with pytest.raises(ValueError, match="no 'f1': the rows have"):
        tables.cross_validated_scores(rows, header["protocol"], metric="f1")


@pytest.mark.parametrize("how", ["absent", "failed", "nan"])
def test_an_incomplete_cell_is_missing_not_averaged(small_run, how):
    rows, header = small_run
    if how == "absent":
        del rows[3]
    elif how == "failed":
        fail(rows[3])
    else:
        rows[3]["scores"]["balanced_accuracy"] = float("nan")
    table = tables.cross_validated_scores(rows, header["protocol"])
    assert table.missing == (tables.MissingCell("Arsene", "linear_svc", 9, 10),)
    assert np.isnan(table.mean.loc["Arsene", "linear_svc"])
    assert table.mean.notna().sum(axis=None) == 5
    assert list(table.complete.index) == ["Australian"]
    assert not table.best.loc["Arsene"].any()


def test_a_fold_computed_again_counts(small_run):
    rows, header = small_run
    again = dict(rows[3])
    fail(rows[3])
    assert tables.cross_validated_scores([*rows, again], header["protocol"]).missing == ()
    assert tables.cross_validated_scores([again, *rows], header["protocol"]).missing == ()


def test_contradictions_are_refused(small_run):
    rows, header = small_run
    other = {**rows[3], "scores": {"balanced_accuracy": 0.5}}
    with pytest.raises(ValueError, match="Arsene, linear_svc, repeat 0, fold 3 has two"):
        tables.cross_validated_scores([*rows, other], header["protocol"])


def test_rows_beyond_the_protocol_are_left_out(small_run):
    rows, header = small_run
    protocol = {**header["protocol"], "datasets": ["Australian"], "repeats": 1}
    first = [row for row in rows if row["repeat"] == 0 and row["dataset"] == "Australian"]
    assert len(first) == 15
    expected = tables.cross_validated_scores(first, protocol)
    assert expected.missing == ()
    found = tables.cross_validated_scores(rows, protocol)
    assert found.mean.equals(expected.mean)
    assert tables.time_table(rows, protocol).equals(tables.time_table(first, protocol))


def test_the_csv_does_not_depend_on_order_or_times(paper_run):
    rows, header = paper_run
    table = tables.cross_validated_scores(rows, header["protocol"])
    text = tables.as_csv(table)
    random.Random(1).shuffle(rows)
    for row in rows:
        row["fit_seconds"] *= 2
    shuffled = tables.cross_validated_scores(rows, header["protocol"])
    assert tables.as_csv(shuffled) == text
    # To the last bit: no rounding of six decimals may hide another order of adding.
    assert shuffled.mean.equals(table.mean)
    assert shuffled.std.equals(table.std)
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == ["dataset", "classifier", "mean", "std"]
    assert lines[1] == ["Arsene", "linear_svc", "0.900000", "0.080000"]
    assert len(lines) == 241
    assert "\r" not in text


def test_the_csv_has_complete_cells_only(small_run):
    rows, header = small_run
    fail(rows[0])
    lines = tables.as_csv(tables.cross_validated_scores(rows, header["protocol"])).splitlines()
    assert [line.split(",")[1] for line in lines[1:4]] == ["rbf_svc", "poly_svc", "linear_svc"]


def test_the_published_scores_differ_by_nothing(paper_run):
    rows, header = paper_run
    comparison = tables.compare(tables.cross_validated_scores(rows, header["protocol"]))
    assert len(comparison) == 240
    assert (comparison["difference"] == 0).all()
    assert not np.signbit(comparison["difference"]).any()


def test_differences_are_those_of_the_printed_numbers():
    mean, std = tables.published()
    ours = mean.iloc[[0]] + np.array([0.004, 0.006, -0.004, -0.006, 0.1, 0, 0, 0])
    rows, header = made_run(ours, std)
    comparison = tables.compare(tables.cross_validated_scores(rows, header["protocol"]))
    assert comparison["difference"].tolist() == [0, 0.01, 0, -0.01, 0.1, 0, 0, 0]


def test_what_was_published_with_more_decimals_is_compared_with_them():
    means = pd.DataFrame({"dep": [0.505, 0.5149]}, index=["Sick", "Sonar"])
    rows, header = made_run(means)
    table = tables.cross_validated_scores(rows, header["protocol"])
    theirs = pd.DataFrame({"dep": [0.505, 0.5051]}, index=["Sick", "Sonar"])
    assert tables.compare(table, theirs)["difference"].tolist() == [0, 0.01]


def test_data_sets_and_classifiers_unknown_to_the_paper():
    means = pd.DataFrame({"dep": [0.5, 0.6], "forest": [0.7, 0.8]}, index=["Sick", "Iris"])
    rows, header = made_run(means)
    table = tables.cross_validated_scores(rows, header["protocol"])
    comparison = tables.compare(table)
    assert comparison[["dataset", "classifier"]].to_numpy().tolist() == [["Sick", "dep"]]
    assert tables.averages(table)["published"].isna().all()
    assert tables.averages(table)["ours"].tolist() == pytest.approx([0.55, 0.75])
    assert display_name("forest") == "forest"


def test_the_best_are_bold(paper_run):
    rows, header = paper_run
    table = tables.cross_validated_scores(rows, header["protocol"])
    assert table.best.loc["Arsene"].tolist() == [True] + [False] * 7
    # Equal means are all the best.
    assert table.best.loc["MOFN-3-7-10"].sum() == 7
    markdown = tables.as_markdown(table).splitlines()
    assert markdown[2].startswith("| Arsene | **0.90 ± 0.08** | 0.77 ± 0.05 |")
    assert markdown[-1].startswith("| Average | 0.76 ± 0.18 | 0.80 ± 0.16 |")
    assert "**0.82 ± 0.14**" in markdown[-1]
    latex = tables.as_latex(table)
    assert r"Arsene & $\mathbf{0.90\pm0.08}$ & $0.77\pm0.05$" in latex
    assert latex.count("\\\\\n") == 32
    assert latex.count(r"\midrule") == 2


def test_special_characters_and_gaps_in_text():
    means = pd.DataFrame({"dep": [0.5, 0.6], "a_b|c": [0.7, 0.8]}, index=["50% & {x}_1\\~", "B"])
    rows, header = made_run(means)
    fail(rows[0])
    table = tables.cross_validated_scores(rows, header["protocol"])
    latex = tables.as_latex(table)
    assert r"50\% \& \{x\}\_1\textbackslash{}\textasciitilde{} & --" in latex
    assert r"a\_b|c" in latex
    assert "Average of 1 complete data sets" in latex
    markdown = tables.as_markdown(table)
    assert r"a_b\|c" in markdown
    assert r"50% & {x}_1\~ | – | 0.70 ± 0.05 |" in markdown


def test_times_are_means_of_complete_cells(small_run):
    rows, header = small_run
    fail(rows[0])
    times = tables.time_table(rows, header["protocol"])
    assert len(times) == 5
    assert times["fit_seconds"].tolist() == pytest.approx([0.145] * 5)
    assert times["predict_seconds"].tolist() == pytest.approx([0.02] * 5)
