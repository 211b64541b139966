"""A fitted model in words and numbers: what ``summary`` of the estimators returns."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import NDArray

from ._typing import Array
from .training import TrainingResult

_GAP = "   "
_LETTERS = {"dilation": "w", "erosion": "m"}


@dataclass(frozen=True)
class FittedOperators:
    """What there is to tell about a fit on two classes."""

    title: str
    names: NDArray  # of the coordinates
    orientation: Array
    results: dict[str, TrainingResult]  # by operator
    weights: dict[str, Array]  # by operator
    beta: str | None = None  # a sentence
    coordinate: str = "feature"  # what one of them is called


def summarise(fitted: FittedOperators, max_features: int) -> str:
    """Title, β, a table of the training and a table of the weights."""
    parts = [fitted.title]
    if fitted.beta is not None:
        parts.append(fitted.beta)
    parts.append(_table(_training_rows(fitted.results)))
    parts.append(_table(_weight_rows(fitted, max_features)))
    hidden = len(fitted.names) - max_features
    if hidden > 0:
        parts[-1] += f"\n… and {hidden} more: summary(max_features={len(fitted.names)}) shows all"
    return "\n\n".join(parts)


def beta_sentence(beta: float, interval: tuple[float, float], given: bool, loss: str) -> str:
    """β, and how far it was free."""
    if given:
        return f"β = {beta:.4g}, as given"
    low, high = interval
    if high - low < 1e-9:
        return f"β = {beta:.4g}, the only minimiser of the {loss.replace('_', ' ')} loss"
    return (
        f"β = {beta:.4g}, the middle of [{low:.4g}, {high:.4g}], where all minimise the "
        f"{loss.replace('_', ' ')} loss"
    )


def _training_rows(results: dict[str, TrainingResult]) -> list[list[str]]:
    rows = [["", *results]]
    tellers = {
        "status": lambda result: result.status,
        "steps": lambda result: str(result.n_iter),
        "objective": lambda result: f"{result.objective:.6g}",
        "at the boundary": lambda result: f"{result.boundary_share:.1%} of the samples",
        "certified by": lambda result: result.certified_by,
    }
    for label, tell in tellers.items():
        rows.append([label, *(tell(result) for result in results.values())])
    return rows


def _weight_rows(fitted: FittedOperators, max_features: int) -> list[list[str]]:
    heading = [fitted.coordinate]
    for operator in fitted.results:
        letter = _LETTERS[operator]
        box = "negative where all" if operator == "dilation" else "positive where all"
        heading += [letter, box]
    rows = [heading]
    for j, name in enumerate(list(fitted.names)[:max_features]):
        row = [str(name)]
        for operator, weights in fitted.weights.items():
            weight = weights[j]
            row += [f"{weight:.4g}", _side(operator, weight, fitted.orientation[j])]
        rows.append(row)
    return rows


def _side(operator: str, weight: float, sign: float) -> str:
    """The feature's side of the box D(w) or E(m), in the feature's own direction."""
    relation = {
        ("dilation", True): "<", ("dilation", False): ">",
        ("erosion", True): "≥", ("erosion", False): "≤",
    }[operator, sign > 0]  # fmt: skip
    return f"{relation} {-sign * weight + 0.0:.4g}"


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
