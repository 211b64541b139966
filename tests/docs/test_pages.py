"""The Python of the documentation's pages runs, and its output is what the pages show."""

import re
from pkgutil import resolve_name

import matplotlib
import pytest
from matplotlib import pyplot

from .pages import DOCS, PAGES, failures, not_drawn, snippets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_snippets(page, monkeypatch, tmp_path):
    matplotlib.use("Agg")
    # Pages read committed results by their names in the repository, and write pictures.
    (tmp_path / "results").symlink_to(DOCS.parent / "results")
    monkeypatch.chdir(tmp_path)
    test = snippets(page)
    assert test.examples
    report = failures(test)
    pyplot.close("all")
    assert not report, report
    assert not not_drawn(page, tmp_path), page


ALL_PAGES = sorted(page for page in DOCS.rglob("*.md") if "auto_examples" not in page.parts)
_NAME = re.compile(r"[`<]~?(rdep(?:\.\w+)+)(?:\([^`]*\))?[`>]")
_NO_PYTHON = {"rdep.schema"}  # a key in the metadata of exported models


def test_names_in_the_text_exist():
    for page in ALL_PAGES:
        for name in set(_NAME.findall(page.read_text("utf-8"))) - _NO_PYTHON:
            assert resolve_name(name) is not None, f"{page}: {name}"


def report_on(text, folder, monkeypatch):
    page = folder / "page.md"
    page.write_text(text)
    monkeypatch.setattr(f"{snippets.__module__}.ROOT", folder)
    return failures(snippets(page))


def test_a_wrong_answer_is_found_at_its_line(tmp_path, monkeypatch):
    text = "Text\n\n```pycon\n>>> 2\n2\n```\n\n```sh\nls\n```\n\n```pycon\n>>> 1 + 1\n3\n```\n"
    report = report_on(text, tmp_path, monkeypatch)
    assert report.count("Failed example") == 1
    assert "line 13" in report


@pytest.mark.parametrize(
    ("shown", "is_right"), [("0.67", True), ("0.6667", True), ("0.7", True), ("0.64", False)]
)
def test_numbers_are_compared_to_the_digits_shown(shown, is_right, tmp_path, monkeypatch):
    report = report_on(f"```pycon\n>>> 2 / 3\n{shown}\n```\n", tmp_path, monkeypatch)
    assert (report == "") == is_right
