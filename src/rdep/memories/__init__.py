"""Morphological associative memories."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._associative import AssociativeMemory as AssociativeMemory
else:
    __getattr__, __dir__ = door(__name__)

__all__ = [
    "AssociativeMemory",
]
