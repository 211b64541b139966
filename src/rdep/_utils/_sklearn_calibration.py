"""Private names of scikit-learn (1.7 to 1.9) behind a fitted calibration."""

import numpy as np
import sklearn.calibration
from sklearn.calibration import _CalibratedClassifier as CalibratedPair
from sklearn.calibration import _SigmoidCalibration as SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

__all__ = ["MAPS", "CalibratedPair", "SigmoidCalibration", "knows_all_classes"]

# From decision values to probabilities, by the name of the method.
MAPS: dict[str, type] = {"sigmoid": SigmoidCalibration, "isotonic": IsotonicRegression}
if hasattr(sklearn.calibration, "_TemperatureScaling"):  # from 1.8 on
    MAPS["temperature"] = sklearn.calibration._TemperatureScaling


def knows_all_classes(pair: CalibratedPair) -> bool:
    """Whether the classifier of a pair knows all classes; temperature scaling numbers texts."""
    known = pair.estimator.classes_
    return np.array_equal(known, pair.classes) or (
        pair.method == "temperature" and np.array_equal(known, np.arange(len(pair.classes)))
    )
