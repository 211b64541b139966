"""Boxes and boundary on a plane, against the operators themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdep import dilation, erosion
from rdep.display._geometry import PlaneDEP

FRAME = np.array([[-4.0, 4.0], [-4.0, 4.0]])
GRID = np.stack(np.meshgrid(*[np.linspace(-3.9, 3.9, 61)] * 2), axis=-1).reshape(-1, 2)

numbers = st.integers(-12, 12).map(lambda k: k / 4)
pairs = st.tuples(numbers, numbers).map(np.array)
signs = st.tuples(*[st.sampled_from([-1.0, 1.0])] * 2).map(np.array)
betas = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0])
nothing_fixed = st.just((-np.inf, np.inf))
planes = st.builds(
    lambda w, m, beta, signs, fixed: PlaneDEP(w, m, beta, signs, *fixed),
    pairs, pairs, betas, signs, st.one_of(nothing_fixed, st.tuples(numbers, numbers)),
)  # fmt: skip


def operators(plane, points):
    """δ_w and ε_m by the package's own functions, the fixed part as a third feature."""
    oriented = np.column_stack([points * plane.signs, np.zeros(len(points))])
    return (
        dilation(oriented, [*plane.w, plane.dilation_floor]),
        erosion(oriented, [*plane.m, plane.erosion_ceiling]),
    )


def decision(plane, points):
    dilated, eroded = operators(plane, points)
    return plane.beta * dilated + (1 - plane.beta) * eroded


def inside(box, points, *, low_closed):
    if box is None:
        return np.zeros(len(points), bool)
    above = points >= box[:, 0] if low_closed else points > box[:, 0]
    below = points <= box[:, 1] if low_closed else points < box[:, 1]
    return (above & below).all(axis=1)


@given(planes)
def test_boxes_hold_what_the_operators_say(plane):
    dilated, eroded = operators(plane, GRID)
    assert np.array_equal(inside(plane.dilation_box(), GRID, low_closed=False), dilated < 0)
    assert np.array_equal(inside(plane.erosion_box(), GRID, low_closed=True), eroded >= 0)


@given(planes)
def test_the_boundary_separates_the_decisions(plane):
    """A grid point is positive if and only if it is not below the line along its diagonal."""
    line = plane.boundary(FRAME) * plane.signs
    positive = decision(plane, GRID) >= 0
    if len(line) == 0:
        assert positive.all() or not positive.any()
        return
    diagonals = line[:, 1] - line[:, 0]
    assert (np.diff(diagonals) > 0).all()
    u, v = (GRID * plane.signs).T
    entry = np.interp(v - u, diagonals, line[:, 0])
    away = np.abs(u - entry) > 1e-9  # rounding decides on the line itself
    assert np.array_equal((u > entry)[away], positive[away])


@given(planes)
def test_every_corner_of_the_boundary_is_positive_and_nothing_below_it(plane):
    line = plane.boundary(FRAME)
    below = line - 1e-6 * plane.signs
    assert (decision(plane, line) >= -1e-9).all()
    assert (decision(plane, below) < 1e-9).all()


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_any_scale(scale, offset):
    """Scaling and shifting the plane scales and shifts the line: no grid has to resolve it."""
    w, m = np.array([2.0, 1.0]), np.array([1.0, 2.25])
    ones = np.ones(2)
    expected = PlaneDEP(w, m, 0.2, ones).boundary(FRAME)
    moved = PlaneDEP(w * scale - offset, m * scale - offset, 0.2, ones)
    found = moved.boundary(FRAME * scale + offset)
    assert found == pytest.approx(expected * scale + offset, rel=1e-12, abs=1e-9 * scale)


def test_one_operator_alone_has_the_boundary_of_its_box():
    w = np.array([1.0, -0.5])
    line = PlaneDEP(w, None, 1.0, np.ones(2)).boundary(FRAME)
    assert {tuple(corner) for corner in line} >= {(-1.0, 0.5)}
    edges = np.isclose(line, -w)
    assert edges.any(axis=1).all()
    assert PlaneDEP(w, None, 1.0, np.ones(2), dilation_floor=0.0).boundary(FRAME).shape == (0, 2)
    assert PlaneDEP(None, w, 0.0, np.ones(2), erosion_ceiling=-1.0).boundary(FRAME).shape == (0, 2)
    assert len(PlaneDEP(None, w, 0.0, np.ones(2), erosion_ceiling=0.0).boundary(FRAME)) >= 3


def test_the_boundary_of_the_papers_figure_1():
    """By hand: the line u = −1.2, and right of it 0.2 (2 + u) + 0.8 (2.25 + v) = 0."""
    plane = PlaneDEP(np.array([2.0, 1.0]), np.array([1.0, 2.25]), 0.2, np.ones(2))
    line = plane.boundary(FRAME)
    corner = line[np.argmin(np.abs(line - (-1.2, -2.45)).sum(axis=1))]
    assert corner == pytest.approx([-1.2, -2.45])
    assert 0.2 * (2 + line[0, 0]) + 0.8 * (2.25 + line[0, 1]) == pytest.approx(0)
