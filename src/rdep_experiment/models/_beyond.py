"""Common alternatives, r-DEPs beyond the paper, and the steps that led to them."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep.orderings import BoxesOrdering, SignedOrdering, inner_folds
from rdep.perceptrons import DEPClassifierCV, RDEPClassifier

from ._measured import RECOMMENDED_DEP, bagging, dep, ensemble, feature_rdep, recommended_rdep
from ._paper import paper_rdep
from ._sharing import Maker, Members, Parts, SharedFit


def mixed_members(parts: Parts, class_weight: str | None = None) -> Members:
    """Members of four kinds at common settings, each a classifier in its own right."""
    members = {
        "svc": SVC(),
        "forest": RandomForestClassifier(
            n_estimators=200, min_samples_leaf=2, random_state=parts.seed
        ),
        "boosting": HistGradientBoostingClassifier(random_state=parts.seed),
        "logistic": LogisticRegression(max_iter=2000),
    }
    return [(name, parts.shared(member, class_weight)) for name, member in members.items()]


def recommended_members(parts: Parts) -> list[tuple[str, BaseEstimator]]:
    """The members of the recommended r-DEP, with their class weights."""
    forest = RandomForestClassifier(
        n_estimators=100, min_samples_leaf=2, oob_score=True, random_state=parts.seed
    )
    boosting = HistGradientBoostingClassifier(
        max_iter=30, learning_rate=0.15, max_leaf_nodes=15, random_state=parts.seed
    )
    return [
        ("svc", SVC(class_weight="balanced")),
        ("svc_C10", SVC(C=10, class_weight="balanced")),
        ("forest", forest),
        ("boosting", boosting),
        ("logistic", LogisticRegression(max_iter=2000, class_weight="balanced")),
    ]


def _recommended_rdep(parts: Parts) -> RDEPClassifier:
    """It shares no fits with others: the forest's out-of-bag values are its own."""
    ordering = ensemble(recommended_members(parts), cv=5, stack="positive", shrinkage=0.5)
    return recommended_rdep(
        ordering, random_state=parts.seed, class_weight=None, dep__class_weight="balanced"
    )


def balanced(parts: Parts, member: str) -> SharedFit:
    """One of the mixed members for itself."""
    return dict(mixed_members(parts, "balanced"))[member]


def stack(members: Members) -> StackingClassifier:
    """A logistic regression on the decision values of the members."""
    return StackingClassifier(
        members,
        make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced")),
        cv=inner_folds(5),
        stack_method="decision_function",
    )


def rdep(parts: Parts, members: Members, with_stack: bool = True, **changes: Any) -> RDEPClassifier:
    """As the r-DEP recommended before, but for its members and what else is given."""
    ordering = ensemble(members, cv=5, stack=with_stack)
    return recommended_rdep(ordering, random_state=parts.seed, **changes)


def _mixed_rdep(parts: Parts, **changes: Any) -> RDEPClassifier:
    return rdep(parts, mixed_members(parts), **changes)


def _with_choice(parts: Parts) -> RDEPClassifier:
    choice = DEPClassifierCV(
        dep(RECOMMENDED_DEP),
        Cs=(0.1, 0.01, 0.001),
        margins=(1e-6, 0.25, 0.5),
        cv=5,
        scoring="balanced_accuracy",
    )
    return _mixed_rdep(parts, dep=choice)


def _with_bags(parts: Parts) -> BaseEstimator:
    return make_pipeline(
        ensemble(mixed_members(parts, "balanced"), cv=5, stack=True),
        StandardScaler(),
        BaggingClassifier(
            dep(RECOMMENDED_DEP, class_weight="balanced"),
            n_estimators=10,
            random_state=parts.seed,
        ),
    )


def _morpho_rdep(parts: Parts) -> BaseEstimator:
    """The reduced DEP of the package sklearn-morpho, with the paper's three SVCs."""
    from numpy.random import RandomState
    from sklearn_morpho.classifiers import RDEP

    return RDEP([svc for _, svc in parts.svcs()], random_state=RandomState(parts.seed))


RIVALS: dict[str, Maker] = {
    "linear_svc_balanced": lambda parts: parts.svc("linear", "balanced"),
    "rbf_svc_balanced": lambda parts: parts.svc("rbf", "balanced"),
    "rbf_svc_tuned": lambda parts: GridSearchCV(
        SVC(class_weight="balanced"),
        {"C": [1, 10, 100], "gamma": ["scale", 0.02, 0.2]},
        scoring="balanced_accuracy",
        cv=inner_folds(3),
    ),
    "rbf_svc_threshold": lambda parts: TunedThresholdClassifierCV(
        parts.svc("rbf"), scoring="balanced_accuracy", cv=inner_folds(5)
    ),
    "logistic_regression": lambda parts: balanced(parts, "logistic"),
    "random_forest": lambda parts: balanced(parts, "forest"),
    "gradient_boosting": lambda parts: balanced(parts, "boosting"),
    "svc_stack": lambda parts: stack(parts.svcs("balanced")),
    "mixed_stack": lambda parts: stack(mixed_members(parts, "balanced")),
    "recommended_stack": lambda parts: stack(
        [(name, parts.shared(member)) for name, member in recommended_members(parts)]
    ),
    "morpho_rdep": _morpho_rdep,
}

BETTER: dict[str, Maker] = {
    "signed_rdep": lambda parts: feature_rdep(SignedOrdering()),
    "boxes_rdep": lambda parts: feature_rdep(BoxesOrdering()),
    "svc_rdep": lambda parts: rdep(parts, parts.svcs()),
    "oob_rdep": lambda parts: recommended_rdep(bagging(parts.svc("rbf"), parts.seed, cv="oob")),
    "mixed_rdep": _mixed_rdep,
    "recommended_rdep": _recommended_rdep,
}

STEPS: dict[str, Maker] = {
    "balanced_members": lambda parts: paper_rdep(parts, ensemble(parts.svcs("balanced"))),
    "cross_fitted": lambda parts: paper_rdep(parts, ensemble(parts.svcs("balanced"), cv=5)),
    "balanced_beta": lambda parts: paper_rdep(
        parts, ensemble(parts.svcs("balanced"), cv=5), class_weight="balanced"
    ),
    "wide_margin": lambda parts: rdep(
        parts, parts.svcs(), with_stack=False, dep__weighting="distance"
    ),
    "even_weights": lambda parts: rdep(parts, parts.svcs(), with_stack=False),
    "mixed_members": lambda parts: rdep(parts, mixed_members(parts), with_stack=False),
}

VARIANTS: dict[str, Maker] = {
    "with_joint": lambda parts: _mixed_rdep(parts, dep__joint=True),
    "with_choice": _with_choice,
    "with_escape": lambda parts: _mixed_rdep(parts, dep__escape=True, dep__n_init=3),
    "with_bags": _with_bags,
}

MAKERS: dict[str, Maker] = {**RIVALS, **BETTER, **STEPS, **VARIANTS}
