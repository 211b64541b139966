"""The description of a model file as text."""

from __future__ import annotations

from typing import Any

from ._names import listed
from ._schema import CATEGORY, Column, Schema


def description_text(description: dict[str, Any]) -> str:
    """What ``rdep inspect`` prints; control characters, which a terminal obeys, are replaced."""
    try:
        lines = _lines(description)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"the description in the model file is not valid ({error!r})") from error
    return "\n".join(
        "".join(letter if letter.isprintable() else "�" for letter in line) for line in lines
    )


def _lines(description: dict[str, Any]) -> list[str]:
    schema, summary = Schema.from_dict(description["schema"]), description["summary"]
    lines = [f"classes     {listed(schema.classes)}"] if schema.classes else []
    if schema.target is not None:
        lines.append(f"target      {schema.target}")
    if schema.dropped:
        lines.append(f"not used    {listed(schema.dropped)}")
    if summary:
        lines += _training(summary)
    made_with = ", ".join(f"{name} {number}" for name, number in description["versions"].items())
    lines += [f"made with   {made_with}", f"columns     {len(schema.columns)}"]
    lines += [f"  {column.name}: {_content(column)}" for column in schema.columns]
    return lines


def _training(summary: dict[str, Any]) -> list[str]:
    counts = ", ".join(f"{label} {count}" for label, count in summary["class_counts"].items())
    given = [f"{name}={value}" for name, value in summary["parameters"].items()]
    lines = [
        f"classifier  {summary['classifier']} ({', '.join([summary['estimator'], *given])})",
        f"trained on  {summary['rows']} rows ({counts}); balanced accuracy on them "
        f"{summary['training_balanced_accuracy']:.3f}",
    ]
    if summary["calibration"] is not None:
        lines.append(
            f"calibrated  {summary['calibration']['method']}, by {summary['calibration']['folds']} "
            "folds: the class of the greatest probability is predicted; what follows is the "
            "classifier inside"
        )
    for decision in summary["decisions"]:
        members = f", members {', '.join(decision['members'])}" if decision["members"] else ""
        if len(decision["operators"]) == 2:
            how = f"β = {decision['beta']:.3f}"
        else:
            how = f"by {' and '.join(decision['operators'])}"
        lines.append(
            f"decision    for {decision['positive_class']}: {how}{members}"
            + ("" if decision["converged"] else ", not converged")
        )
    rules = (summary["rules"] or "").splitlines()
    lines += [f"{'' if k else 'rules':12}{line}".rstrip() for k, line in enumerate(rules)]
    return lines + [f"warning     {warning}" for warning in summary["warnings"]]


def _content(column: Column) -> str:
    if column.kind == CATEGORY:
        return f"one of {listed(column.categories)}"
    if column.low is None:
        return "number"
    return f"number, {column.low:g} to {column.high:g} in training"
