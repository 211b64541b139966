"""The paper's figures: the files, the numbers behind them, and what the page says."""

import csv
import re

import matplotlib
import numpy as np
import pytest

from rdep import dilation, erosion
from rdep.datasets import load_ripley
from rdep_experiment.analysis import _tables as tables
from rdep_experiment.paper import _figures as paper_figures
from rdep_experiment.paper._figures import draw_paper_figures
from rdep_experiment.paper._worked_examples import worked_examples

from ...figure_texts import check_texts
from ...places import RESULTS


@pytest.fixture(scope="module")
def fitted():
    return {(example.dataset, example.classifier): example for example in worked_examples()}


def read(path, **wanted):
    with path.open(encoding="utf-8") as file:
        return [
            row
            for row in csv.DictReader(file)
            if all(row[key] == value for key, value in wanted.items())
        ]


def points(rows):
    return np.array([(float(row["x"]), float(row["y"])) for row in rows])


@pytest.fixture(scope="module")
def table():
    from rdep_experiment._reproduce import read_run

    rows, protocol, _ = read_run(RESULTS / "paper")
    return tables.cross_validated_scores(rows, protocol)


def test_files_of_one_figure(tmp_path):
    page = draw_paper_figures(tmp_path / "out", tmp_path, only=[1], formats=("png", "svg"))
    assert page == tmp_path / "out" / "captions.md"
    assert sorted(path.name for path in page.parent.iterdir()) == [
        "captions.md", "figure-1.csv", "figure-1.png", "figure-1.svg",
    ]  # fmt: skip
    corners = points(read(page.parent / "figure-1.csv", series="D(w)"))
    assert corners.tolist() == [[-np.inf, -np.inf], [-2, -1]]
    line = points(read(page.parent / "figure-1.csv", series="decision boundary"))
    tau = 0.2 * dilation(line, [2, 1]) + 0.8 * erosion(line, [1, 2.25])
    assert tau == pytest.approx(0, abs=1e-4)


@pytest.mark.slow
def test_what_is_committed_is_what_the_code_draws(fitted):
    """The numbers behind Figures 2 and 3, against fits of today."""
    with matplotlib.rc_context(paper_figures.PRINT_STYLE):
        figures = {
            2: paper_figures.figure_2(fitted),
            3: paper_figures.reduced_figure("ripley", fitted),
        }
    for number, drawn in figures.items():
        header, *lines = (RESULTS / "figures" / f"figure-{number}.csv").read_text().splitlines()
        assert header == drawn.header
        # Other processors round otherwise: numbers may differ in their last digit.
        here = [line.split(",") for line in drawn.numbers]
        there = [line.split(",") for line in lines]
        assert [row[:2] for row in here] == [row[:2] for row in there]
        ours, theirs = (np.array([row[3:] for row in rows], float) for rows in (here, there))
        assert np.array_equal(np.isinf(ours), np.isinf(theirs))
        finite = np.isfinite(ours)
        assert ours[finite] == pytest.approx(theirs[finite], rel=1e-3, abs=1e-3)
        check_texts(drawn.figure)


def test_figure_2_shows_test_samples_and_a_line_between_their_predictions(fitted):
    _, X, _, y = load_ripley()
    path = RESULTS / "figures" / "figure-2.csv"
    for label in (0, 1):
        shown = points(read(path, panel="a", series=f"class {label}"))
        assert shown == pytest.approx(X[y == label], rel=1e-4)
    line = points(read(path, panel="a", series="decision boundary"))
    assert fitted["ripley", "dep"].model._decide(line) == pytest.approx(0, abs=1e-4)


def test_figures_5_and_6_are_of_the_committed_run(table):
    edges = {(row["better"], row["worse"]) for row in read(RESULTS / "figures" / "figure-5.csv")}
    assert ("bagging_rdep", "linear_svc") in edges
    assert {tuple(line.split(",")[:2]) for line in paper_figures.figure_5(table).numbers} == edges
    with matplotlib.rc_context(paper_figures.PRINT_STYLE):
        check_texts(paper_figures.figure_6(table).figure)
    means = read(RESULTS / "figures" / "figure-6.csv")
    assert len(means) == 30
    for row in means:
        assert float(row["dep"]) == pytest.approx(table.mean.loc[row["dataset"], "dep"], abs=1e-4)


def test_the_page_names_every_figure_and_file():
    page = (RESULTS / "figures" / "captions.md").read_text("utf-8")
    assert re.findall(r"^## Figure (\d)", page, re.MULTILINE) == list("123456")
    for target in re.findall(r"\]\(([^)]+)\)", page):
        assert (RESULTS / "figures" / target).is_file()


@pytest.mark.parametrize(
    ("only", "message"), [([7], r"Figures 1 to 6, not \[7\]"), ([5], "pass it with --run")]
)
def test_mistakes(tmp_path, only, message):
    with pytest.raises(ValueError, match=message):
        draw_paper_figures(tmp_path / "out", tmp_path / "nowhere", only=only)
    assert not (tmp_path / "out").exists()
