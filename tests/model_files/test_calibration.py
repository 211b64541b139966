"""Calibrated classifiers in model files: what comes back, and which forgeries are refused."""

from copy import copy, deepcopy
from functools import cache

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier, EnsembleOrdering, RDEPClassifier
from rdep._utils._sklearn_fitted import MAPS
from rdep.datasets import load_ripley
from rdep.model_files import _files, load_model, save_model
from rdep.tables import Schema, TableModel

X, X_TEST, Y, _ = load_ripley()
IRIS, IRIS_Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("method", list(MAPS))
@pytest.mark.parametrize("ensemble", [False, True])
def test_probabilities_come_back_as_they_were(tmp_path, method, ensemble):
    texts = np.array(["no", "yes"])[Y]
    pipeline = make_pipeline(StandardScaler(), DEPClassifier())
    of_two, of_three = (X, texts, X_TEST), (IRIS, IRIS_Y, IRIS)
    for inner, (samples, y, new) in ((DEPClassifier(), of_three), (pipeline, of_two)):
        model = CalibratedClassifierCV(inner, method=method, cv=2, ensemble=ensemble)
        model.fit(samples, y)
        save_model(model, tmp_path / "model.rdep")
        back = load_model(tmp_path / "model.rdep")
        assert np.array_equal(back.estimator.predict_proba(new), model.predict_proba(new))
        assert np.array_equal(back.estimator.predict(new), model.predict(new))
        assert type(back.classifier) is DEPClassifier


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(StandardScaler(), CalibratedClassifierCV(DEPClassifier(), cv=2)),
        CalibratedClassifierCV(FrozenEstimator(DEPClassifier().fit(X[::2], Y[::2]))),
        RDEPClassifier(EnsembleOrdering([("a", CalibratedClassifierCV(LogisticRegression()))])),
    ],
    ids=["in a pipeline", "fitted before", "a member"],
)
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_calibration_in_other_places(tmp_path, model):
    model.fit(X, Y)
    save_model(model, tmp_path / "model.rdep")
    back = load_model(tmp_path / "model.rdep").estimator
    assert np.array_equal(back.predict(X_TEST), model.predict(X_TEST))


def first_map(model):
    return model.calibrated_classifiers_[0].calibrators[0]


def thresholds(x, y):
    def change(model):
        isotonic = first_map(model)
        isotonic.X_thresholds_, isotonic.y_thresholds_ = np.array(x), np.array(y)
        isotonic.X_min_, isotonic.X_max_ = isotonic.X_thresholds_[[0, -1]]

    return change


def set_in_map(**values):
    return lambda model: vars(first_map(model)).update(values)


def set_in_pair(**values):
    return lambda model: vars(model.calibrated_classifiers_[0]).update(values)


ISOTONIC, NUMBERS = "thresholds of an isotonic calibration", "not finite numbers"
FORGERIES = {
    "slope": ("sigmoid", set_in_map(a_=np.float64("nan")), NUMBERS),
    "intercept": ("sigmoid", set_in_map(b_=np.float64("inf")), NUMBERS),
    "a text": ("sigmoid", set_in_map(a_="1.0"), NUMBERS),
    "an array": ("sigmoid", set_in_map(a_=np.ones(3)), NUMBERS),
    "temperature": ("temperature", set_in_map(beta_=np.float64(-1.0)), "not positive"),
    "no temperature": ("temperature", set_in_map(beta_=np.float64("nan")), NUMBERS),
    "falling": ("isotonic", thresholds([-1.0, 1.0], [0.9, 0.1]), ISOTONIC),
    "unsorted": ("isotonic", thresholds([1.0, -1.0], [0.1, 0.9]), ISOTONIC),
    "twice": ("isotonic", thresholds([1.0, 1.0], [0.1, 0.9]), ISOTONIC),
    "above one": ("isotonic", thresholds([-1.0, 1.0], [0.1, 7.0]), ISOTONIC),
    "below zero": ("isotonic", thresholds([-1.0, 1.0], [-0.1, 0.5]), ISOTONIC),
    "infinite": ("isotonic", thresholds([-np.inf, 1.0], [0.1, 0.5]), ISOTONIC),
    "no number": ("isotonic", thresholds([-1.0, 1.0], [0.1, np.nan]), ISOTONIC),
    "single precision": ("isotonic", thresholds(np.float32([0, 1]), [0.1, 0.9]), ISOTONIC),
    "a matrix": ("isotonic", thresholds([[0.0], [1.0]], [[0.1], [0.9]]), ""),
    "another end": ("isotonic", set_in_map(X_max_=np.float64(1e9)), ISOTONIC),
    "out of bounds": ("isotonic", set_in_map(out_of_bounds="nan"), ISOTONIC),
    "decreasing": ("isotonic", set_in_map(increasing_=False), ISOTONIC),
    "method": ("sigmoid", set_in_pair(method="isotonic"), "another method or other classes"),
    "no method": ("sigmoid", lambda model: set_methods(model, "none"), "another method"),
    "classes": ("sigmoid", set_in_pair(classes=np.array([1, 0])), "another method or other"),
    "no maps": ("sigmoid", set_in_pair(calibrators=[]), "of 2 classes needs 1 maps"),
    "two maps": (
        "sigmoid",
        lambda model: model.calibrated_classifiers_[0].calibrators.append(first_map(model)),
        "of 2 classes needs 1 maps",
    ),
    "another map": (
        "sigmoid",
        set_in_pair(calibrators=[IsotonicRegression().fit([0.0, 1.0], [0.0, 1.0])]),
        "an object that is not a _SigmoidCalibration",
    ),
    "no pairs": (
        "sigmoid",
        lambda model: vars(model).update(calibrated_classifiers_=[]),
        "objects other than calibrated classifiers",
    ),
    "no pair": (
        "sigmoid",
        lambda model: model.calibrated_classifiers_.append(DEPClassifier().fit(X, Y)),
        "objects other than calibrated classifiers",
    ),
    "a method replaced": ("sigmoid", set_in_map(predict=1.0), "replaces methods"),
    "outside": (
        "sigmoid",
        lambda model: vars(model).update(more=[copy(first_map(model))]),
        "outside of a calibrated classifier",
    ),
}


@cache
def fitted(method):
    return CalibratedClassifierCV(DEPClassifier(), method=method, cv=2, ensemble=False).fit(X, Y)


def set_methods(model, method):
    model.method = model.calibrated_classifiers_[0].method = method


@pytest.mark.parametrize("name", [name for name in FORGERIES if FORGERIES[name][0] in MAPS])
def test_a_forged_calibration_is_refused(tmp_path, monkeypatch, name):
    method, change, message = FORGERIES[name]
    model = deepcopy(fitted(method))
    path, schema = tmp_path / "model.rdep", Schema.from_estimator(model)
    change(model)
    with monkeypatch.context() as patch:  # as an attacker, who checks nothing
        for check in ("check_contents", "_check_kind"):
            patch.setattr(_files, check, lambda model: None)
        patch.setattr(_files, "probe_scores", lambda model: np.zeros((8, 2)))
        save_model(TableModel(model, schema), path)
    with pytest.raises(ValueError, match=f"could not be loaded .*{message}"):
        load_model(path)


def test_a_calibration_that_cannot_be_loaded_is_not_saved(tmp_path):
    model = deepcopy(fitted("sigmoid"))
    first_map(model).a_ = np.float64("nan")
    with pytest.raises(ValueError, match=NUMBERS):
        save_model(model, tmp_path / "model.rdep")
    assert not any(tmp_path.iterdir())
