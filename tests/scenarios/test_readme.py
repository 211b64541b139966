"""The README is short, its examples run, its numbers are committed, its links lead somewhere."""

import csv
import re
from pathlib import Path

import pytest

from ..docs.pages import failures, snippets
from ..places import RESULTS, ROOT

README = ROOT / "README.md"
TEXT = README.read_text("utf-8")


def test_the_examples_give_what_they_show():
    test = snippets(README)
    assert test.examples
    assert failures(test) == ""


def test_it_is_short():
    assert len(TEXT.encode()) <= 5_000
    assert len(re.findall(r"\d\.\d", TEXT)) <= 12


def test_the_means_are_those_of_the_committed_runs():
    with (RESULTS / "collections.csv").open() as file:
        means = {row["classifier"]: f"{float(row['all']):.3f}" for row in csv.DictReader(file)}
    shown = re.findall(r"0\.8\d\d", TEXT[TEXT.index("## How good") : TEXT.index("## Which model")])
    names = ("rdep", "catboost_prior", "positive_stack", "lightgbm_tuned", "box_score")
    assert shown == [means[name] for name in names]


def linked_pages() -> list[Path]:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", TEXT)
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
