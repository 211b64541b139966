"""Columns behind members, against single replacements and the sum that linear members have."""

import numpy as np
import pandas as pd
import pytest
from sklearn.svm import SVC

from rdep import RDEPClassifier
from rdep.orderings import EnsembleOrdering
from rdep.scoring import moved_by
from rdep.scoring._attribution import column_changes
from rdep.tables import TableModel, fit_table


@pytest.fixture
def frame():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return pd.DataFrame(X, columns=["a", "b", "c"])


def rdep_on(members, frame, y):
    rdep = RDEPClassifier(EnsembleOrdering(members, stack=False))
    return TableModel.of(rdep.fit(frame, y))


def test_changes_of_a_linear_member_add_up(frame):
    y = (frame["a"] - 0.3 * frame["b"] > 0).to_numpy()
    model = rdep_on(
        [("line", SVC(kernel="linear")), ("other", SVC(kernel="linear", C=9))], frame, y
    )
    zeros = np.zeros(60, dtype=int)
    changes = column_changes(model, frame, zeros, zeros, 60)
    value = model.estimator.reduced_space(frame)[:, 0]
    np.testing.assert_allclose(changes.sum(axis=1), value - value.mean(), atol=1e-9)
    slopes = [np.polyfit(frame[name], changes[:, k], 1)[0] for k, name in enumerate(frame)]
    assert slopes[0] > 0 > slopes[1]


def test_every_row_is_that_of_single_replacements(frame):
    y = np.where(frame["a"] * frame["b"] > 0, "yes", "no")
    model = rdep_on([("rbf", SVC()), ("poly", SVC(kernel="poly"))], frame, y)
    found = moved_by(model, frame, n_background=5)
    explained = model.explain(frame)
    background = frame.iloc[np.linspace(0, 59, 5).astype(int)]
    for row in (0, 17, 59):
        shares = explained.dilation_share[row], explained.erosion_share[row]
        by = (
            explained.dilation_index
            if abs(shares[0]) >= abs(shares[1])
            else explained.erosion_index
        )
        assert found["member"][row] == explained.names[by[row]]
        change = {}
        for name in frame.columns:
            values = []
            for other in background[name]:
                single = frame.iloc[[row]].assign(**{name: other})
                values.append(model.estimator.reduced_space(single)[0, by[row]])
            own = model.estimator.reduced_space(frame.iloc[[row]])[0, by[row]]
            change[name] = own - np.mean(values)
        order = sorted(change, key=lambda name: -abs(change[name]))
        assert [found[f"moved_by_{k}"][row] for k in (1, 2, 3)] == order
        shown = [found[f"change_{k}"][row] for k in (1, 2, 3)]
        np.testing.assert_allclose(shown, [change[name] for name in order], atol=1e-9)


def test_categories_and_several_classes(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"x": rng.normal(size=90), "kind": rng.choice(["p", "q", "r"], 90)})
    frame["y"] = np.where(rng.random(90) < 0.1, "p", frame["kind"])
    frame.to_csv(tmp_path / "t.csv", index=False)
    model = fit_table(str(tmp_path / "t.csv"), "y", ordering="ensemble")
    found = moved_by(model, frame[["x", "kind"]])
    assert (found["moved_by_1"] == "kind").mean() > 0.9
    assert (found["change_1"] > 0).mean() > 0.9
    assert found["member"].isin(["rbf", "linear", "poly"]).all()


def test_models_without_members_name_columns_already(frame):
    y = (frame["a"] > 0).to_numpy()
    for model in (RDEPClassifier("signed"), RDEPClassifier("boxes")):
        with pytest.raises(ValueError, match="has no members: explain names its columns already"):
            moved_by(TableModel.of(model.fit(frame, y)), frame)
