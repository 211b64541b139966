"""The examples on images run, draw, and need no network."""

import runpy
import socket

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot

from ..places import EXAMPLES, ROOT


@pytest.mark.parametrize(
    ("name", "n_figures"),
    [
        ("plot_false_colours", 2),
        ("plot_hyperspectral", 1),
        ("plot_retina_vessels", 1),
        ("plot_tissue_classification", 1),
    ],
)
def test_example(name, n_figures, monkeypatch):
    def refuse(*_):
        raise OSError("an example tried to reach the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(pyplot, "show", lambda: None)
    matplotlib.use("Agg")
    pyplot.close("all")
    runpy.run_path(str(EXAMPLES / f"{name}.py"))
    assert len(pyplot.get_fignums()) == n_figures
    for number in pyplot.get_fignums():
        pyplot.figure(number).canvas.draw()
    pyplot.close("all")


def run_example(name, patch):
    patch.setattr(pyplot, "show", lambda: None)
    matplotlib.use("Agg")
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


def guide_table(header):
    """Cells of the rows below a header of the guide, by the first cell."""
    page = (ROOT / "docs/guide/images.md").read_text("utf-8")
    rows = page.split(f"| {header} |")[1].split("\n\n")[0].splitlines()[2:]
    return {first: rest for first, *rest in (row.strip("| ").split(" | ") for row in rows)}


@pytest.mark.slow
def test_the_table_of_noise_is_what_the_example_finds(monkeypatch):
    example = run_example("plot_noise", monkeypatch)
    table = guide_table("filter | noise of single channels | black and white pixels")
    assert len(table) == len(example["FILTERS"])
    for row, work in zip(table.values(), example["FILTERS"].values(), strict=True):
        for cell, noisy in zip(row, (example["channels"], example["pixels"]), strict=True):
            assert cell == example["errors"](work(noisy)).replace("ΔE ", "")
    pyplot.close("all")


@pytest.mark.slow
def test_the_table_of_profiles_is_what_the_example_finds(monkeypatch):
    example = run_example("plot_textures", monkeypatch)
    table = guide_table("features of a pixel | balanced accuracy")
    for name, (cell,) in table.items():
        scores = [results[name][1] for *_, results in example["runs"]]
        assert float(cell) == pytest.approx(np.mean(scores), abs=0.005)
    assert set(table) == set(example["results"])
    pyplot.close("all")
