"""Importance of columns, against scikit-learn's and against columns without any effect."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression

from rdep import BoxScoreClassifier
from rdep.scoring import importance
from rdep.tables import fit_table


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    return X, (X[:, 0] + 0.5 * X[:, 2] > 0).astype(int)


@pytest.mark.parametrize("as_frame", [False, True])
def test_single_columns_are_scikit_learns(data, as_frame):
    X, y = data
    X = pd.DataFrame(X, columns=["a", "b", "c"]) if as_frame else X
    model = LogisticRegression().fit(X[:150], y[:150])
    ours = importance(model, X[150:], y[150:], n_repeats=3)
    theirs = permutation_importance(
        model, X[150:], y[150:], scoring="balanced_accuracy", n_repeats=3, random_state=0
    )
    np.testing.assert_array_equal(ours.losses, theirs.importances)
    assert ours.columns == (("a", "b", "c") if as_frame else ("x0", "x1", "x2"))


def test_features_of_a_column_move_together(data):
    X, y = data
    X = np.c_[X, X[:, 0]]  # the model may use either copy
    model = LogisticRegression().fit(X, y)
    alone = importance(model, X, y).mean[0]
    together = importance(model, X, y, columns={"twice": [0, 3], "rest": [1, 2]})
    assert together.columns == ("twice", "rest")
    assert together.mean[0] > 1.8 * alone


def test_folds_are_held_out():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 4)), rng.integers(0, 2, 200)
    model = BoxScoreClassifier(16, max_faces=4, cv=None)
    on_training_rows = importance(model.fit(X, y), X, y)
    found = importance(model, X, y, cv=4, n_repeats=2)
    assert found.losses.shape == (4, 8)
    assert on_training_rows.mean.max() > 0.05 > abs(found.mean).max()


def test_a_category_is_one_column(tmp_path):
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "blue", "green"], 200)
    frame = pd.DataFrame({"noise": rng.normal(size=200), "colour": colour, "id": "x"})
    frame["y"] = np.where((colour == "red") ^ (rng.random(200) < 0.1), "yes", "no")
    frame.to_csv(tmp_path / "t.csv", index=False)
    model = fit_table(str(tmp_path / "t.csv"), "y", "box_score", drop=("id",))
    found = importance(model, frame.drop(columns="id"), frame["y"])
    assert found.columns == ("noise", "colour")
    assert found.mean[1] > 0.2 > found.mean[0]
    assert str(found).splitlines()[1].startswith("colour")


def test_large_tables_are_sampled(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    assert importance(model, X, y, max_rows=50).losses.shape == (3, 5)
    with pytest.raises(ValueError, match="n_repeats"):
        importance(model, X, y, n_repeats=0)
