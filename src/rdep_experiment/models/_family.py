"""Other morphological models, by the names of published tables."""

from __future__ import annotations

from rdep.hyperboxes import CompetitiveClassifier, DendriteClassifier, RitterSussnerClassifier
from rdep.networks import MorphologicalELMClassifier
from rdep.orderings import EnsembleOrdering
from rdep.perceptrons import DEPClassifier, RDEPClassifier

from ._sharing import Maker

# Ties between boxes of equal depth go to the first.
FIRST = {"ties": "first"}

MAKERS: dict[str, Maker] = {
    "slmp": lambda parts: RitterSussnerClassifier(boxes=False),
    "slmp_box": lambda parts: RitterSussnerClassifier(boxes=True),
    "mpc_published": lambda parts: CompetitiveClassifier("greedy-published", **FIRST),
    "mpc_ccp": lambda parts: CompetitiveClassifier("ccp", random_state=parts.seed, **FIRST),
    "dendrites_divide": lambda parts: DendriteClassifier("divide", **FIRST),
    "hlm_elm": lambda parts: MorphologicalELMClassifier.hlm_elm(random_state=parts.seed),
}

# Models whose defaults have changed since the committed rows of the suites family and networks.
MEASURED: dict[str, Maker] = {
    "rdep": lambda parts: RDEPClassifier(
        EnsembleOrdering(), DEPClassifier(), class_weight=None, random_state=parts.seed
    ),
    "competitive": lambda parts: CompetitiveClassifier(random_state=parts.seed, **FIRST),
    "dendrites": lambda parts: DendriteClassifier(random_state=parts.seed, **FIRST),
}
