"""Model files: save and load fitted models without running any code."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._files import load_model as load_model
    from ._files import read_description as read_description
    from ._files import save_model as save_model
    from ._files import skops_types as skops_types
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_files": (
                "load_model",
                "read_description",
                "save_model",
                "skops_types",
            ),
        },
    )

__all__ = [
    "load_model",
    "read_description",
    "save_model",
    "skops_types",
]
