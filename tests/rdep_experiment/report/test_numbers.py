"""Predictions and residuals of held-out rows in figures."""

import numpy as np

from rdep_experiment.report._held_out import baseline_text, loss_of
from rdep_experiment.report._numbers import number_drawings, pairs

ROWS = [
    {"classifier": "ridge", "held_out": {"numbers": [[1.0, 1.5], [2.0, 2.25]]}},
    {"classifier": "model", "held_out": {"numbers": [[1.0, 0.5]]}},
    {"classifier": "model", "held_out": {"numbers": [[3.0, 4.0]]}},
    {"classifier": "broken", "held_out": None},
]


def points(figure):
    return figure.axes[0].collections[0].get_offsets().tolist()


def test_the_points_are_those_of_the_model_over_all_folds():
    drawn = number_drawings(pairs(ROWS), ["ridge", "model"], "price ($)")
    assert points(drawn["predicted"]) == [[0.5, 1.0], [4.0, 3.0]]
    assert points(drawn["residuals"]) == [[0.5, 0.5], [4.0, -1.0]]
    assert drawn["residuals"].axes[0].get_ylabel() == "price ($) minus prediction"


def test_without_a_model_it_is_the_first_regressor():
    drawn = number_drawings(pairs(ROWS[:1]), ["ridge"], "y")
    assert "Ridge" in drawn["predicted"].axes[0].get_xlabel()
    assert number_drawings({}, ["ridge"], "y") == {}
    np.testing.assert_array_equal(pairs(ROWS)["model"], [[1.0, 0.5], [3.0, 4.0]])


def test_texts():
    numbers = {"low": 1.0, "median": 2.5, "high": 123456.0, "error_of_median": 0.75}
    assert baseline_text({"numbers_to_predict": numbers}) == (
        "Always the median 2.5: mean absolute error 0.75 (numbers from 1 to 1.2346e+05)."
    )
    assert loss_of({"task": "regression"}) == "Increase of the mean absolute error"
    assert loss_of({}) == "Loss of balanced accuracy"
