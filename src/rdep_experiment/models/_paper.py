"""The paper's eight classifiers."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.ensemble import BaggingClassifier, VotingClassifier

from rdep.perceptrons import DEPClassifier, RDEPClassifier

from ._measured import bagging, ensemble
from ._sharing import Maker, Parts


def paper_rdep(parts: Parts, ordering: BaseEstimator, **changes: Any) -> RDEPClassifier:
    """The paper's r-DEP, on features that are standardised already, for all classifiers alike."""
    return RDEPClassifier.paper(
        ordering, **{"scale_input": False, "dep__margin": parts.margin, **changes}
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
    "ensemble_rdep": lambda parts: paper_rdep(parts, ensemble(parts.svcs())),
    "bagging_rdep": lambda parts: paper_rdep(parts, bagging(parts.svc("rbf"), parts.seed)),
}
