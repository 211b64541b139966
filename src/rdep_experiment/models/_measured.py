"""Every parameter of the models of this package as they were when the rows were computed.

Defaults may change; a committed row stays the row of the model that these parameters describe.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.base import BaseEstimator

from rdep.orderings import BaggingOrdering, EnsembleOrdering
from rdep.perceptrons import DEPClassifier, DEPClassifierCV, RDEPClassifier

from ._sharing import Maker, Parts

TRAINING: Mapping[str, Any] = {
    "C": 0.001,
    "margin": 0.5,
    "weighting": None,
    "reference": "extreme",
    "class_weight": None,
    "ignore_constant": True,
    "monotonic_cst": None,
    "solver": "descent",
    "escape": True,
    "n_init": 1,
    "max_iter": 500,
    "tol": 0.0,
}
DEP: Mapping[str, Any] = {
    **TRAINING,
    "beta": None,
    "beta_loss": "margin_hinge",
    "beta_holdout": None,
    "joint": False,
}
# The DEP inside the recommended r-DEP.
RECOMMENDED_DEP: Mapping[str, Any] = {
    **DEP,
    "margin": 0.25,
    "beta_loss": "hinge",
    "escape": False,
}
ENSEMBLE: Mapping[str, Any] = {
    "cv": None,
    "stack": False,
    "shrinkage": 0.0,
    "class_weight": None,
}
BAGGING: Mapping[str, Any] = {
    "n_estimators": 10,
    "max_samples": 1.0,
    "max_features": 1.0,
    "cv": None,
    "stack": False,
    "class_weight": None,
}
LINEAR_DEP: Mapping[str, Any] = {
    "n_pieces": "auto",
    "max_pieces": 3,
    "cv": 5,
    "C": 0.1,
    "loss": "squared_hinge",
    "margin": 1.0,
    "weighting": None,
    "class_weight": None,
    "penalize_intercept": False,
    "n_init": 1,
    "max_iter": 100,
    "tol": 0.001,
}
COMPETITIVE: Mapping[str, Any] = {
    "training": "greedy",
    "ties": "first",
    "n_boxes": 2,
    "max_boxes": None,
    "min_samples": 1,
    "gamma": 0.01,
    "margin": 0.0,
    "init": "k-means++",
    "n_init": 1,
    "solver": "auto",
    "class_weight": None,
    "max_iter": 100,
    "tol": 0.0001,
}
DENDRITES: Mapping[str, Any] = {
    "training": "elimination",
    "ties": "first",
    "margin": 0.1,
    "max_error": 0.0,
    "tolerance": 0.0,
    "max_dendrites": None,
    "max_depth": None,
    "n_parts": None,
    "n_generations": 50,
    "population_size": 10,
    "class_weight": None,
    "reject": False,
    "shuffle": False,
}
ELM: Mapping[str, Any] = {
    "n_boxes": 100,
    "n_linear": 100,
    "draw": "unit",
    "alphas": (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0),
    "class_weight": None,
    "fit_intercept": True,
}
SCORE: Mapping[str, Any] = {
    "max_conditions": 16,
    "max_faces": "auto",
    "C": 1.0,
    "cv": 3,
    "class_weight": "balanced",
    "max_features": 200,
    "max_samples": 2000,
}


def dep(parameters: Mapping[str, Any] = DEP, **changes: Any) -> DEPClassifier:
    """A DEP with these parameters but for the changes."""
    return DEPClassifier(**{**parameters, **changes})


def ensemble(members: list | None = None, **changes: Any) -> EnsembleOrdering:
    """The ordering by the members given, or by the paper's three SVCs."""
    return EnsembleOrdering(members, **{**ENSEMBLE, **changes})


def bagging(member: BaseEstimator | None, seed: int, **changes: Any) -> BaggingOrdering:
    """The ordering by copies of a member on bootstrap samples."""
    return BaggingOrdering(member, random_state=seed, **{**BAGGING, **changes})


def recommended_rdep(ordering: BaseEstimator, **changes: Any) -> RDEPClassifier:
    """The recommended r-DEP, on features that are standardised already.

    Parameters
    ----------
    ordering : transformer
        The mapping ρ.
    **changes
        Parameters of the r-DEP, or of its DEP as ``dep__…``.
    """
    model = RDEPClassifier(
        ordering,
        dep(RECOMMENDED_DEP),
        scale_input=False,
        scale_ordering=True,
        class_weight="balanced",
    )
    return model.set_params(**changes)


def feature_rdep(ordering: BaseEstimator) -> RDEPClassifier:
    """An r-DEP on the features themselves."""
    return recommended_rdep(
        ordering,
        # What was standardised already need not be again.
        scale_ordering=False,
        # On features as they come, even weights take much longer to train and gain little.
        dep__weighting="distance",
    )


def _perceptron(parts: Parts) -> BaseEstimator:
    from rdep.perceptrons import MorphologicalPerceptron

    return MorphologicalPerceptron(**TRAINING, operator="dilation", random_state=parts.seed)


def _dep_cv(parts: Parts) -> BaseEstimator:
    return DEPClassifierCV(
        dep(),
        Cs=(1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001),
        margins=(1e-6, 0.25, 0.5),
        cv=5,
        scoring="balanced_accuracy",
        class_weight=None,
    )


def _linear_dep(parts: Parts) -> BaseEstimator:
    from rdep.perceptrons import LinearDEPClassifier

    return LinearDEPClassifier(**LINEAR_DEP)


def _rdep(parts: Parts) -> BaseEstimator:
    return RDEPClassifier(
        ensemble(),
        dep(),
        scale_input=True,
        scale_ordering=True,
        class_weight=None,
        random_state=parts.seed,
    )


def _competitive(parts: Parts) -> BaseEstimator:
    from rdep.hyperboxes import CompetitiveClassifier

    return CompetitiveClassifier(**COMPETITIVE, random_state=parts.seed)


def _dendrites(parts: Parts) -> BaseEstimator:
    from rdep.hyperboxes import DendriteClassifier

    return DendriteClassifier(**DENDRITES, random_state=parts.seed)


def _elm(parts: Parts) -> BaseEstimator:
    from rdep.networks import MorphologicalELMClassifier

    return MorphologicalELMClassifier(**ELM, random_state=parts.seed)


# Models of the registry, as the suites compare them.
MAKERS: dict[str, Maker] = {
    "perceptron": _perceptron,
    "dep_cv": _dep_cv,
    "linear_dep": _linear_dep,
    "rdep": _rdep,
    "competitive": _competitive,
    "dendrites": _dendrites,
    "elm": _elm,
}
