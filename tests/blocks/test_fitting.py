"""Fits by blocks: the same model for any blocks; the members and the stack of a fit in memory."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.preprocessing import StandardScaler

from benchmarks.problems import hard
from rdep import RDEPClassifier
from rdep.blocks import _fitting
from rdep.blocks._fitting import fit_rows
from rdep.blocks._progress import Progress
from rdep.blocks._rows import store
from rdep.exceptions import DegenerateFitWarning
from rdep.kernels import LandmarkClassifier
from rdep.orderings._stack import fitted_stack

N = 2000
CLASSES = np.array(["no", "yes"])


def rdep(**parameters):
    boosting = HistGradientBoostingClassifier(max_iter=10, random_state=0)
    return RDEPClassifier(random_state=0).set_params(ordering__boosting=boosting, **parameters)


def in_blocks(X, y, size=1000):
    return ((X[k : k + size], y[k : k + size]) for k in range(0, len(y), size))


def fitted(X, y, classes=CLASSES, memory=2 * 10**9, **parameters):
    model = rdep(**parameters)
    rows = store(in_blocks(X, y), X.shape[1], Progress())
    model.accuracy = fit_rows(model, rows, classes, memory)
    return model


@pytest.fixture(scope="module")
def data():
    return hard(N)


@pytest.fixture(scope="module")
def model(data):
    return fitted(*data)


def test_landmarks_and_regression_are_those_of_all_rows(data, model):
    X, y = data
    scaled = StandardScaler().fit_transform(X)
    np.testing.assert_allclose(model.input_scaler_.mean_, X.mean(axis=0))
    names = model.ordering_.get_feature_names_out().tolist()
    assert names == ["landmarks", "forest", "boosting", "logistic", "stack"]
    landmarks, _, _, logistic = model.ordering_.estimators_
    weight = len(y) / (2 * np.bincount(y))[y]
    in_memory = LandmarkClassifier(n_landmarks=500, alpha="auto", random_state=0)
    in_memory.fit(scaled, CLASSES[y], weight)
    assert landmarks.alpha_ == in_memory.alpha_
    np.testing.assert_allclose(
        landmarks.decision_function(scaled), in_memory.decision_function(scaled), atol=1e-8
    )
    exact = LogisticRegression(class_weight="balanced", solver="newton-cholesky", tol=1e-12)
    exact.fit(scaled, CLASSES[y])
    np.testing.assert_allclose(logistic.coef_, exact.coef_, rtol=1e-6)
    assert logistic.classes_.tolist() == ["no", "yes"]


def test_accuracy_is_that_of_new_rows(data, model):
    """Cross-fitted: the score that the fit tells is about that on rows it has not seen."""
    X, y = hard(4000, seed=1)
    score = balanced_accuracy_score(y, model.predict(X) == "yes")
    assert score > 0.8
    assert abs(score - model.accuracy) < 0.03
    assert model.n_boosting_samples_ == N
    # Probabilities are calibrated: their mean is the share of the class.
    assert model.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), abs=0.02)


def test_nearly_as_accurate_as_a_fit_in_memory(data, model):
    X, y = hard(8000, seed=2)
    in_memory = rdep().fit(data[0], CLASSES[data[1]])
    scores = [balanced_accuracy_score(y, m.predict(X) == "yes") for m in (model, in_memory)]
    assert scores[0] > scores[1] - 0.02


def test_little_memory_draws_rows_for_forest_and_boosting(data, monkeypatch):
    monkeypatch.setattr("rdep.blocks._fitting.rows_for_trees", lambda memory, n: 1000)
    found = fitted(*data)
    assert 800 < found.n_boosting_samples_ <= 1000


def test_the_stack_is_that_of_the_values(data, model, monkeypatch):
    """Refit the stack in memory on the cross-fitted values, which the fit stores."""
    kept = []
    stack_by_passes = _fitting.stack_by_passes

    def keeping(values, *arguments, **settings):
        kept.extend(values.collect(lambda block: block))
        return stack_by_passes(values, *arguments, **settings)

    monkeypatch.setattr(_fitting, "stack_by_passes", keeping)
    found = fitted(*data)
    values = np.vstack([block.X for block in kept])
    y = np.concatenate([block.y for block in kept])
    in_memory = fitted_stack(values, y, None, positive=True)
    np.testing.assert_allclose(found.ordering_.stack_[-1].coef_, in_memory[-1].coef_, atol=1e-4)
    expected = in_memory.decision_function(values).std()
    assert found.ordering_.stack_scale_ == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(
    "parameters",
    [{"ordering__stack": False}, {"ordering__shrinkage": 0.0}, {"scale_input": False},
     {"scale_ordering": False}, {"class_weight": None}, {"class_weight": {"no": 1, "yes": 4}}],
    ids=str,
)  # fmt: skip
def test_parameters(data, parameters):
    X, y = (part[:800] for part in data)
    found = fitted(X, y, **parameters)
    in_memory = rdep(**parameters).fit(X, CLASSES[y])
    other, _ = hard(2000, seed=3)
    assert np.mean(found.predict(other) == in_memory.predict(other)) > 0.9


def test_several_classes(data):
    X, y = (part[:900] for part in data)
    y = y + (X[:, 1] > 0.5)
    found = fitted(X, y, np.array([10, 20, 30]))
    assert found.classes_.tolist() == [10, 20, 30]
    assert len(found.estimators_) == 3
    assert found.score(X, 10 * y + 10) > 0.7
    assert found.predict_proba(X).shape == (900, 3)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"ordering": "signed"}, "needs ordering='mixed'"),
        ({"ordering__cv": None}, "needs ordering='mixed', or a MixedOrdering whose cv"),
        ({"ordering__max_svc_samples": None}, "keeps the SVC"),
        ({"dep": LogisticRegression()}, "needs a DEPClassifier as dep"),
        ({"dep__joint": True}, "joint=True needs all rows in memory"),
        ({"monotonic_cst": [1] + [0] * 19}, "does not take monotonic_cst"),
    ],
)
def test_what_needs_all_rows_is_refused(data, parameters, message):
    model = RDEPClassifier()
    if "ordering" not in parameters:
        model = rdep()
    model.set_params(**parameters)
    rows = store(in_blocks(data[0][:300], data[1][:300]), 20, Progress())
    with pytest.raises(ValueError, match=message):
        fit_rows(model, rows, CLASSES, 2 * 10**9)
    assert not hasattr(model, "classes_")


@pytest.mark.filterwarnings("ignore", category=DegenerateFitWarning)
def test_one_class_and_too_few_rows(data):
    X = data[0][:20]
    for y, classes, message in (
        (np.zeros(20, int), CLASSES[:1], "every row is of class no"),
        (np.arange(20) // 19, CLASSES, "too few rows for a fit by blocks"),
    ):
        with pytest.raises(ValueError, match=message):
            fitted(X, y, classes)
