"""Probabilities: labels of any kind with class weights, and one row far outside."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, LinearDEPClassifier, RDEPClassifier
from rdep.exceptions import ExtremeValueWarning
from rdep.model_files import load_model, save_model
from rdep.tables import CALIBRATIONS, HeldOutCalibration

from ..real_tables import run_onnx

RANDOM = np.random.default_rng(3)


def noisy(n):
    X = RANDOM.normal(size=(n, 4))
    X[:, 3] = 7 + 1e-3 * X[:, 3]  # nearly constant
    y = X[:, 0] + 0.5 * X[:, 1] ** 2 + 0.6 * RANDOM.normal(size=n) > 0.4
    return X, y.astype(int)


X, Y = noisy(200)
X_TEST, Y_TEST = noisy(600)
FAR = X.copy()
FAR[17, 3] += 28.544  # 28,544 standard deviations of the other rows
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
IRIS, SPECIES = load_iris(return_X_y=True)
METHODS = pytest.mark.parametrize("method", CALIBRATIONS)


@METHODS
@pytest.mark.parametrize(
    "model", [GaussianNB(), DEPClassifier(), RandomForestClassifier(10, random_state=0)], ids=repr
)
@pytest.mark.parametrize("data", [(X, Y), (IRIS, SPECIES)], ids=["two", "three"])
def test_on_ordinary_data_it_is_that_of_scikit_learn(model, method, data):
    theirs = CalibratedClassifierCV(model, method=method, cv=FOLDS, ensemble=False).fit(*data)
    ours = HeldOutCalibration(model, method=method, cv=FOLDS).fit(*data)
    np.testing.assert_allclose(ours.predict_proba(data[0]), theirs.predict_proba(data[0]))


@METHODS
@pytest.mark.parametrize(
    "labels", [np.array(["b", "c", "a"]), np.array([1, 2, 3]), np.array([7, 0, 2])], ids=repr
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_class_weights_are_those_of_the_labels(method, labels, n_classes):
    """By hand: held-out values of classifiers with these weights, on labels that are 0, 1, …."""
    labels = np.sort(labels) if n_classes == 2 else labels
    rows, codes = (X, Y) if n_classes == 2 else (IRIS[:, :2], SPECIES)
    weights = {0: 20.0, 1: 1.0, 2: 3.0}
    order = np.argsort(labels[:n_classes])
    named = {labels.tolist()[k]: weights[k] for k in range(n_classes)}
    model = LinearDEPClassifier((1, 1), class_weight=named)
    found = HeldOutCalibration(model, method=method, cv=FOLDS).fit(rows, labels[codes])
    numbered = clone(model).set_params(class_weight={k: weights[k] for k in range(n_classes)})
    expected = CalibratedClassifierCV(numbered, method=method, cv=FOLDS, ensemble=False)
    expected.fit(rows, codes)
    np.testing.assert_allclose(
        found.predict_proba(rows), expected.predict_proba(rows)[:, order], atol=1e-6
    )


def test_classes_that_scikit_learn_has_numbered_are_named_in_the_error():
    model = DEPClassifier(class_weight={"yes": 5.0})
    calibrated = CalibratedClassifierCV(model, cv=2, ensemble=False)
    with pytest.raises(ValueError, match="classes by 0, 1, … .*HeldOutCalibration"):
        calibrated.fit(X, np.where(Y, "yes", "no"))


def scores(calibrated):
    positive = calibrated.predict_proba(X_TEST)[:, 1]
    return roc_auc_score(Y_TEST, positive), balanced_accuracy_score(Y_TEST, positive > 0.5)


MODELS = {
    "paper": RDEPClassifier.paper(),
    "signed": RDEPClassifier("signed"),
    "dep": make_pipeline(StandardScaler(), DEPClassifier()),
    "linear": make_pipeline(StandardScaler(), LinearDEPClassifier((1, 1))),
}


# Isotonic maps see the order of values only.
BY_SIZE = pytest.mark.parametrize("method", [m for m in CALIBRATIONS if m != "isotonic"])


@BY_SIZE
@pytest.mark.parametrize("name", MODELS)
def test_one_row_far_outside_does_not_silence_a_model(name, method):
    calibrated = HeldOutCalibration(MODELS[name], method=method, cv=FOLDS)
    usual = scores(clone(calibrated).fit(X, Y))
    named = r"(training sample 17|\d\d,\d{3} standard deviations)"
    with pytest.warns(ExtremeValueWarning, match=named):
        calibrated.fit(FAR, Y)
    assert scores(calibrated) == pytest.approx(usual, abs=0.05)


@BY_SIZE
def test_nor_does_it_with_scikit_learns_calibration_of_an_rdep(method):
    model = MODELS["paper"]
    calibrated = CalibratedClassifierCV(model, method=method, cv=FOLDS, ensemble=False)
    with pytest.warns(
        ExtremeValueWarning, match=r"'x3' is 35.5\d*, \d\d,\d{3} standard deviations"
    ):
        calibrated.fit(FAR, Y)
    usual = scores(HeldOutCalibration(model, method=method, cv=FOLDS).fit(X, Y))
    assert scores(calibrated) == pytest.approx(usual, abs=0.05)


def test_the_row_that_is_left_out_is_named():
    model = make_pipeline(StandardScaler(), DEPClassifier())
    with pytest.warns(ExtremeValueWarning, match="training sample 17 .* has an extreme decision"):
        HeldOutCalibration(model, cv=FOLDS).fit(FAR, Y)
    # Another row of the same fold: both are far from all rows of the others.
    fold = next(test for _, test in FOLDS.split(X, Y) if 17 in test)
    twice = FAR.copy()
    twice[fold[fold != 17][0], 3] = FAR[17, 3]
    with pytest.warns(ExtremeValueWarning, match=r"training sample \d+ .* and 1 more have"):
        HeldOutCalibration(model, cv=FOLDS).fit(twice, Y)


def test_folds_and_methods_must_fit():
    with pytest.raises(ValueError, match="unknown calibration 'platt'"):
        HeldOutCalibration(DEPClassifier(), method="platt").fit(X, Y)
    one_class = [(np.flatnonzero(Y == 0), np.flatnonzero(Y == 1))]
    with pytest.raises(ValueError, match="training samples of a fold .* lack a class"):
        HeldOutCalibration(DEPClassifier(), cv=one_class).fit(X, Y)
    with pytest.raises(ValueError, match="every sample into a test fold"):
        HeldOutCalibration(DEPClassifier(), cv=[(np.arange(100), np.arange(100, 150))]).fit(X, Y)


def test_sample_weights_reach_the_classifier_and_the_map():
    weights = np.arange(len(Y)) % 3
    used = np.flatnonzero(weights)
    folds = [(a[np.isin(a, used)], b) for a, b in FOLDS.split(X, Y)]
    theirs = CalibratedClassifierCV(DEPClassifier(), cv=folds, ensemble=False)
    theirs.fit(X, Y, sample_weight=weights)
    ours = HeldOutCalibration(DEPClassifier(), cv=folds).fit(X, Y, sample_weight=weights)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.filterwarnings("ignore::rdep.exceptions.ExtremeValueWarning")
def test_files_and_graphs_draw_extreme_values_in_too(tmp_path):
    outside = np.vstack([X_TEST[:50], [[0.0, 0.0, 0.0, 7e6]], [[0.0, 0.0, 0.0, -3e3]]])
    for labels in (Y, np.where(X[:, 2] > 0.7, 2, Y)):
        model = RDEPClassifier.paper().fit(X, labels)
        values = model.decision_function(outside)
        assert np.abs(values).max() > 1.99 * model._reach()
        save_model(model, tmp_path / "model.rdep")
        loaded = load_model(tmp_path / "model.rdep").estimator
        np.testing.assert_array_equal(loaded.decision_function(outside), values)
        predicted, scores = run_onnx(model, {"X": outside})
        np.testing.assert_array_equal(predicted, model.predict(outside))
        np.testing.assert_allclose(np.squeeze(scores), values, rtol=1e-9, atol=1e-9)
