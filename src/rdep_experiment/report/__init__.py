"""Reports of runs as pages, tables and figures; a suite names one of these functions.

Each takes the rows of a run, its header (``protocol``, ``command``, and ``formats`` of figures
other than PNG) and the folder of the run, and returns the path of the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Report scores with the paper's scores, tests and figures."""
    from ._page import write_report

    return write_report(rows, header, output)


def against_others(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Report scores, with tests of the r-DEP against all others."""
    from ..analysis._against import REFERENCE

    return scores(rows, {**header, "reference": REFERENCE}, output)


def other_scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Report scores on data sets on which no parameter, member or rule was chosen."""
    return against_others(rows, {**header, "unseen": True}, output)


def family_scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Report scores with the family's published table, and its smaller tables."""
    from ..family._tables import published_scores, stored_tables
    from ._page import write_report

    found = {"published": published_scores(), "tables": stored_tables(output)}
    return write_report(rows, {**header, **found}, output)


def network_scores(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Report scores, and write a separate text with the published scores of networks."""
    from rdep._utils._files import write_atomically

    from ..analysis._networks import beside_published

    page = scores(rows, header, output)
    write_atomically(output / "published.md", beside_published(rows))
    return page


def readable_front(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Report accuracy against the number of conditions."""
    from ._front_page import write_front

    return write_front(rows, header, output)


def costs(rows: list[dict], header: Mapping[str, Any], output: Path) -> Path:
    """Report CPU times as a table."""
    from rdep._utils._files import write_atomically

    from ..analysis._costs import cost_table, costs_as_markdown
    from ..analysis._tables import csv_text

    protocol = header["protocol"]
    found = cost_table(rows, protocol)
    write_atomically(output / "costs.csv", csv_text(found.reset_index()))
    page = output / "costs.md"
    write_atomically(page, costs_as_markdown(found, len(protocol["datasets"])))
    return page


def all_collections(
    folders: Mapping[str, Path], output: Path, chosen_on: tuple[str, ...] = ()
) -> Path:
    """Join runs on several collections in one table; return the path of its Markdown form.

    Parameters
    ----------
    folders : dict of str to Path
        Folder of each run, by the name of its collection.
    output : Path
        Folder of ``collections.csv``, ``collections_against.csv``, ``collections.md`` and
        ``collections.png``.
    chosen_on : tuple of str, default=()
        Collections on which parameters or members were chosen; the tests leave them out.
    """
    from rdep._utils._files import write_atomically

    from .._reproduce import read_run
    from ..analysis._against import collections_as_markdown, join_collections
    from ..analysis._tables import cross_validated_scores, csv_text
    from ._figures import collections_plot, save

    means = {}
    for name, folder in folders.items():
        rows, protocol, _ = read_run(Path(folder))
        means[name] = cross_validated_scores(rows, protocol).mean
    joined = join_collections(means, chosen_on)
    write_atomically(output / "collections.csv", csv_text(joined.means.reset_index()))
    write_atomically(output / "collections_against.csv", csv_text(joined.against))
    page = output / "collections.md"
    write_atomically(page, collections_as_markdown(joined))
    save(collections_plot(joined.means, joined.reference), output / "collections")
    return page
