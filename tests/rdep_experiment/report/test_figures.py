"""Figures: what they show, that nothing is cut or covered, and that files repeat byte for byte."""

import sys
from itertools import combinations, pairwise, permutations

import numpy as np
import pandas as pd
import pytest

from rdep_experiment.analysis import _statistics as statistics
from rdep_experiment.analysis._tables import published
from rdep_experiment.report import _figures as figures

from ...figure_texts import check_texts


@pytest.fixture(scope="module")
def means():
    return published()[0]


@pytest.fixture
def times(means):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "dataset": np.repeat(means.index, 8),
            "classifier": list(means.columns) * 30,
            "fit_seconds": 10 ** rng.normal(-1, 1, 240),
            "predict_seconds": rng.choice([0.0, 0.003], 240),
        }
    )


def test_texts_neither_overlap_nor_leave_the_figure(means, times):
    differences = (means - means.round(1)).round(2)
    differences.iloc[3, 4] = np.nan
    for figure in (
        figures.box_plot(means),
        figures.difference_plot(differences),
        figures.times_plot(times, list(means.columns)),
        figures.critical_difference_diagram(statistics.friedman(means)),
        figures.hasse_diagram(statistics.hasse(statistics.one_sided_t(means).beats)),
    ):
        check_texts(figure)


def test_the_box_plot_shows_every_mean(means):
    (axes,) = figures.box_plot(means).axes
    points = [collection.get_offsets()[:, 1] for collection in axes.collections]
    assert np.array_equal(np.array(points).T, means.to_numpy())
    assert axes.get_xticklabels()[6].get_text() == "Ensemble\nr-DEP"


def test_differences_are_written_in_their_cells(means):
    differences = pd.DataFrame(
        [[0.0, -0.01], [0.2, np.nan]], index=["A", "B"], columns=["dep", "other"]
    )
    (axes,) = figures.difference_plot(differences).axes
    written = {tuple(text.get_position()): text.get_text() for text in axes.texts}
    assert written == {(0, 0): "0", (1, 0): "−0.01", (0, 1): "+0.20", (1, 1): "missing"}
    assert axes.yaxis_inverted()


@pytest.mark.parametrize("seed", range(40))
def test_hasse_lines_pass_no_box_and_lead_from_box_to_box(seed):
    """Random orders of up to eight classifiers."""
    rng = np.random.default_rng(seed)
    names = list("abcdefgh"[: rng.integers(2, 9)])
    relation = pd.DataFrame(False, index=names, columns=names)
    for first, second in combinations(names, 2):
        relation.loc[first, second] = rng.random() < rng.uniform(0.1, 0.9)
    order = statistics.hasse(relation)
    (axes,) = figures.hasse_diagram(order).axes
    boxes = {
        text.get_text(): (patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height())
        for text, patch in zip(axes.texts, axes.patches, strict=True)
    }
    for (x, y, w, h), (u, v, _, _) in permutations(boxes.values(), 2):
        assert abs(x - u) >= w or abs(y - v) >= h
    ends, pieces = set(), []
    for line in axes.lines:
        points = line.get_xydata()
        pieces += [tuple(np.round(piece, 6).flat) for piece in pairwise(points)]
        start, stop = (
            next(
                n
                for n, (x, y, w, h) in boxes.items()
                if (x + w / 2, y + side * h) == pytest.approx(p)
            )
            for p, side in ((points[0], 0), (points[-1], 1))
        )
        ends.add((start, stop))
        path = np.concatenate([np.linspace(a, b, 50)[1:-1] for a, b in pairwise(points)])
        for x, y, w, h in boxes.values():
            inside = (path > [x, y]).all(axis=1) & (path < [x + w, y + h]).all(axis=1)
            assert not inside.any()
    assert ends == set(order.graph.edges)
    # No line lies on another.
    assert len(set(pieces)) == len(pieces)


def test_circles_are_not_drawn():
    relation = pd.DataFrame([[False, True], [True, False]], index=list("ab"), columns=list("ab"))
    with pytest.raises(ValueError, match="no order to draw"):
        figures.hasse_diagram(statistics.hasse(relation))


@pytest.mark.parametrize("seed", range(10))
def test_groups_of_ranks_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    ranks, difference = np.sort(rng.uniform(1, 8, 8)), rng.uniform(0.5, 3)
    groups = [(i, j) for i, j in combinations(range(8), 2) if ranks[j] - ranks[i] <= difference]
    largest = [
        (i, j)
        for i, j in groups
        if not any((a <= i and j <= b) and (a, b) != (i, j) for a, b in groups)
    ]
    assert figures.indistinguishable(ranks, difference) == largest


def test_names_with_dollars_are_text():
    means = pd.DataFrame({"dep": [0.5, 0.6], "a $_$": [0.7, 0.8]}, index=["B $", "$\\frac{$"])
    check_texts(figures.box_plot(means))
    check_texts(figures.difference_plot(means - 0.55))


def test_files_repeat_byte_for_byte(tmp_path, means):
    written = []
    for _ in range(2):
        figures.save(figures.box_plot(means.iloc[:, :3]), tmp_path / "box", tuple(figures.FORMATS))
        files = sorted(tmp_path.iterdir())
        assert [path.name for path in files] == ["box.pdf", "box.png", "box.svg"]
        written.append([path.read_bytes() for path in files])
    assert written[0] == written[1]
    pdf, png, svg = written[0]
    assert (pdf[:4], png[1:4]) == (b"%PDF", b"PNG")
    assert b"CreationDate" not in pdf
    assert b"<dc:date>" not in svg


def test_files_of_an_earlier_figure_go(tmp_path):
    figure, _ = figures.new_figure(1, 1)
    for drawn, formats, left in (
        (figure, None, ["figure.png"]),
        (figure, ("svg",), ["figure.svg"]),
        (None, ("svg",), []),
    ):
        figures.save(drawn, tmp_path / "figure", formats)
        assert [path.name for path in tmp_path.iterdir()] == left


def test_without_matplotlib_the_extra_is_named(monkeypatch, means):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"needs matplotlib.*pip install 'rdep\[cli\]'"):
        figures.box_plot(means)


def test_averages_of_errors_are_errors_the_smallest_at_the_top():
    averages = pd.DataFrame({"mean": [-0.4, -0.3]}, index=["ridge", "rdep"])
    axes = figures.averages_plot(averages, "rdep", "neg_mean_absolute_error").axes[0]
    assert [text.get_text() for text in axes.texts] == ["0.400", "0.300"]
    assert axes.get_xlabel() == "Average mean absolute error"
    assert axes.xaxis_inverted()
