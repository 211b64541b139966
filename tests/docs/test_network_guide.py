"""The Python of the guide's page on networks, which needs PyTorch."""

import pytest

from .pages import NETWORKS, failures, snippets


def test_the_page_shows_what_happens():
    pytest.importorskip("torch", reason="make test-torch runs it")
    test = snippets(NETWORKS)
    assert test.examples
    report = failures(test)
    assert not report, report
