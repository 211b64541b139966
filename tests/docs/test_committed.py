"""Links to committed results in pages become tables in the site."""

import importlib.util
import re

import pytest

from ..places import RESULTS
from .pages import DOCS


@pytest.fixture(scope="module")
def insert():
    spec = importlib.util.spec_from_file_location("committed", DOCS / "committed.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.insert


@pytest.fixture
def results(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "table.md").write_text("# Title\n\n| a |\n|---|\n| 1 |\n\n## More\n")
    return tmp_path


def test_a_link_alone_becomes_the_file_without_its_title(insert, results):
    text, files = insert("Before\n\n[Table](../../results/run/table.md)\n\nAfter", results)
    assert text == "Before\n\n| a |\n|---|\n| 1 |\n\n## More\n\n\nAfter"
    assert files == [results / "run" / "table.md"]


def test_a_link_within_a_sentence_stays(insert, results):
    text = "See [the table](../../results/run/table.md)."
    assert insert(text, results) == (text, [])


def test_a_file_that_is_gone_is_an_error(insert, results):
    with pytest.raises(FileNotFoundError):
        insert("[Table](../../results/run/gone.md)", results)


@pytest.mark.parametrize("page", ["benchmarks", "experiment", "extended"])
def test_the_results_pages_have_such_links(insert, page):
    text = (DOCS / "results" / f"{page}.md").read_text("utf-8")
    inserted, files = insert(text, RESULTS)
    assert files
    assert len(re.findall(r"^\|", inserted, re.MULTILINE)) > 4
