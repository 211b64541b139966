"""Models of this package with all parameters at their defaults.

``linear_dep`` and ``box_score`` come from the registry.
"""

from __future__ import annotations

from functools import partial

from sklearn.base import BaseEstimator, ClassifierMixin, clone

from rdep.perceptrons import DEPClassifier, RDEPClassifier

from ._sharing import Maker, Parts


class StackAlone(ClassifierMixin, BaseEstimator):
    """Stack of an r-DEP without the DEP: the sign of its log-odds decides.

    Parameters
    ----------
    rdep : RDEPClassifier or SharedFit of one
        An r-DEP for two classes whose ordering has a stack.
    """

    def __init__(self, rdep):
        self.rdep = rdep

    def fit(self, X, y):
        fitted = clone(self.rdep).fit(X, y)
        self.rdep_ = getattr(fitted, "estimator_", fitted)
        self.classes_ = self.rdep_.classes_
        return self

    def decision_function(self, X):
        """Log-odds of the stack, up to a positive factor."""
        # The stack is the last coordinate, and shrinkage adds it to the others.
        return self.rdep_.ordering_.transform(self.rdep_.input_scaler_.transform(X))[:, -1]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


def rdep(parts: Parts, ordering: str = "mixed") -> BaseEstimator:
    """The r-DEP with a named ordering; it standardises the features again, as for users."""
    return parts.shared(RDEPClassifier(ordering, random_state=parts.seed))


MAKERS: dict[str, Maker] = {
    "rdep": rdep,
    **{
        f"rdep_{name}": partial(rdep, ordering=name)
        for name in ("ensemble", "bagging", "signed", "boxes")
    },
    "dep_default": lambda parts: DEPClassifier(random_state=parts.seed),
    "positive_stack": lambda parts: StackAlone(rdep(parts)),
}
