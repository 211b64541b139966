"""The README's Python runs as it stands."""

import csv
import re

import numpy as np
import pytest

from ..places import ROOT

README = ROOT / "README.md"


def test_the_example_runs(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    paper, recommended, *tables = capsys.readouterr().out.splitlines()
    assert float(paper) > 0.94
    assert float(recommended) > 0.94
    assert "dilation_by" in tables[0]


def test_the_averages_are_those_of_the_committed_run():
    with (README.parent / "results" / "paper" / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    classifiers = list(dict.fromkeys(row["classifier"] for row in rows))
    (line,) = re.findall(r"^\| here \|(.*)\|$", README.read_text("utf-8"), re.MULTILINE)
    shown = [float(number) for number in line.split("|")]
    computed = [
        np.mean([float(row["mean"]) for row in rows if row["classifier"] == name])
        for name in classifiers
    ]
    assert len(rows) == 240
    assert shown == pytest.approx(computed, abs=0.00051)


def test_the_held_out_averages_are_those_of_the_committed_run():
    names = {
        "balanced stack of SVC, forest, boosting, logistic regression": "mixed_stack",
        "**recommended r-DEP**, on the same members and their stack": "recommended_rdep",
        "gradient boosting": "gradient_boosting",
        "RBF SVC, tuned": "rbf_svc_tuned",
        "random forest": "random_forest",
        "the paper's ensemble r-DEP": "ensemble_rdep",
        "RBF SVC, balanced": "rbf_svc_balanced",
        "r-DEP on signed features, a readable rule": "signed_rdep",
        "DEP": "dep",
    }
    with (README.parent / "results" / "extended" / "averages.csv").open() as file:
        computed = {row["classifier"]: row for row in csv.DictReader(file)}
    text = README.read_text("utf-8")
    for shown, classifier in names.items():
        (line,) = re.findall(rf"^\| {re.escape(shown)} \|(.*)\|$", text, re.MULTILINE)
        for number, column in zip(line.split("|"), ("held_out_half", "cost"), strict=True):
            n_decimals = len(number.strip().partition(".")[2])
            half_a_digit = 0.5001 * 10**-n_decimals
            assert float(number) == pytest.approx(
                float(computed[classifier][column]), abs=half_a_digit
            )
