"""The example on Credit-g in the guide to guarantees, and its table of certified accuracy."""

import matplotlib
import pandas as pd
from matplotlib import pyplot

from ..places import DOCS, ROOT
from . import pages

PAGE = DOCS / "guide" / "guarantees.md"


def test_the_example_on_credit(data_dir, monkeypatch, tmp_path):
    matplotlib.use("Agg")
    (tmp_path / "openml").symlink_to(data_dir)
    monkeypatch.chdir(tmp_path)
    whole = tmp_path / "guarantees.md"
    whole.write_text(PAGE.read_text("utf-8").replace("```python-console", "```pycon"), "utf-8")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    report = pages.failures(pages.snippets(whole))
    pyplot.close("all")
    assert not report, report


def test_the_table_is_that_of_the_results():
    rows = pd.read_csv(ROOT / "results" / "certified" / "table.csv")
    means = rows.groupby(["model", "margin"])[["0.0", "0.1", "0.25", "0.5"]].mean()
    text = PAGE.read_text("utf-8")
    assert rows["data set"].nunique() == 10
    for model, margin in [*means.index.drop([("linear DEP", 0.1), ("linear DEP", 0.5)])]:
        shown = {"linear DEP": "any", "boosted stumps": ""}.get(model, f"{margin:g}")
        cells = " | ".join(f"{share:.3f}" for share in means.loc[model, margin])
        assert f"| {model} | {shown} | {cells} |" in text
    # A margin only scales a linear DEP.
    assert means.loc["linear DEP"].nunique().max() == 1
