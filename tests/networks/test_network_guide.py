"""The Python of the guide's page on networks, which needs PyTorch."""

from ..docs.pages import NETWORKS, failures, snippets


def test_the_page_shows_what_happens():
    test = snippets(NETWORKS)
    assert test.examples
    report = failures(test)
    assert not report, report
