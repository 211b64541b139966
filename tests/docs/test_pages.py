"""What the documentation's pages say to type works, and gives what they show."""

import doctest

import matplotlib
import pytest
from matplotlib import pyplot

from .pages import DOCS, OPTIONS, PAGES, snippets


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_snippets(page, monkeypatch, tmp_path):
    matplotlib.use("Agg")
    # Pages read committed results by their names in the repository, and write pictures.
    (tmp_path / "results").symlink_to(DOCS.parent / "results")
    monkeypatch.chdir(tmp_path)
    test = snippets(page)
    assert test.examples
    report = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append)
    pyplot.close("all")
    assert not report, "".join(report)


def test_a_wrong_answer_is_found(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(
        "Text\n\n```pycon\n>>> 1 + 1\n3\n```\n\n```sh\nls\n```\n\n```pycon\n>>> 2\n2\n```\n"
    )
    monkeypatch.setattr(f"{snippets.__module__}.DOCS", tmp_path)
    test = snippets(page)
    assert [example.lineno for example in test.examples] == [3, 12]
    report = []
    assert doctest.DocTestRunner().run(test, out=report.append).failed == 1
