"""Reduced orderings: the mapping ρ of an r-DEP as scikit-learn transformers."""

from typing import TYPE_CHECKING, Literal, get_args

from .._utils._doors import door

# Names of orderings in RDEPClassifier, and their classes.
OrderingName = Literal["ensemble", "bagging", "mixed", "signed", "boxes"]
ORDERINGS = {name: f"{name.capitalize()}Ordering" for name in get_args(OrderingName)}

if TYPE_CHECKING:
    from ._bagging import BaggingOrdering as BaggingOrdering
    from ._base import Ordering as Ordering
    from ._base import inner_folds as inner_folds
    from ._boxes import BoxesOrdering as BoxesOrdering
    from ._ensemble import EnsembleOrdering as EnsembleOrdering
    from ._features import FeatureOrdering as FeatureOrdering
    from ._fit_time import expected_seconds as expected_seconds
    from ._members import DrawnMember as DrawnMember
    from ._members import decision_values as decision_values
    from ._mixed import MixedOrdering as MixedOrdering
    from ._signed import SignedOrdering as SignedOrdering
    from ._stack import stack_by_passes as stack_by_passes
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_base": ("Ordering", "inner_folds"),
            "_features": ("FeatureOrdering",),
            "_fit_time": ("expected_seconds",),
            "_members": ("DrawnMember", "decision_values"),
            "_stack": ("stack_by_passes",),
        },
    )

__all__ = [
    "BaggingOrdering",
    "BoxesOrdering",
    "DrawnMember",
    "EnsembleOrdering",
    "MixedOrdering",
    "SignedOrdering",
]
