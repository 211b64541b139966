"""Training on rows that are larger than memory, or in the partitions of Dask."""

from typing import TYPE_CHECKING

from .._utils._doors import door

if TYPE_CHECKING:
    from ._collections import fit_dask as fit_dask
    from ._collections import lazily as lazily
    from ._memory import DEFAULT_MEMORY as DEFAULT_MEMORY
    from ._progress import State as State
    from ._tables import fit_blocks as fit_blocks
    from ._tables import fit_table_blocks as fit_table_blocks
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_collections": ("fit_dask", "lazily"),
            "_memory": ("DEFAULT_MEMORY",),
            "_progress": ("State",),
            "_tables": ("fit_blocks", "fit_table_blocks"),
        },
    )

__all__ = ["State", "fit_table_blocks"]
