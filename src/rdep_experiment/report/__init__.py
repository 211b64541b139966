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


def against_others(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """The same, and the r-DEP tested against all others."""
    from ..analysis._against import REFERENCE

    return scores(rows, {**header, "reference": REFERENCE}, output)


def other_scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """The same on data sets on which no parameter, member or rule was chosen."""
    return against_others(rows, {**header, "unseen": True}, output)


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


def costs(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """CPU times as a table."""
    from rdep._utils._files import write_atomically

    from ..analysis._costs import cost_table, costs_as_markdown
    from ..analysis._tables import csv_text

    protocol = header["protocol"]
    found = cost_table(rows, protocol)
    write_atomically(output / "costs.csv", csv_text(found.reset_index()))
    page = output / "costs.md"
    write_atomically(page, costs_as_markdown(found, len(protocol["datasets"])))
    return page


def all_collections(folders: Mapping[str, Path], output: Path) -> Path:
    """Runs on several collections in one table; the path of its Markdown form.

    Parameters
    ----------
    folders : dict of str to Path
        The folder of a run by the name of its collection.
    output : Path
        Folder of ``collections.csv``, ``collections_against.csv`` and ``collections.md``.
    """
    from rdep._utils._files import write_atomically

    from .._reproduce import read_run
    from ..analysis._against import collections_as_markdown, join_collections
    from ..analysis._tables import cross_validated_scores, csv_text

    means = {}
    for name, folder in folders.items():
        rows, protocol, _ = read_run(Path(folder))
        means[name] = cross_validated_scores(rows, protocol).mean
    joined = join_collections(means)
    write_atomically(output / "collections.csv", csv_text(joined.means.reset_index()))
    write_atomically(output / "collections_against.csv", csv_text(joined.against))
    page = output / "collections.md"
    write_atomically(page, collections_as_markdown(joined))
    return page
