"""The objective per step, from what training recorded."""

import numpy as np

from rdep import DEPClassifier
from rdep.display import ObjectiveDisplay


def test_histories_and_escapes_are_those_of_the_fit(ripley, dep):
    display = ObjectiveDisplay.from_estimator(dep)
    for operator, line in zip(("dilation", "erosion"), display.ax_.lines, strict=True):
        result = getattr(dep, f"{operator}_result_")
        assert np.array_equal(line.get_ydata(), result.history)
        assert np.array_equal(display.histories[operator], result.history)
        assert display.escapes[operator] == result.escapes
        assert result.status in line.get_label()
    assert dep.erosion_result_.escapes  # otherwise nothing below is tested
    (marks,) = display.ax_.collections
    expected = [
        (step, result.history[step])
        for result in (dep.dilation_result_, dep.erosion_result_)
        for step in result.escapes
    ]
    assert np.array_equal(marks.get_offsets(), expected)


def test_without_escapes_there_is_no_mark(ripley):
    display = ObjectiveDisplay.from_estimator(DEPClassifier.paper().fit(*ripley))
    assert not display.ax_.collections


def test_a_perceptron_and_an_r_dep(erosion, rdep):
    assert list(ObjectiveDisplay.from_estimator(erosion).histories) == ["erosion"]
    histories = ObjectiveDisplay.from_estimator(rdep).histories
    assert np.array_equal(histories["dilation"], rdep.dep_.dilation_result_.history)
