"""Certified accuracy of held-out rows: the share that is right and stays so within a radius."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from rdep._utils._typing import Array

from ..analysis._names import display_name
from ..models._sharing import SharedFit
from ._figures import PLAIN, new_figure
from ._reliability import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RADII = (0.1, 0.25, 0.5)
_LARGEST = 1e6  # infinite radii in a row
_MOST_ROWS = 500  # of a fold
_STYLES = ("-", "--", "-.", ":")


def radii_of_correct(model: Any, X: Array, y: Array) -> dict[str, Any] | None:
    """Radii of the samples that are predicted correctly; None if a model has no certificate.

    Parameters
    ----------
    model : classifier
        A fitted classifier.
    X, y : array
        Samples in units of the training set's standard deviations, and their classes. The first 500
        are used.

    Returns
    -------
    dict or None
        The number of samples, the radii, and whether all are exact.
    """
    from rdep.guarantees import NoCertificateError, robustness_radius

    X, y = X[:_MOST_ROWS], y[:_MOST_ROWS]
    model = model.estimator_ if isinstance(model, SharedFit) else model
    try:
        found = robustness_radius(model, X, max_exact_rows=0)
    except NoCertificateError:
        return None
    right = np.minimum(found.radii[model.predict(X) == y], _LARGEST)
    return {
        "n_samples": len(X),
        "exact": bool(found.exact.all()),
        "radii": [float(f"{radius:.4g}") for radius in right],
    }


def certified(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """All folds together, by classifier; those without a certificate are left out."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        own = row.get("certified")
        if own:
            so_far = found.setdefault(
                row["classifier"], {"n_samples": 0, "exact": True, "radii": []}
            )
            so_far["n_samples"] += own["n_samples"]
            so_far["exact"] &= own["exact"]
            so_far["radii"] = np.sort(np.append(so_far["radii"], own["radii"]))
    return found


def shares(found: Mapping[str, Any], radii: Iterable[float] = RADII) -> list[float]:
    """Certified accuracy of one classifier at radii."""
    return [float((found["radii"] >= radius).sum() / found["n_samples"]) for radius in radii]


def certified_dict(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Certified accuracy as plain JSON values."""
    radii = [f"{radius:g}" for radius in RADII]
    return {
        name: {"exact": own["exact"], **dict(zip(radii, shares(own), strict=True))}
        for name, own in found.items()
    }


def certified_text(found: Mapping[str, Mapping[str, Any]]) -> str:
    """A small table with a column for each radius."""
    rows = [["", *(f"± {radius:g}" for radius in RADII), ""]]
    for name, own in found.items():
        note = "" if own["exact"] else "at least"
        rows.append([display_name(name), *(f"{share:.3f}" for share in shares(own)), note])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["Correct within changes of all features, in standard deviations"]
    lines += [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def certified_plot(found: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Curves of certified accuracy, one for each classifier, up to one standard deviation."""
    figure, axes = new_figure(6.5, 5.2)
    radii = np.linspace(0, 1, 101)
    for (name, own), colour, style in zip(
        found.items(), cycle(COLOURS), cycle(_STYLES), strict=False
    ):
        note = "" if own["exact"] else " (at least)"
        axes.plot(
            radii, shares(own, radii), style, color=colour, label=f"{display_name(name)}{note}"
        )
    axes.set_xlabel("Change of every feature, in standard deviations", **PLAIN)
    axes.set_ylabel("Share of held-out samples that stay correct", **PLAIN)
    axes.set(xlim=(0, 1), ylim=(0, 1.02))
    axes.grid(color="#DDDDDD", linewidth=0.7)
    for text in figure.legend(loc="outside right upper", frameon=False).get_texts():
        text.set_parse_math(False)
    return figure
