"""The classifiers of the experiment, by name.

``PAPER`` are the paper's eight, ``RIVALS`` common alternatives, ``BETTER`` the r-DEPs beyond the
paper, ``SUCCESSORS`` the model that followed it. ``STEPS`` lead from the paper's r-DEP to the one
of mixed members, each adding one change; ``VARIANTS`` are that one with one change.
``FAMILY`` are other morphological models, by the names of published tables; ``NETWORKS`` are
trained by gradients; ``READABLE`` are models to be read, each at several sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

from sklearn.base import BaseEstimator
from sklearn.ensemble import (
    BaggingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep._base._folds import inner_folds
from rdep._registry import classifiers as registered
from rdep.hyperboxes import CompetitiveClassifier, DendriteClassifier, RitterSussnerClassifier
from rdep.networks import MorphologicalELMClassifier, MorphologicalNetworkClassifier, pytorch
from rdep.orderings import BaggingOrdering, EnsembleOrdering, MixedOrdering
from rdep.perceptrons import DEPClassifier, DEPClassifierCV, LinearDEPClassifier, RDEPClassifier

from ._readable import readable_classifiers
from ._rivals import installed_rivals
from ._sharing import FitCache, SharedFit

Members = list[tuple[str, SharedFit]]

KERNELS = ("rbf", "linear", "poly")
# Suites on data that took part in no choice.
UNSEEN_SUITES = ("fresh", "keel")
READABLE_SUITES = ("readable", *(f"readable-{suite}" for suite in UNSEEN_SUITES))
# Suites with classifiers beyond the paper, on its data sets and on others.
EXTENDED_SUITES = ("extended", *UNSEEN_SUITES)
SUITES = ("quick", "paper", *EXTENDED_SUITES, "family", "networks", *READABLE_SUITES)
READABLE_TABLE = "own table, readable"


@dataclass(frozen=True)
class Parts:
    """The parts of the classifiers. Members that several of them share are fitted once."""

    margin: float  # of the paper's DEPs
    seed: int
    cache: FitCache

    def shared(self, estimator: BaseEstimator, class_weight: str | None = None) -> SharedFit:
        return SharedFit(estimator, self.cache, class_weight)

    def svc(self, kernel: str, class_weight: str | None = None) -> SharedFit:
        return self.shared(SVC(kernel=kernel), class_weight)

    def svcs(self, class_weight: str | None = None) -> Members:
        return [(kernel, self.svc(kernel, class_weight)) for kernel in KERNELS]

    def mixed(self, class_weight: str | None = None) -> Members:
        """Members of four kinds at common settings, each a classifier in its own right."""
        members = {
            "svc": SVC(),
            "forest": RandomForestClassifier(
                n_estimators=200, min_samples_leaf=2, random_state=self.seed
            ),
            "boosting": HistGradientBoostingClassifier(random_state=self.seed),
            "logistic": LogisticRegression(max_iter=2000),
        }
        return [(name, self.shared(member, class_weight)) for name, member in members.items()]

    def balanced(self, member: str) -> SharedFit:
        """One of these members for itself."""
        return dict(self.mixed("balanced"))[member]

    def recommended(self) -> Members:
        """The members of the recommended r-DEP, with their class weights."""
        ordering = MixedOrdering(random_state=self.seed)
        return [
            (name, self.shared(member, ordering._class_weight_of(name)))
            for name, member in ordering._named()
        ]

    def stack(self, members: Members) -> StackingClassifier:
        return StackingClassifier(
            members,
            make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced")),
            cv=inner_folds(5),
            stack_method="decision_function",
        )

    # The features are standardised for all classifiers alike before they come here.

    def paper_rdep(self, ordering: BaseEstimator, **parameters) -> RDEPClassifier:
        return RDEPClassifier.paper(
            ordering, **{"scale_input": False, "dep__margin": self.margin, **parameters}
        )

    def feature_rdep(self, ordering: str) -> RDEPClassifier:
        return RDEPClassifier.recommended(
            ordering=ordering,
            # What was standardised already need not be again.
            scale_input=False,
            scale_ordering=False,
            # On features as they come, even weights take much longer to train and gain little.
            dep__weighting="distance",
        )

    def rdep(self, members: Members, stack=True, **parameters) -> RDEPClassifier:
        """As the r-DEP recommended before, but for its members and what else is given."""
        return RDEPClassifier.recommended(
            ordering=EnsembleOrdering(members, cv=5, stack=stack),
            **{"scale_input": False, "random_state": self.seed, **parameters},
        )


Maker = Callable[[Parts], BaseEstimator]

PAPER: dict[str, Maker] = {
    "linear_svc": lambda parts: parts.svc("linear"),
    "rbf_svc": lambda parts: parts.svc("rbf"),
    "poly_svc": lambda parts: parts.svc("poly"),
    "svc_ensemble": lambda parts: VotingClassifier(parts.svcs()),
    "svc_bagging": lambda parts: BaggingClassifier(
        parts.svc("rbf"), n_estimators=10, random_state=parts.seed
    ),
    "dep": lambda parts: DEPClassifier.paper(margin=parts.margin),
    "ensemble_rdep": lambda parts: parts.paper_rdep(EnsembleOrdering(parts.svcs())),
    "bagging_rdep": lambda parts: parts.paper_rdep(
        BaggingOrdering(parts.svc("rbf"), n_estimators=10, random_state=parts.seed)
    ),
}

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
    "logistic_regression": lambda parts: parts.balanced("logistic"),
    "random_forest": lambda parts: parts.balanced("forest"),
    "gradient_boosting": lambda parts: parts.balanced("boosting"),
    "svc_stack": lambda parts: parts.stack(parts.svcs("balanced")),
    "mixed_stack": lambda parts: parts.stack(parts.mixed("balanced")),
}

BETTER: dict[str, Maker] = {
    "signed_rdep": lambda parts: parts.feature_rdep("signed"),
    "boxes_rdep": lambda parts: parts.feature_rdep("boxes"),
    "svc_rdep": lambda parts: parts.rdep(parts.svcs()),
    "oob_rdep": lambda parts: RDEPClassifier.recommended(
        ordering=BaggingOrdering(parts.svc("rbf"), cv="oob", random_state=parts.seed),
        scale_input=False,
    ),
    "mixed_rdep": lambda parts: parts.rdep(parts.mixed()),
    "recommended_rdep": lambda parts: RDEPClassifier.recommended(
        scale_input=False, random_state=parts.seed
    ),
}

# As much work as the recommended r-DEP itself; compared on data that took part in no choice.
OWN_STACK: dict[str, Maker] = {
    "recommended_stack": lambda parts: parts.stack(parts.recommended()),
}

SUCCESSORS: dict[str, Maker] = {
    "linear_dep": lambda parts: LinearDEPClassifier(),
}

STEPS: dict[str, Maker] = {
    "balanced_members": lambda parts: parts.paper_rdep(EnsembleOrdering(parts.svcs("balanced"))),
    "cross_fitted": lambda parts: parts.paper_rdep(EnsembleOrdering(parts.svcs("balanced"), cv=5)),
    "balanced_beta": lambda parts: parts.paper_rdep(
        EnsembleOrdering(parts.svcs("balanced"), cv=5), class_weight="balanced"
    ),
    "wide_margin": lambda parts: parts.rdep(parts.svcs(), stack=False, dep__weighting="distance"),
    "even_weights": lambda parts: parts.rdep(parts.svcs(), stack=False),
    "mixed_members": lambda parts: parts.rdep(parts.mixed(), stack=False),
}

VARIANTS: dict[str, Maker] = {
    "with_joint": lambda parts: parts.rdep(parts.mixed(), dep__joint=True),
    "with_choice": lambda parts: parts.rdep(
        parts.mixed(),
        dep=DEPClassifierCV(recommended_dep(), Cs=(0.1, 0.01, 0.001), margins=(1e-6, 0.25, 0.5)),
    ),
    "with_escape": lambda parts: parts.rdep(parts.mixed(), dep__escape=True, dep__n_init=3),
    "with_bags": lambda parts: make_pipeline(
        EnsembleOrdering(parts.mixed("balanced"), cv=5, stack=True),
        StandardScaler(),
        BaggingClassifier(
            recommended_dep().set_params(class_weight="balanced"),
            n_estimators=10,
            random_state=parts.seed,
        ),
    ),
}


FAMILY: dict[str, Maker] = {
    "slmp": lambda parts: RitterSussnerClassifier(),
    "slmp_box": lambda parts: RitterSussnerClassifier(boxes=True),
    "mpc_published": lambda parts: CompetitiveClassifier("greedy-published"),
    "mpc_ccp": lambda parts: CompetitiveClassifier("ccp", random_state=parts.seed),
    "dendrites_divide": lambda parts: DendriteClassifier("divide"),
    "hlm_elm": lambda parts: MorphologicalELMClassifier.hlm_elm(random_state=parts.seed),
}


def _as_it_is(make: Callable[[], BaseEstimator], parts: Parts) -> BaseEstimator:
    """A classifier that shares no parts with others."""
    return make()


def recommended_dep() -> DEPClassifier:
    """The DEP inside the recommended r-DEP."""
    return RDEPClassifier.recommended().dep


def morpho_rdep(parts: Parts) -> BaseEstimator:
    """The reduced DEP of the package sklearn-morpho, with the paper's three SVCs."""
    from numpy.random import RandomState
    from sklearn_morpho.classifiers import RDEP

    return RDEP([svc for _, svc in parts.svcs()], random_state=RandomState(parts.seed))


EXTENDED: dict[str, Maker] = {
    **PAPER,
    **RIVALS,
    **BETTER,
    **SUCCESSORS,
    **STEPS,
    **VARIANTS,
}
EXTENDED |= {name: partial(_as_it_is, make) for name, make in installed_rivals().items()}
if find_spec("sklearn_morpho"):
    EXTENDED["morpho_rdep"] = morpho_rdep


def network(parts: Parts, architecture: str, optimiser: str) -> BaseEstimator:
    """A network in the setting of the tables of arXiv:2610.11740."""
    pytorch()  # missing, it is missed before any work begins
    return MorphologicalNetworkClassifier(
        architecture,
        units=(128,),
        optimiser=optimiser,
        learning_rate=0.01,
        batch_size=32,
        max_epochs=100,
        n_iter_no_change=100,
        validation_fraction=0.15 / 0.8,
        validation_score="balanced_accuracy",
        random_state=42 + parts.seed,
    )


NETWORKS: dict[str, Maker] = {
    "min_max_plus_correlational": lambda parts: network(parts, "min-max-plus", "correlational"),
    "min_max_plus_adam": lambda parts: network(parts, "min-max-plus", "adam"),
    "dense_network": lambda parts: network(parts, "dense", "adam"),
    "mlp": lambda parts: MLPClassifier(
        (128,),
        learning_rate_init=0.01,
        batch_size=32,
        max_iter=100,
        early_stopping=True,
        validation_fraction=0.15 / 0.8,
        n_iter_no_change=100,
        random_state=42 + parts.seed,
    ),
}
# What is compared with them on the same splits.
BESIDE_NETWORKS = ("rbf_svc", "ensemble_rdep", "linear_dep", "competitive")

# Each at several sizes.
READABLE: dict[str, Maker] = {
    name: partial(_as_it_is, make) for name, make in readable_classifiers().items()
}

# On data that took part in no choice: without steps and variants, and without what takes long for
# little. A fit of EBM takes minutes where classes are separable.
_SLOW = {"svc_stack", "svc_rdep", "explainable_boosting", "explainable_boosting_tuned"}
ON_UNSEEN_DATA = [
    name for name in [*OWN_STACK, *EXTENDED] if name not in {*STEPS, *VARIANTS, *_SLOW}
]
# The r-DEP recommended before and its stack: compared on the data of their time only.
_BEFORE = {"mixed_rdep", "mixed_stack"}

# All classifiers by name, besides those of the registry.
NAMED: dict[str, Maker] = {**EXTENDED, **OWN_STACK, **FAMILY, **NETWORKS, **READABLE}
# Named on request only: help and completion are long enough without them.
UNLISTED = {*STEPS, *VARIANTS, *READABLE, *installed_rivals()}


def suite_classifiers(suite: str) -> list[str]:
    """The classifiers that a suite compares unless told otherwise."""
    if suite == "family":
        published = ["linear_svc", "rbf_svc", "dep", "ensemble_rdep", "bagging_rdep", *FAMILY]
        # The perceptron of 1996 is there by its published name; scores are in the suite readable.
        others = [
            name for name in registered() if name not in (*published, "ritter_sussner", "box_score")
        ]
        return published + others
    if suite == "networks":
        return [*NETWORKS, *BESIDE_NETWORKS]
    if suite in (*READABLE_SUITES, READABLE_TABLE):
        return list(READABLE)
    if suite == "fresh":
        return ON_UNSEEN_DATA
    if suite == "keel":
        return [name for name in ON_UNSEEN_DATA if name not in _BEFORE]
    return list(EXTENDED if suite == "extended" else PAPER)
