"""Reduced orderings: the mapping ρ of an r-DEP as scikit-learn transformers."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._bagging import BaggingOrdering as BaggingOrdering
    from ._base import NamedMembers as NamedMembers
    from ._base import Ordering as Ordering
    from ._boxes import BoxesOrdering as BoxesOrdering
    from ._ensemble import EnsembleOrdering as EnsembleOrdering
    from ._features import FeatureOrdering as FeatureOrdering
    from ._fit_time import expected_seconds as expected_seconds
    from ._large import LargeOrdering as LargeOrdering
    from ._members import DrawnMember as DrawnMember
    from ._members import decision_values as decision_values
    from ._members import fit_member as fit_member
    from ._members import value_of as value_of
    from ._mixed import MixedOrdering as MixedOrdering
    from ._signed import SignedOrdering as SignedOrdering
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_base": (
                "NamedMembers",
                "Ordering",
            ),
            "_features": ("FeatureOrdering",),
            "_fit_time": ("expected_seconds",),
            "_members": (
                "DrawnMember",
                "decision_values",
                "fit_member",
                "value_of",
            ),
        },
    )

__all__ = [
    "BaggingOrdering",
    "BoxesOrdering",
    "DrawnMember",
    "EnsembleOrdering",
    "LargeOrdering",
    "MixedOrdering",
    "SignedOrdering",
]
