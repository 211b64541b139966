"""The README's Python runs, its numbers are the committed ones, and its links lead somewhere."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

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


HELD_OUT = {
    "balanced stack of SVC, forest, boosting, logistic regression": "mixed_stack",
    "**recommended r-DEP**, on the same members and their stack": "recommended_rdep",
    "gradient boosting": "gradient_boosting",
    "RBF SVC, tuned": "rbf_svc_tuned",
    "random forest": "random_forest",
    "stack of SVCs": "svc_stack",
    "the paper's ensemble r-DEP": "ensemble_rdep",
    "RBF SVC, balanced": "rbf_svc_balanced",
    "r-DEP on signed features, a readable rule": "signed_rdep",
    "DEP": "dep",
}


def test_the_held_out_averages_are_those_of_the_committed_run():
    check_numbers(HELD_OUT, after=r"(?:[^|]*\|){4}")


def test_the_tests_of_the_recommended_rdep_are_those_of_the_committed_run():
    """A p-value and three probabilities for every rival in the table, computed or committed."""
    with (README.parent / "results" / "extended" / "table.csv").open() as file:
        scores = {(row["dataset"], row["classifier"]): row["mean"] for row in csv.DictReader(file)}
    held_out = list(dict.fromkeys(dataset for dataset, _ in scores))[::2]
    means = {
        name: np.array([float(scores[dataset, name]) for dataset in held_out])
        for name in HELD_OUT.values()
    }
    with (README.parent / "results" / "extended" / "recommended.csv").open() as file:
        posteriors = {row["other"]: row for row in csv.DictReader(file)}
    separated = []
    for shown, name in HELD_OUT.items():
        if name == "recommended_rdep":
            continue
        (line,) = re.findall(
            rf"^\| {re.escape(shown)} \|[^|]*\|[^|]*\|([^|]*\|[^|]*\|[^|]*\|[^|]*)\|$",
            README.read_text("utf-8"),
            re.MULTILINE,
        )
        p_shown, *probabilities = (cell.strip() for cell in line.split("|"))
        p = stats.ttest_rel(means["recommended_rdep"], means[name], alternative="greater").pvalue
        if p_shown == "< 0.001":
            assert p < 0.001
        else:
            assert float(p_shown) == pytest.approx(p, abs=half_a_digit(p_shown))
        for number, column in zip(probabilities, ("better", "equal", "worse"), strict=True):
            computed = float(posteriors[name][column])
            assert float(number) == pytest.approx(computed, abs=half_a_digit(number))
        separated += [name] if p < 0.01 else []
    assert separated == ["signed_rdep", "dep"]  # "from the last two rows only"


def test_the_numbers_of_the_models_are_those_of_the_committed_run():
    names = {
        "`RDEPClassifier.recommended()`": "recommended_rdep",
        '`RDEPClassifier.paper("ensemble")`': "ensemble_rdep",
        '`RDEPClassifier.paper("bagging")`': "bagging_rdep",
        '`RDEPClassifier("signed")`': "signed_rdep",
        '`RDEPClassifier("boxes")`': "boxes_rdep",
        "`LinearDEPClassifier`": "linear_dep",
        "`DEPClassifier`": "dep",
    }
    check_numbers(names, before=r".*\|.*\|")


def half_a_digit(number: str) -> float:
    """Half a unit of the last decimal shown."""
    return 0.5001 * 10 ** -len(number.strip().partition(".")[2])


def check_numbers(names: dict[str, str], before: str = "", after: str = "") -> None:
    """Rows of these names have the held-out average and the cost between other columns."""
    with (README.parent / "results" / "extended" / "averages.csv").open() as file:
        computed = {row["classifier"]: row for row in csv.DictReader(file)}
    text = README.read_text("utf-8")
    for shown, classifier in names.items():
        (line,) = re.findall(
            rf"^\| {re.escape(shown)} \|{before}([^|]*\|[^|]*)\|{after}$", text, re.MULTILINE
        )
        for number, column in zip(line.split("|"), ("held_out_half", "cost"), strict=True):
            assert float(number) == pytest.approx(
                float(computed[classifier][column]), abs=half_a_digit(number)
            )
