"""The committed results: each file follows from the rows, and every run is whole."""

import csv
import shutil

import pytest

from rdep_experiment._reproduce import read_run, rewrite_report
from rdep_experiment.analysis import _remarks as remarks
from rdep_experiment.analysis import _tables as tables
from rdep_experiment.analysis._names import display_name
from rdep_experiment.run._rivals import installed_rivals
from rdep_experiment.run._sources import FRESH, KEEL
from rdep_experiment.run._suites import suite_classifiers

from ..places import RESULTS

RUNS = {name: suite_classifiers(name) for name in ("paper", "extended", "fresh", "keel")}
UNSEEN = {"fresh": FRESH, "keel": KEEL}
# python -m benchmarks.against_stack, benchmarks.combiners, benchmarks.members
BY_OTHERS = {"against_stack.md", "combiners.md", "few_samples.md"}


@pytest.fixture(scope="module", params=RUNS)
def run(request):
    rows, protocol, _ = read_run(RESULTS / request.param)
    return request.param, tables.cross_validated_scores(rows, protocol), protocol


def test_no_cell_is_missing(run):
    name, table, protocol = run
    assert not table.missing
    assert set(table.mean.index) == set(UNSEEN.get(name, tables.published()[0].index))
    assert list(table.mean.columns) == protocol["classifiers"]
    # Rivals are compared where they are installed, which need not be here.
    assert set(RUNS[name]) - set(installed_rivals()) <= set(protocol["classifiers"])
    assert protocol["n_folds"] == 10


def test_the_table_is_that_of_the_rows(run):
    name, table, _ = run
    lines = (RESULTS / name / "table.csv").read_text("utf-8").splitlines()
    computed = tables.as_csv(table).splitlines()
    if name == "extended":  # steps on the way to the recommended one have a table of their own
        lines, computed = set(lines), set(computed)
        assert len(lines) > 20 * len(table.mean)
        assert lines <= computed
    else:
        assert lines == computed


def test_the_report_names_every_data_set_classifier_and_the_command(run):
    name, table, _ = run
    page = (RESULTS / name / "report.html").read_text("utf-8")
    *_, command = read_run(RESULTS / name)
    assert f"--suite {name} " in command
    assert command in page
    for dataset in table.mean.index:
        assert dataset in page
    with (RESULTS / name / "table.csv").open() as file:
        shown = {row["classifier"] for row in csv.DictReader(file)}
    assert len(shown) >= 8
    for classifier in shown:
        assert display_name(classifier) in page


def rewritten(name, folder):
    """Texts of a run that differ from what its rows give now."""
    for kept in ("rows.jsonl", "run.json"):
        shutil.copy(RESULTS / name / kept, folder)
    rewrite_report(folder)
    committed = [path for path in (RESULTS / name).iterdir() if path.suffix in (".csv", ".md")]
    assert len(committed) > 4
    return {
        path.name
        for path in committed
        if path.name not in BY_OTHERS and path.read_bytes() != (folder / path.name).read_bytes()
    }


def test_all_tables_of_the_paper_follow_from_the_rows(tmp_path):
    assert not rewritten("paper", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["extended", *UNSEEN])
def test_all_tables_beyond_the_paper_follow_from_the_rows(tmp_path, name):
    assert not rewritten(name, tmp_path)


def test_every_cell_that_differs_from_the_paper_is_explained():
    rows, protocol, _ = read_run(RESULTS / "paper")
    comparison = tables.compare(tables.cross_validated_scores(rows, protocol))
    for cell in remarks.deviations(comparison):
        assert cell.remark is not None, cell


def test_the_extended_suite_imputes_without_leakage_and_the_paper_as_published():
    for name in ("extended", *UNSEEN):
        assert read_run(RESULTS / name)[1]["impute"] == "fold"
    assert read_run(RESULTS / "paper")[1]["impute"] == "dataset"


@pytest.mark.parametrize("name", ["extended", *UNSEEN])
def test_averages_are_those_of_the_table(name):
    rows, protocol, _ = read_run(RESULTS / name)
    means = tables.cross_validated_scores(rows, protocol).mean.mean()
    with (RESULTS / name / "averages.csv").open() as file:
        shown = {row["classifier"]: float(row["mean"]) for row in csv.DictReader(file)}
    assert shown == pytest.approx({name: means[name] for name in shown}, abs=5.01e-7)
