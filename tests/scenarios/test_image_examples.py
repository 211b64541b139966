"""The examples on images run, draw, and need no network."""

import runpy
import socket

import matplotlib
import pytest
from matplotlib import pyplot

from ..places import EXAMPLES


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
