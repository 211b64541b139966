import numpy as np
import pytest

from rdep import DEPClassifier
from rdep.datasets import load_ripley
from rdep.display import CertifiedAccuracyDisplay
from rdep.guarantees import certified_accuracy, robustness_radius


def test_the_curve_is_the_certified_accuracy():
    X, X_test, y, y_test = load_ripley()
    dep = DEPClassifier().fit(X, y)
    radii = robustness_radius(dep, X_test).radii
    display = CertifiedAccuracyDisplay.from_predictions(
        y_test, dep.predict(X_test), radii, name="DEP"
    )
    asked = np.linspace(0, 0.6, 50)
    shown = display.accuracy[np.searchsorted(display.radii, asked, side="right") - 1]
    assert shown == pytest.approx(certified_accuracy(dep, X_test, y_test, asked), abs=1e-12)
    (line,) = display.ax_.lines
    assert np.array_equal(line.get_xdata(), display.radii)
    assert np.array_equal(line.get_ydata(), display.accuracy)
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["DEP"]


def test_two_curves_share_axes_and_differ():
    first = CertifiedAccuracyDisplay.from_predictions([0, 1], [0, 1], [1.0, np.inf], name="a")
    second = CertifiedAccuracyDisplay.from_predictions(
        [0, 1], [0, 0], [1.0, 2.0], name="b", ax=first.ax_
    )
    assert first.accuracy.tolist() == [1.0, 0.5, 0.0]
    assert second.accuracy.tolist() == [0.5, 0.0]
    one, two = first.ax_.lines
    assert one.get_color() != two.get_color()
    assert np.isfinite(one.get_xdata()).all()
