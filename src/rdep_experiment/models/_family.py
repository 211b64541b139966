"""Other morphological models, by the names of published tables."""

from __future__ import annotations

from rdep.hyperboxes import CompetitiveClassifier, DendriteClassifier, RitterSussnerClassifier
from rdep.networks import MorphologicalELMClassifier

from ._measured import COMPETITIVE, DENDRITES
from ._sharing import Maker

MAKERS: dict[str, Maker] = {
    "slmp": lambda parts: RitterSussnerClassifier(boxes=False),
    "slmp_box": lambda parts: RitterSussnerClassifier(boxes=True),
    "mpc_published": lambda parts: CompetitiveClassifier(
        **{**COMPETITIVE, "training": "greedy-published"}
    ),
    "mpc_ccp": lambda parts: CompetitiveClassifier(
        **{**COMPETITIVE, "training": "ccp"}, random_state=parts.seed
    ),
    "dendrites_divide": lambda parts: DendriteClassifier(**{**DENDRITES, "training": "divide"}),
    "hlm_elm": lambda parts: MorphologicalELMClassifier.hlm_elm(random_state=parts.seed),
}
