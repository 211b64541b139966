"""What displays need to know of a fitted estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.pipeline import Pipeline

from .._typing import Array
from ..base import SignClassifier, feature_names
from ..dep import DEPClassifier
from ..perceptron import MorphologicalPerceptron
from ..reduced import RDEPClassifier
from ._geometry import PlaneDEP
from ._plane import Plane


def check_ours(estimator: Any, display: str, *kinds: type[SignClassifier]) -> None:
    """Fitted, on two classes, and of a kind that the display knows."""
    if not isinstance(estimator, kinds):
        if isinstance(estimator, Pipeline):
            hint = "pass its last step, and X as that step sees it: pipeline[:-1].transform(X)"
        elif isinstance(estimator, type):
            hint = "pass a fitted estimator, not its class"
        elif isinstance(estimator, SignClassifier):
            hint = "ReducedSpaceDisplay is for an r-DEP, RegionsDisplay for the others"
        else:
            hint = "BoundariesDisplay draws the decision boundary of any classifier"
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"{display} draws a {names}, not a {type(estimator).__name__}: {hint}")
    estimator._check_binary(display)


def samples_of(estimator: SignClassifier, X) -> Array:
    """Samples as the estimator sees them."""
    if issparse(X):
        raise ValueError("displays need dense samples, X is sparse: pass X.toarray()")
    return estimator._validate(X)


def operators_of(estimator) -> tuple[Array | None, Array | None, float, Array]:
    """w, m, β and the orientation of a perceptron or a DEP."""
    if isinstance(estimator, DEPClassifier):
        return (
            estimator.dilation_weights_,
            estimator.erosion_weights_,
            estimator.beta_,
            estimator.orientation_,
        )
    if estimator.operator == "dilation":
        return estimator.weights_, None, 1.0, estimator.orientation_
    return None, estimator.weights_, 0.0, estimator.orientation_


def on_plane(
    plane: Plane, w: Array | None, m: Array | None, beta: float, orientation: Array
) -> PlaneDEP:
    """The operators where all features but two are those of the plane."""
    pair, others = list(plane.pair), plane.others
    fixed = plane.at[others] * orientation[others]
    return PlaneDEP(
        w=None if w is None else w[pair],
        m=None if m is None else m[pair],
        beta=beta,
        signs=orientation[pair],
        dilation_floor=-np.inf if w is None else (w[others] + fixed).max(initial=-np.inf),
        erosion_ceiling=np.inf if m is None else (m[others] + fixed).min(initial=np.inf),
    )


def dep_inside(estimator, X) -> tuple[DEPClassifier | MorphologicalPerceptron, Array, NDArray]:
    """The trained operators, samples in their space, and names of its coordinates."""
    if not isinstance(estimator, RDEPClassifier):
        return estimator, samples_of(estimator, X), feature_names(estimator)
    reduced = estimator.reduced_space(X)
    return estimator.dep_, reduced, np.asarray(estimator._fitted_operators().names)
