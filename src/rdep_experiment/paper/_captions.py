"""Captions of the paper's figures, compared with our figures."""

from __future__ import annotations

import json
from importlib.resources import files

from ._worked_examples import WorkedExample, shown


def called(classifier: str) -> str:
    """Name of a classifier of the examples in figures."""
    words = classifier.replace("rdep", "r-DEP").replace("rbf", "RBF").replace("svc", "SVC")
    return words.replace("_", " ")


def accuracies(example: WorkedExample) -> str:
    """Our accuracies, with the paper's in brackets."""
    ours, theirs = example.computed, example.printed
    assert theirs is not None  # the figures show printed examples only
    return (
        f"accuracy {ours.train:.2f} (paper {theirs.train:.2f}) in training, "
        f"{ours.test:.2f} ({theirs.test:.2f}) on the test samples"
    )


def compared(example: WorkedExample) -> str:
    """Weights and accuracies of a DEP or r-DEP, with the paper's in brackets."""
    ours, theirs = example.computed, example.printed
    weights = ", ".join(
        f"{symbol} = {shown(getattr(ours, name))}"
        + (f" (paper {shown(getattr(theirs, name))})" if getattr(theirs, name) is not None else "")
        for name, symbol in (("w", "w"), ("m", "m"), ("beta", "β"))
    )
    return f"{called(example.classifier)}: {weights}; {accuracies(example)}"


def captions_page(findings: dict[int, list[str]]) -> str:
    """Page in Markdown with the findings for each figure, by its number."""
    text = files(__package__).joinpath("published/figures.json").read_text("utf-8")
    content = json.loads(text)
    lines = [
        "# The paper's figures, drawn again",
        "",
        f"Made by `rdep figures`. {content['source']}.",
    ]
    for number, found in findings.items():
        caption = content["figures"][number - 1]
        lines += [
            "", f"## Figure {number}: {caption['title']}", "",
            f"![{caption['title']}](figure-{number}.png)", "",
            f"**The paper:** {caption['paper']}", "",
            f"**Here:** {caption['ours']} Numbers: [figure-{number}.csv](figure-{number}.csv).",
        ]  # fmt: skip
        lines += ["", *(f"- {line}" for line in found)] if found else []
    return "\n".join(lines) + "\n"
