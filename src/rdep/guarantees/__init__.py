"""Guarantees of fitted models: robustness radii, counterfactuals, certified accuracy."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._counterfactual import Counterfactual as Counterfactual
    from ._counterfactual import counterfactual as counterfactual
    from ._forms import NoCertificateError as NoCertificateError
    from ._radius import RobustnessRadius as RobustnessRadius
    from ._radius import certified_accuracy as certified_accuracy
    from ._radius import robustness_radius as robustness_radius
    from ._tables import robustness as robustness
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_counterfactual": ("Counterfactual", "counterfactual"),
            "_forms": ("NoCertificateError",),
            "_radius": ("RobustnessRadius", "certified_accuracy", "robustness_radius"),
            "_tables": ("robustness",),
        },
    )

__all__ = [
    "Counterfactual",
    "NoCertificateError",
    "RobustnessRadius",
    "certified_accuracy",
    "counterfactual",
    "robustness_radius",
]
