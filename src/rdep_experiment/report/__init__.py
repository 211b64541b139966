"""Reports of runs, as pages, tables and figures; a suite names one of these functions.

Each takes the rows of a run, its header (``protocol`` and ``command``; ``formats`` of figures other
than PNG) and the folder of the run, and returns the path of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Scores beside the paper's, tests, figures."""
    from ._page import write_report

    return write_report(rows, header, output)


def held_out_scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """The same on data sets that took part in no choice."""
    from ._page import write_report

    return write_report(rows, {**header, "unseen": True}, output)


def family_scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Scores beside the family's published table, and its smaller tables."""
    from ..family._tables import published_scores, stored_tables
    from ._page import write_report

    found = {"published": published_scores(), "tables": stored_tables(output)}
    return write_report(rows, {**header, **found}, output)


def network_scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Scores, and beside the published ones of networks in a text of their own."""
    from rdep._utils._files import write_atomically

    from ..analysis._networks import beside_published

    page = scores(rows, header, output)
    write_atomically(output / "published.md", beside_published(rows))
    return page


def readable_front(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Accuracy over the number of conditions."""
    from ._front_page import write_front

    return write_front(rows, header, output)
