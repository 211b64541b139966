"""Boxes on a plane: those of the model that the plane meets."""

import numpy as np
import pytest
from matplotlib.patches import Rectangle
from sklearn.datasets import load_iris

from rdep import CompetitiveClassifier, DEPClassifier
from rdep.display import BoxesDisplay, RegionsDisplay

from ..figure_texts import check_texts


def test_all_boxes_of_two_features_are_drawn(ripley):
    X, y = ripley
    model = CompetitiveClassifier(max_boxes=4).fit(X, y)
    display = BoxesDisplay.from_estimator(model, X, y)
    assert display.n_missed == 0
    drawn = [patch for patch in display.ax_.patches if isinstance(patch, Rectangle)]
    corners = [[patch.get_xy(), np.add(patch.get_xy(), [patch.get_width(), patch.get_height()])]
               for patch in drawn]  # fmt: skip
    assert np.allclose(corners, np.concatenate(model.boxes_))
    check_texts(display.figure_)


def test_a_cut_meets_some_boxes():
    X, y = load_iris(return_X_y=True)
    model = CompetitiveClassifier().fit(X, y)
    display = BoxesDisplay.from_estimator(model, X, y, features=(2, 3), at=X[0])
    assert len(display.boxes[0]) == 1
    assert sum(map(len, display.boxes.values())) + display.n_missed == sum(map(len, model.boxes_))
    assert display.n_missed > 0
    assert f"{display.n_missed} boxes missed" in display.ax_.get_title()
    check_texts(display.figure_)


def test_without_classes_the_boxes_are_in_the_legend(ripley):
    X, y = ripley
    model = CompetitiveClassifier(max_boxes=2).fit(X, y)
    display = BoxesDisplay.from_estimator(model, X)
    assert display.ax_.get_legend_handles_labels()[1] == ["boxes of 0", "boxes of 1"]


def test_other_models_are_told_where_to_go(ripley):
    X, y = ripley
    with pytest.raises(TypeError, match="RegionsDisplay for the others"):
        BoxesDisplay.from_estimator(DEPClassifier().fit(X, y), X)
    with pytest.raises(TypeError, match="BoxesDisplay draws its boxes"):
        RegionsDisplay.from_estimator(CompetitiveClassifier().fit(X, y), X)
