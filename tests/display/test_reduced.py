"""The reduced space: its points are ρ(x), its DEP decides as the r-DEP does."""

import numpy as np
from sklearn.svm import SVC

from rdep import EnsembleOrdering, RDEPClassifier
from rdep.display import ReducedSpaceDisplay


def test_points_and_line_agree_with_the_predictions(ripley):
    X, y = ripley
    members = EnsembleOrdering([("rbf", SVC()), ("linear", SVC(kernel="linear"))])
    model = RDEPClassifier(members).fit(X, y)
    display = ReducedSpaceDisplay.from_estimator(model, X, y)
    assert display.feature_names == ("rbf", "linear")
    assert display.note is None
    assert np.array_equal(display.samples.points, model.reduced_space(X))
    u, v = display.samples.points.T
    line = display.boundary
    entry = np.interp(v - u, line[:, 1] - line[:, 0], line[:, 0])
    # A sample at the line itself, to where the best β brings one, may be rounded to either side.
    clear = np.abs(u - entry) > 1e-9
    assert clear.sum() >= len(X) - 1
    assert np.array_equal((u >= entry)[clear], model.predict(X)[clear] == 1)


def test_more_members_are_a_cut_through_their_medians(ripley, rdep):
    X, y = ripley
    display = ReducedSpaceDisplay.from_estimator(rdep, X, y, features=("poly", "rbf"))
    reduced = rdep.reduced_space(X)
    assert np.array_equal(display.samples.points, reduced[:, [2, 0]])
    assert display.note == "cut with linear at its median; samples projected"
    w, m = rdep.dep_.dilation_weights_, rdep.dep_.erosion_weights_
    medians = np.median(reduced, axis=0)
    assert (display.dilation_box is None) == (w[1] + medians[1] >= 0)
    assert (display.erosion_box is None) == (m[1] + medians[1] < 0)
    on_cut = np.tile(medians, (len(X), 1))
    on_cut[:, [2, 0]] = display.samples.points
    u, v = display.samples.points.T
    line = display.boundary
    entry = np.interp(v - u, line[:, 1] - line[:, 0], line[:, 0])
    assert np.array_equal(u >= entry, rdep.dep_.predict(on_cut) == 1)
