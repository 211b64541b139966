"""Summary of a fit on a table as plain JSON values, and description of a model file as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import Pipeline

from .._base._validation import feature_names
from .._registry import CLASSIFICATION, REGRESSION
from ..inspection import OperatorClassifier
from ._pipeline import PREPROCESSING, SCALER, with_categories
from ._regression_summary import held_out_errors, regression_lines, regression_summary
from ._schema import CATEGORY, Column, Schema, listed
from ._training_table import TrainingTable
from ._unwrapping import calibrations, inner_classifiers

# Number of columns and of lines of rules in the text; JSON has all of them.
_SHOWN_COLUMNS = 30
_SHOWN_RULES = 100


def fit_summary(pipeline: Pipeline, table: TrainingTable) -> dict[str, Any]:
    """Summarise the training set, the score on it, and the fitted model."""
    classifier = inner_classifiers(pipeline)[0]
    if table.task == REGRESSION:
        return regression_summary(pipeline, table)
    return {
        "rows": len(table.y),
        "class_counts": {str(label): n for label, n in sorted(Counter(table.y.tolist()).items())},
        "classifier": type(classifier).__name__,
        "training_balanced_accuracy": balanced_accuracy_score(
            table.y, pipeline.predict(table.frame)
        ),
        "calibration": _calibration(pipeline),
        "decisions": _decisions(classifier),
        "rules": _rules(pipeline, table),
    }


def block_summary(
    classifier: BaseEstimator, counts: dict[str, int], accuracy: float
) -> dict[str, Any]:
    """Summarise a fit by blocks; the score is that of cross-fitted values."""
    return {
        "rows": sum(counts.values()),
        "class_counts": dict(sorted(counts.items())),
        "classifier": type(classifier).__name__,
        "training_balanced_accuracy": accuracy,
        "task": CLASSIFICATION,
        "calibration": None,
        "decisions": _decisions(classifier),
        "rules": None,
    }


def plain_value(value):
    """Convert a value for JSON; objects, such as an ordering, become their repr."""
    return value if isinstance(value, str | int | float | list | dict | None) else repr(value)


def _calibration(pipeline: Pipeline) -> dict[str, Any] | None:
    found = calibrations(pipeline)
    return {"method": found[0].method, "folds": found[0].cv.get_n_splits()} if found else None


def _decisions(classifier: BaseEstimator) -> list[dict[str, Any]]:
    """Records of the fitted operators: one, or one for each class against the rest.

    Empty if the decision value of the classifier does not consist of a dilation and an erosion.
    """
    parts = getattr(classifier, "estimators_", [classifier])
    labels = classifier.classes_ if len(parts) > 1 else classifier.classes_[1:]
    records = []
    for label, part in zip(labels, parts, strict=False):
        # The classifier on ρ(x) may be any classifier.
        if not isinstance(part, OperatorClassifier) or not isinstance(
            getattr(part, "dep_", part), OperatorClassifier
        ):
            return []
        fitted = part._fitted_operators()
        results = fitted.results.items()
        records.append(
            {
                "positive_class": str(label),
                "operators": list(fitted.weights),
                "beta": float(fitted.beta),
                "objectives": {name: float(result.objective) for name, result in results},
                "converged": all(result.converged for _, result in results),
                "members": [str(n) for n in fitted.names] if fitted.coordinate == "member" else [],
            }
        )
    return records


def _rules(pipeline: Pipeline, table: TrainingTable) -> str | None:
    """Rules of the whole model in the units of the table, if it consists of boxes of columns."""
    classifier = inner_classifiers(pipeline)[0]
    if not hasattr(classifier, "_rules"):
        return None
    names = with_categories(feature_names(classifier), table.schema)
    scalers = (pipeline.named_steps[SCALER],) if SCALER in pipeline.named_steps else ()
    rows = pipeline.named_steps[PREPROCESSING].transform(table.frame).to_numpy(dtype=float)
    try:
        return str(classifier._rules(names, len(names), scalers, rows))
    except ValueError:  # no boxes of columns: members, or another classifier on ρ(x)
        return None


def description_text(description: dict[str, Any], warning_text: Callable[[str], str] = str) -> str:
    """Text that ``rdep inspect`` prints, with control characters replaced.

    ``warning_text`` rephrases warnings about the training.
    """
    try:
        lines = _lines(description, warning_text)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"the description in the model file is not valid ({error!r})") from error
    return "\n".join(
        "".join(letter if letter.isprintable() else "�" for letter in line) for line in lines
    )


def _lines(description: dict[str, Any], warning_text: Callable[[str], str]) -> list[str]:
    schema, summary = Schema.from_dict(description["schema"]), description["summary"]
    lines = [f"classes     {listed(schema.classes)}"] if schema.classes else []
    if schema.target is not None and summary.get("task") != REGRESSION:
        lines.append(f"target      {schema.target}")
    if schema.dropped:
        lines.append(f"not used    {listed(schema.dropped)}")
    if summary:
        lines += _training(description)
        lines += _edits(summary.get("edits", []))
        lines += [f"warning     {warning_text(warning)}" for warning in summary["warnings"]]
    made_with = ", ".join(f"{name} {number}" for name, number in description["versions"].items())
    lines += [f"made with   {made_with}", f"columns     {len(schema.columns)}"]
    lines += [f"  {column.name}: {_content(column)}" for column in schema.columns[:_SHOWN_COLUMNS]]
    if len(schema.columns) > _SHOWN_COLUMNS:
        lines.append(f"  and {len(schema.columns) - _SHOWN_COLUMNS:,} more")
    return lines


def score_text(summary: dict[str, Any]) -> str:
    """Balanced accuracy in training, and of what; a fit by passes knows cross-fitted values."""
    of_what = "of cross-fitted values" if "passes" in summary else "on these rows"
    return f"{of_what} {summary['training_balanced_accuracy']:.3f}"


def passes_text(summary: dict[str, Any]) -> str:
    """Number of passes, and on how many rows forest and boosting were fitted."""
    n_rows, n_drawn = summary["rows"], summary["boosting_rows"]
    seen = "all rows" if n_drawn == n_rows else f"{n_drawn:,} of them, as many as fit the memory"
    return f"{summary['passes']} passes over {n_rows:,} rows; forest and boosting saw {seen}"


def _training(description: dict[str, Any]) -> list[str]:
    summary = description["summary"]
    if summary.get("task") == REGRESSION:
        return regression_lines(description, held_out_text(summary))
    counts = ", ".join(f"{label} {count}" for label, count in summary["class_counts"].items())
    given = [f"{name}={value}" for name, value in summary["parameters"].items()]
    lines = [
        f"classifier  {summary['classifier']} ({', '.join([summary['estimator'], *given])})",
        f"trained on  {summary['rows']} rows ({counts}); balanced accuracy {score_text(summary)}",
    ]
    if "passes" in summary:
        lines.append(f"read in     {passes_text(summary)}")
    lines += [f"held out    {text}" for text in held_out_text(summary)]
    threshold, positive = summary.get("threshold"), summary.get("positive")
    if positive is not None:
        lines.append(f"positive    {positive}")
    if summary["calibration"] is not None:
        predicted = "" if threshold else "the class with the largest probability is predicted; "
        lines.append(
            f"calibrated  {summary['calibration']['method']}, by {summary['calibration']['folds']} "
            f"folds: {predicted}the lines below describe the classifier inside"
        )
    if threshold:
        cost = threshold["cost"] or {}
        why = {
            "balanced": " (its share of the rows)",
            "cost": f" (costs {', '.join(f'{name}={value:g}' for name, value in cost.items())})",
        }.get(threshold["rule"], "")
        lines.append(
            f"threshold   {positive} is predicted if its probability is at least "
            f"{threshold['value']:.4g}{why}"
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
    if len(rules) > _SHOWN_RULES:
        rules = [*rules[:_SHOWN_RULES], f"and {len(rules) - _SHOWN_RULES:,} more lines"]
    return lines + [f"{'' if k else 'rules':12}{line}".rstrip() for k, line in enumerate(rules)]


def held_out_text(summary: dict[str, Any]) -> list[str]:
    """Line with the score on held-out rows, and of a model that ignores the features, if known."""
    found = summary.get("held_out")
    if not found:
        return []
    if "why_not" in found:
        return [f"no score: {found['why_not']}"]
    how = "a fifth of the rows" if found["fits"] == 1 else f"{found['fits']} folds"
    if summary.get("task") == REGRESSION:
        return [held_out_errors(found, how)]
    counts = summary["class_counts"]
    largest = max(counts, key=counts.__getitem__)
    return [
        f"balanced accuracy {found['balanced_accuracy']:.3f} ± {found['standard_error']:.3f} "
        f"({how}); always {largest}: {1 / len(counts):.3f}"
    ]


def _edits(edits: list[dict[str, Any]]) -> list[str]:
    if not edits:
        return []
    lines = [f"edited      by hand, {len(edits)} numbers; counts and scores above are of the fit"]
    for entry in edits[:_SHOWN_RULES]:
        text = entry.get("text") or f"{entry['name']} {entry['index']}"
        lines.append(f"  {text} ({entry['old']!r} → {entry['new']!r})")
    more = len(edits) - _SHOWN_RULES
    return lines + ([f"  and {more:,} more"] if more > 0 else [])


def _content(column: Column) -> str:
    if column.kind == CATEGORY:
        return f"one of {listed(column.categories)}"
    if column.low is None:
        return "number"
    written = ""
    if column.unit is not None:
        written = f", in {column.unit}" if column.unit else ", also with grouped digits"
    return f"number, {column.low:g} to {column.high:g} in training{written}"
