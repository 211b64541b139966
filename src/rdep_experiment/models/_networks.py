"""Networks trained by gradients, with the settings of the tables of arXiv:2610.11740."""

from __future__ import annotations

from sklearn.base import BaseEstimator
from sklearn.neural_network import MLPClassifier

from ._sharing import Maker, Parts

FIRST_SEED = 42
VALIDATION_SHARE = 0.15 / 0.8


def network(parts: Parts, architecture: str, optimiser: str) -> BaseEstimator:
    """Network with one hidden layer of 128 units."""
    from rdep.networks import MorphologicalNetworkClassifier, pytorch

    pytorch()  # raises an error before any work begins if PyTorch is missing
    return MorphologicalNetworkClassifier(
        architecture,
        units=(128,),
        optimiser=optimiser,
        learning_rate=0.01,
        batch_size=32,
        max_epochs=100,
        n_iter_no_change=100,
        validation_fraction=VALIDATION_SHARE,
        validation_score="balanced_accuracy",
        random_state=FIRST_SEED + parts.seed,
    )


MAKERS: dict[str, Maker] = {
    "min_max_plus_correlational": lambda parts: network(parts, "min-max-plus", "correlational"),
    "min_max_plus_adam": lambda parts: network(parts, "min-max-plus", "adam"),
    "dense_network": lambda parts: network(parts, "dense", "adam"),
    "mlp": lambda parts: MLPClassifier(
        (128,),
        learning_rate_init=0.01,
        batch_size=32,
        max_iter=100,
        early_stopping=True,
        validation_fraction=VALIDATION_SHARE,
        n_iter_no_change=100,
        random_state=FIRST_SEED + parts.seed,
    ),
}
