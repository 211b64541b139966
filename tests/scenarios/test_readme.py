"""The README's Python runs, its numbers are the committed ones, and its links lead somewhere."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from ..docs.pages import failures, snippets
from ..places import ROOT

README = ROOT / "README.md"


def test_the_example_gives_what_it_shows():
    test = snippets(README)
    assert test.examples
    assert failures(test) == ""


def linked_pages() -> list[Path]:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text("utf-8"))
    return [README.parent / link for link in dict.fromkeys(links)]


def test_links_lead_somewhere():
    assert linked_pages()
    assert [path for path in linked_pages() if not path.is_file()] == []


@pytest.mark.parametrize(
    "page", [path for path in linked_pages() if path.suffix == ".md"], ids=lambda page: page.stem
)
def test_linked_pages_are_plain_markdown(page):
    """A forge shows them as they are: directives and roles of the built site would stand there."""
    text = page.read_text("utf-8")
    assert not re.findall(r"^(?:```|:::)\{.*", text, re.MULTILINE)
    assert not re.findall(r"\{[\w:-]+\}`.*", text)
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_averages_are_those_of_the_committed_run():
    with (README.parent / "results" / "paper" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    classifiers = list(dict.fromkeys(row["classifier"] for row in rows))
    (line,) = re.findall(r"^\| here \|(.*)\|$", README.read_text("utf-8"), re.MULTILINE)
    shown = [float(number) for number in line.split("|")]
    computed = [
        np.mean([float(row["mean"]) for row in rows if row["classifier"] == name])
        for name in classifiers
    ]
    assert len(rows) == 240
    assert shown == pytest.approx(computed, abs=0.00051)


BEYOND = {
    "**recommended r-DEP**": "recommended_rdep",
    "stack of the same members": "recommended_stack",
    "CatBoost": "catboost",
    "RBF SVC, tuned": "rbf_svc_tuned",
    "random forest": "random_forest",
    "XGBoost": "xgboost",
    "XGBoost, tuned": "xgboost_tuned",
    "LightGBM": "lightgbm",
    "LightGBM, tuned": "lightgbm_tuned",
    "gradient boosting (scikit-learn)": "gradient_boosting",
    "RBF SVC, balanced": "rbf_svc_balanced",
    "the paper's bagging r-DEP": "bagging_rdep",
    "the paper's ensemble r-DEP": "ensemble_rdep",
    "linear DEP": "linear_dep",
    "logistic regression": "logistic_regression",
    "r-DEP on signed features, a readable rule": "signed_rdep",
    "DEP": "dep",
}


def committed(run: str, name: str, key: str) -> dict[str, dict[str, str]]:
    """Rows of a committed table by one of its columns."""
    with (README.parent / "results" / run / name).open() as file:
        return {row[key]: row for row in csv.DictReader(file)}


def test_the_averages_beyond_the_paper_are_those_of_the_committed_runs():
    """Of the suites keel, fresh and extended, where there is one, and the cost."""
    runs = [committed(run, "averages.csv", "classifier") for run in ("keel", "fresh", "extended")]
    _, fresh, thirty = runs
    for shown, name in BEYOND.items():
        (line,) = table_lines(shown, 9)
        for average, run in zip(line, runs, strict=False):
            if name in run:
                expected = float(run[name]["mean"])
                assert float(average) == pytest.approx(expected, abs=half_a_digit(average))
            else:
                assert average == "–"
        cost = line[3]
        expected = float((thirty if name in thirty else fresh)[name]["cost"])
        assert float(cost) == pytest.approx(expected, abs=half_a_digit(cost))


def test_the_tests_of_the_recommended_rdep_are_those_of_the_committed_run():
    """Two p-values and three probabilities for every rival in the table."""
    tests = committed("keel", "recommended.csv", "other")
    columns = ("t_test", "wilcoxon", "better", "equal", "worse")
    for shown, name in BEYOND.items():
        if name == "recommended_rdep":
            continue
        (line,) = table_lines(shown, 9)
        for number, column in zip(line[4:], columns, strict=True):
            computed = float(tests[name][column])
            if number == "< 0.001":
                assert computed < 0.001
            else:
                assert float(number) == pytest.approx(computed, abs=half_a_digit(number))


def test_the_numbers_of_the_models_are_those_of_the_committed_runs():
    names = {
        "`RDEPClassifier()`": "recommended_rdep",
        '`RDEPClassifier.paper("ensemble")`': "ensemble_rdep",
        '`RDEPClassifier.paper("bagging")`': "bagging_rdep",
        '`RDEPClassifier("signed")`': "signed_rdep",
        '`RDEPClassifier("boxes")`': "boxes_rdep",
        "`LinearDEPClassifier`": "linear_dep",
        "`DEPClassifier`": "dep",
    }
    keel, thirty = (committed(run, "averages.csv", "classifier") for run in ("keel", "extended"))
    for shown, name in names.items():
        (line,) = table_lines(shown, 4)
        average, cost = line[2:]
        assert float(average) == pytest.approx(float(keel[name]["mean"]), abs=half_a_digit(average))
        assert float(cost) == pytest.approx(float(thirty[name]["cost"]), abs=half_a_digit(cost))


def test_the_box_score_is_that_of_the_committed_front():
    (line,) = table_lines("`BoxScoreClassifier`", 4)
    average, size = re.fullmatch(r"(.*) at (\d+)", line[2]).groups()
    with (README.parent / "results" / "readable_keel" / "front.csv").open() as file:
        sizes = {row["size"]: row for row in csv.DictReader(file) if row["model"] == "score"}
    assert float(average) == pytest.approx(float(sizes[size]["score"]), abs=half_a_digit(average))


def table_lines(first: str, n_others: int) -> list[list[str]]:
    """The other cells of the README's lines that begin with a cell and have so many others."""
    lines = re.findall(
        rf"^\| {re.escape(first)} \|(.*)\|$", README.read_text("utf-8"), re.MULTILINE
    )
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [line for line in cells if len(line) == n_others]


def half_a_digit(number: str) -> float:
    """Half a unit of the last decimal shown."""
    return 0.5001 * 10 ** -len(number.strip().partition(".")[2])
