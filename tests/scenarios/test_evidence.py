"""The committed results: each file follows from the rows, and every run is whole."""

import csv
import re
import shutil
import subprocess
from functools import cache

import pytest

from rdep_experiment import _reproduce
from rdep_experiment._suite import find_suite
from rdep_experiment.analysis import _remarks as remarks
from rdep_experiment.analysis import _tables as tables
from rdep_experiment.analysis._names import display_name, name_beside_defaults
from rdep_experiment.models._names import NEEDS

from ..places import DOCS, RESULTS, ROOT

UNSEEN = {name: find_suite(name).data.names for name in ("fresh", "keel", "new", "regression")}
RUNS = {name: find_suite(name).classifiers for name in ("paper", "extended", *UNSEEN)}
# python -m benchmarks.combiners, benchmarks.members
BY_OTHERS = {"combiners.md", "few_samples.md"}


read_run = cache(_reproduce.read_run)  # a second for thousands of rows


@cache
def scores(name):
    rows, protocol, _ = read_run(RESULTS / name)
    return tables.cross_validated_scores(rows, protocol)


@pytest.fixture(params=RUNS)
def run(request):
    return request.param, scores(request.param), read_run(RESULTS / request.param)[1]


def test_no_cell_is_missing(run):
    name, table, protocol = run
    assert not table.missing
    assert set(table.mean.index) == set(UNSEEN.get(name, tables.published()[0].index))
    assert list(table.mean.columns) == protocol["classifiers"]
    # Rivals are compared where their packages are installed.
    assert set(RUNS[name]) - set(NEEDS) <= set(protocol["classifiers"])
    assert protocol["n_folds"] == find_suite(name).protocol.n_folds


def test_the_table_is_that_of_the_rows(run):
    name, table, _ = run
    lines = (RESULTS / name / "table.csv").read_text("utf-8").splitlines()
    computed = tables.as_csv(table).splitlines()
    assert lines == computed


def check_rewritten(name, folder):
    """The report can be written again from packed rows, and its texts are the committed ones."""
    for kept in ("rows.jsonl.xz", "run.json"):
        shutil.copy(RESULTS / name / kept, folder)
    page = _reproduce.rewrite_report(folder).read_text("utf-8")
    committed = [path for path in (RESULTS / name).iterdir() if path.suffix in (".csv", ".md")]
    assert len(committed) > 4
    assert not {
        path.name
        for path in committed
        if path.name not in BY_OTHERS and path.read_bytes() != (folder / path.name).read_bytes()
    }
    # Other versions of matplotlib draw otherwise: figures must be there.
    for shown in (RESULTS / name / "figures").glob("*.png"):
        assert (folder / "figures" / shown.name).is_file()
    check_page(name, page)


def check_page(name, page):
    """The report names the command, and every data set and classifier."""
    *_, command = read_run(RESULTS / name)
    assert f"--suite {name} " in command
    assert command in page
    with (RESULTS / name / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    shown = {row["classifier"] for row in rows}
    assert len(shown) >= 8
    for dataset in {row["dataset"] for row in rows}:
        assert dataset in page
    # Beside defaults of this package, the paper's models are named as such.
    for classifier in shown:
        assert display_name(classifier) in page or name_beside_defaults(classifier) in page


def test_the_report_of_the_paper_follows_from_the_rows(tmp_path):
    check_rewritten("paper", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["extended", *UNSEEN])
def test_reports_beyond_the_paper_follow_from_the_rows(tmp_path, name):
    check_rewritten(name, tmp_path)


def test_costs_follow_from_the_rows(tmp_path):
    committed = RESULTS / "costs"
    for kept in ("rows.jsonl.xz", "run.json"):
        shutil.copy(committed / kept, tmp_path)
    _reproduce.rewrite_report(tmp_path)
    rows, protocol, _ = read_run(committed)
    assert len(rows) == len(protocol["datasets"]) * len(protocol["classifiers"]) == 960
    for name in ("costs.csv", "costs.md"):
        assert (committed / name).read_bytes() == (tmp_path / name).read_bytes()
    assert "–" not in (committed / "costs.md").read_text("utf-8")


def committed_files():
    if not (ROOT / ".git").exists():  # an unpacked source distribution has nothing else
        return [path for path in RESULTS.rglob("*") if path.is_file()]
    listed = subprocess.run(
        ["git", "ls-files", "-z", "results"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.exists()]


def test_the_results_are_small_enough_to_clone():
    files = committed_files()
    assert {path.suffix for path in files} <= {".csv", ".json", ".jsonl", ".md", ".png", ".xz"}
    assert not [path for path in files if path.name == "rows.jsonl"]
    assert sum(path.stat().st_size for path in files) <= 6_000_000


def test_every_committed_figure_is_shown_on_a_page():
    pages = [ROOT / "README.md", *DOCS.rglob("*.md"), RESULTS / "figures" / "captions.md"]
    linked = {
        (page.parent / link).resolve()
        for page in pages
        for link in re.findall(r"\]\(([^)]+\.png)\)", page.read_text("utf-8"))
    }
    figures = {path.resolve() for path in committed_files() if path.suffix == ".png"}
    assert figures
    assert figures <= linked


def test_every_cell_that_differs_from_the_paper_is_explained():
    for cell in remarks.deviations(tables.compare(scores("paper"))):
        assert cell.remark is not None, cell


def test_the_extended_suite_imputes_without_leakage_and_the_paper_as_published():
    for name in ("extended", *UNSEEN):
        assert read_run(RESULTS / name)[1]["impute"] == "fold"
    assert read_run(RESULTS / "paper")[1]["impute"] == "dataset"


@pytest.mark.parametrize("name", ["extended", *UNSEEN])
def test_averages_are_those_of_the_table(name):
    means = scores(name).mean.mean()
    with (RESULTS / name / "averages.csv").open() as file:
        shown = {row["classifier"]: float(row["mean"]) for row in csv.DictReader(file)}
    assert shown == pytest.approx({name: means[name] for name in shown}, abs=5.01e-7)
