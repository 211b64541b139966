"""Summaries of fitted models as text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base._record import FittedOperators
from .._utils._typing import Array
from ._printing import digits

_GAP = "   "
_LETTERS = {"dilation": "w", "erosion": "m"}


def summarise(fitted: FittedOperators, max_features: int) -> str:
    """Summarise operators: title, β, a table of the training and a table of the weights."""
    negative, positive = fitted.classes
    parts = [f"{fitted.title}, {negative!r} negative and {positive!r} positive"]
    if fitted.beta_sentence is not None:
        parts.append(fitted.beta_sentence)
    if fitted.results:
        parts.append(_table(_training_rows(fitted.results)))
    parts.append(_table(_weight_rows(fitted, max_features)))
    n_rows = len(fitted.features)
    if n_rows > max_features:
        parts[-1] += (
            f"\n… and {n_rows - max_features} more: summary(max_features={n_rows}) shows all"
        )
    return "\n\n".join(parts)


def summary_of_boxes(
    title: str,
    classes: NDArray[Any],
    inside: list[Array],
    excluded: list[Array],
    *,
    competes: bool,
) -> str:
    """Summarise boxes: title, and a table of boxes and excluded boxes of each class."""
    rows = [["class", "boxes", "samples inside, mean", "pure", "largest"]]
    any_excluded = any(map(len, excluded))
    if any_excluded:
        rows[0] += ["excluded", "samples inside, mean"]
    for k, label in enumerate(classes.tolist()):
        if competes or k == 1:
            row = [repr(label), *_covered(inside[k], k)]
            rows.append(row + _covered(excluded[k], k)[:2] if any_excluded else row)
    text = f"{title}\n\n{_table(rows)}"
    if not competes:
        text += f"\n\n{classes.tolist()[0]!r} everywhere else"
    return text


def _covered(weights: Array, k: int) -> list[str]:
    """Number of boxes, mean weight inside, share of the class, largest weight."""
    covered = weights.sum(axis=1)
    if not covered.any():
        return [str(len(weights)), "", "", ""]
    pure = weights[:, k].sum() / covered.sum()
    return [str(len(weights)), f"{covered.mean():.4g}", f"{pure:.0%}", f"{covered.max():.4g}"]


def beta_sentence(beta: float, interval: tuple[float, float], given: bool, loss: str) -> str:
    """Sentence about β and the interval of minimisers."""
    if given:
        return f"β = {beta:.4g}, as given"
    low, high = interval
    if high - low < 1e-9:
        return f"β = {beta:.4g}, the only minimiser of the {loss.replace('_', ' ')} loss"
    return (
        f"β = {beta:.4g}, the midpoint of [{low:.4g}, {high:.4g}], which all minimise the "
        f"{loss.replace('_', ' ')} loss"
    )


def _training_rows(results: dict[str, Any]) -> list[list[str]]:
    rows = [["", *results]]
    cells = {
        "status": lambda result: result.status,
        "steps": lambda result: str(result.n_iter),
        "objective": lambda result: f"{result.objective:.6g}",
        "at the boundary": lambda result: f"{result.boundary_share:.1%} of the samples",
        "certified by": lambda result: result.certified_by,
    }
    for label, cell in cells.items():
        rows.append([label, *(cell(result) for result in results.values())])
    return rows


def _weight_rows(fitted: FittedOperators, max_features: int) -> list[list[str]]:
    heading = [fitted.coordinate]
    for operator in fitted.weights:
        letter = _LETTERS[operator]
        box = "negative if all" if operator == "dilation" else "positive if all"
        heading += [letter, box]
    rows = [heading]
    for j, feature in enumerate(fitted.features[:max_features]):
        row = [str(fitted.names[feature])]
        for operator, weights in fitted.weights.items():
            # Bounds that were not trained are sample values, which have few digits.
            bound = -fitted.orientation[j] * weights[j] + 0.0
            number = f"{bound:.4g}" if fitted.results else digits(bound)
            side = _side(operator, number, fitted.orientation[j], fitted.zero_is_positive)
            row += [f"{weights[j]:.4g}", side if np.isfinite(weights[j]) else "ignored"]
        rows.append(row)
    return rows


def _side(operator: str, bound: str, sign: float, zero_is_positive: bool) -> str:
    """Side of the box D(w) or E(m) for a feature, in the feature's own direction."""
    # The bound itself is in E(m), where the erosion is 0, if zero is positive; otherwise in D(w).
    closed = (operator == "erosion") == zero_is_positive
    below = (operator == "dilation") == (sign > 0)
    relation = ("≤" if closed else "<") if below else ("≥" if closed else ">")
    return f"{relation} {bound}"


def _table(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first, *others = (
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append(_GAP.join([first, *others]).rstrip())
    lines.insert(1, _GAP.join("─" * width for width in widths))
    return "\n".join(lines)
