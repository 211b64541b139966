"""The paper's eight classifiers, with the parameters of their orderings written out."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.ensemble import BaggingClassifier, VotingClassifier

from rdep.orderings import BaggingOrdering, EnsembleOrdering
from rdep.perceptrons import DEPClassifier, RDEPClassifier

from ._sharing import Maker, Parts

# Members are fitted once on all samples, without class weights, and there is no stack.
PLAIN = {"cv": None, "stack": False, "class_weight": None}


def paper_rdep(parts: Parts, ordering: BaseEstimator, **changes: Any) -> RDEPClassifier:
    """The paper's r-DEP; features are already standardised, as for all classifiers."""
    return RDEPClassifier.paper(
        ordering, **{"scale_input": False, "dep__margin": parts.margin, **changes}
    )


def _bagging(parts: Parts) -> BaggingOrdering:
    return BaggingOrdering(
        parts.svc("rbf"),
        n_estimators=10,
        max_samples=1.0,
        max_features=1.0,
        random_state=parts.seed,
        **PLAIN,
    )


MAKERS: dict[str, Maker] = {
    "linear_svc": lambda parts: parts.svc("linear"),
    "rbf_svc": lambda parts: parts.svc("rbf"),
    "poly_svc": lambda parts: parts.svc("poly"),
    "svc_ensemble": lambda parts: VotingClassifier(parts.svcs()),
    "svc_bagging": lambda parts: BaggingClassifier(
        parts.svc("rbf"), n_estimators=10, random_state=parts.seed
    ),
    "dep": lambda parts: DEPClassifier.paper(margin=parts.margin),
    "ensemble_rdep": lambda parts: paper_rdep(
        parts, EnsembleOrdering(parts.svcs(), shrinkage=0.0, **PLAIN)
    ),
    "bagging_rdep": lambda parts: paper_rdep(parts, _bagging(parts)),
}
