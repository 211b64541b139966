"""Held-out scores, against a loop over the folds and the bootstrap."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from rdep import DEPClassifier
from rdep.scoring import held_out, held_out_answers, scored
from rdep.scoring._held_out import balanced_accuracy
from rdep.tables import Schema, TrainingTable, fit_table


@pytest.fixture
def data():
    X, codes = make_classification(300, 5, weights=[0.8], flip_y=0.1, random_state=0)
    return X, np.array(["no", "yes"])[codes]


def test_folds_give_the_rows_of_cross_val_predict(data):
    X, y = data
    folds = StratifiedKFold(4, shuffle=True, random_state=3)
    found = held_out(LogisticRegression(), X, y, cv=folds, positive="no")
    expected = cross_val_predict(LogisticRegression(), X, y, cv=folds, method="predict_proba")
    tested = np.concatenate([test for _, test in folds.split(X, y)])
    np.testing.assert_allclose(found.score, expected[tested, 0])
    assert found.classes[found.y].tolist() == y[tested].tolist()
    assert found.is_positive.sum() == (y == "no").sum()
    assert found.confusion.sum() == 300


def test_decision_values_grow_with_the_positive_class(data):
    X, y = data
    model = LinearSVC().fit(X, y)
    yes, no = (scored(model, X, y, positive=label) for label in ("yes", "no"))
    np.testing.assert_array_equal(yes.score, model.decision_function(X))
    np.testing.assert_array_equal(no.score, -yes.score)
    assert not yes.of_probabilities


def test_one_part_may_be_held_out(data):
    X, y = data
    found = held_out(DEPClassifier(), X, y, cv=[(np.arange(200), np.arange(200, 300))])
    alone = DEPClassifier().fit(X[:200], y[:200])
    assert found.classes[found.predicted].tolist() == alone.predict(X[200:]).tolist()


def test_the_standard_error_is_that_of_the_bootstrap(data):
    X, y = data
    found = held_out(LogisticRegression(class_weight="balanced"), X, y)
    value, error = found.balanced_accuracy
    assert value == pytest.approx(balanced_accuracy_score(found.y, found.predicted))
    rng, values = np.random.default_rng(0), []
    classes = [np.flatnonzero(found.y == k) for k in (0, 1)]
    for _ in range(2000):
        rows = np.concatenate([rng.choice(rows, len(rows)) for rows in classes])
        values.append(balanced_accuracy_score(found.y[rows], found.predicted[rows]))
    assert error == pytest.approx(np.std(values), rel=0.1)


def test_a_class_without_rows_does_not_count():
    assert balanced_accuracy([[3, 1, 0], [0, 0, 0], [0, 0, 4]])[0] == 0.875


def test_bad_input_is_refused(data):
    X, y = data
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match=r"unknown positive class 'maybe'; the classes are"):
        scored(model, X, y, positive="maybe")
    with pytest.raises(ValueError, match="the class 'perhaps', which the model does not know"):
        scored(model, X[:2], ["no", "perhaps"])
    three = LogisticRegression().fit(X, np.arange(300) % 3)
    with pytest.raises(ValueError, match="a positive class is for two classes"):
        scored(three, X, np.arange(300) % 3, positive=1)
    assert scored(three, X, np.arange(300) % 3).score is None


def test_the_summary_of_a_fit_is_that_of_the_folds(tmp_path, data):
    X, y = data
    frame = pd.DataFrame(X).rename(columns=str).assign(y=y)
    frame.to_csv(tmp_path / "t.csv", index=False)
    summaries = {}
    for n_folds in (None, 3, 0):
        model = fit_table(
            str(tmp_path / "t.csv"),
            "y",
            "dep",
            after_fit=lambda pipeline, table, n=n_folds: (
                held_out_answers(pipeline, table, n).summary
            ),
        )
        summaries[n_folds] = model.summary["held_out"]
    assert summaries[0] is None
    assert (summaries[None]["fits"], summaries[None]["rows"]) == (5, 300)
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    model.estimator.set_output(transform="pandas")
    expected = cross_val_predict(model.estimator, frame.drop(columns="y"), y, cv=folds)
    assert summaries[3]["balanced_accuracy"] == balanced_accuracy_score(y, expected)


def test_of_many_rows_a_fifth_is_held_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1500, 2)), np.arange(1500) % 3
    schema = Schema((), (0, 1, 2))
    table = TrainingTable(pd.DataFrame(X), y, schema)
    model = make_pipeline(LogisticRegression())
    found = held_out_answers(model, table, None).summary["held_out"]
    assert (found["fits"], found["rows"]) == (1, 300)
    alone = TrainingTable(pd.DataFrame(X[:4]), np.array([0, 0, 0, 1]), schema)
    assert "class 1 has one" in held_out_answers(model, alone, None).why_not
