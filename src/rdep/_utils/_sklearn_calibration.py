"""Private names of scikit-learn (1.9) behind a fitted calibration."""

import numpy as np
from sklearn.calibration import _CalibratedClassifier as CalibratedPair
from sklearn.calibration import _SigmoidCalibration as SigmoidCalibration
from sklearn.calibration import _TemperatureScaling as TemperatureScaling

__all__ = ["CalibratedPair", "SigmoidCalibration", "TemperatureScaling", "knows_all_classes"]


def knows_all_classes(pair: CalibratedPair) -> bool:
    """Whether the classifier of a pair knows all classes; temperature scaling numbers texts."""
    known = pair.estimator.classes_
    return np.array_equal(known, pair.classes) or (
        pair.method == "temperature" and np.array_equal(known, np.arange(len(pair.classes)))
    )
