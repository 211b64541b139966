"""Morphological perceptrons: single operators, DEPs, linear DEPs and reduced DEPs."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._dep import DEPClassifier as DEPClassifier
    from ._dep_cv import DEPClassifierCV as DEPClassifierCV
    from ._dep_passes import fit_dep_by_passes as fit_dep_by_passes
    from ._dep_regressor import DEPRegressor as DEPRegressor
    from ._lags import LagFeatures as LagFeatures
    from ._linear_dep import LinearDEPClassifier as LinearDEPClassifier
    from ._linear_dep_regressor import LinearDEPRegressor as LinearDEPRegressor
    from ._max_plus import MaxPlusRegressor as MaxPlusRegressor
    from ._morphological import MorphologicalPerceptron as MorphologicalPerceptron
    from ._reduced import RDEPClassifier as RDEPClassifier
    from ._reduced import long_fit as long_fit
    from ._reduced_regressor import MOST_FOR_KERNELS as MOST_FOR_KERNELS
    from ._reduced_regressor import RDEPRegressor as RDEPRegressor
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_dep_passes": ("fit_dep_by_passes",),
            "_reduced": ("long_fit",),
            "_reduced_regressor": ("MOST_FOR_KERNELS",),
        },
    )

__all__ = [
    "DEPClassifier",
    "DEPClassifierCV",
    "DEPRegressor",
    "LagFeatures",
    "LinearDEPClassifier",
    "LinearDEPRegressor",
    "MaxPlusRegressor",
    "MorphologicalPerceptron",
    "RDEPClassifier",
    "RDEPRegressor",
]
