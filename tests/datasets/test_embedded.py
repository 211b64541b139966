"""The embedded data are those of the sources they name."""

import numpy as np

from rdep.datasets import load_ripley, load_sunspots, make_double_moon


def test_the_embedded_points_are_ripleys():
    X_train, X_test, y_train, y_test = load_ripley()
    assert X_train.shape == (250, 2)
    assert X_test.shape == (1000, 2)
    assert np.bincount(y_train).tolist() == [125, 125]
    assert np.bincount(y_test).tolist() == [500, 500]
    assert X_train[0].tolist() == [0.05100797, 0.16086164]


def test_the_double_moon_has_the_papers_sizes():
    X_train, X_test, y_train, y_test = make_double_moon()
    assert (len(X_train), len(X_test)) == (1000, 2000)
    assert X_train[y_train == 1, 1].mean() > X_train[y_train == 0, 1].mean()
    assert len(y_test) == 2000


def test_the_embedded_series_are_the_sunspots():
    years, sunspots = load_sunspots()
    assert years.tolist() == list(range(1700, 2009))
    assert years[sunspots.argmax()] == 1957  # the highest maximum on record
    assert (sunspots >= 0).all()
    assert sunspots[[0, -1]].tolist() == [5.0, 2.9]
