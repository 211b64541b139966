"""Fits on tables that are read in blocks, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from .._utils._imports import optional

if TYPE_CHECKING:
    from ..blocks import State
    from ..tables import TableModel

_CONNECTION_SECONDS = 15


def fit_in_blocks(
    data: str,
    target: str,
    *,
    memory: str | None,
    scheduler: str | None,
    progress: Callable[[State], None] | None,
    **settings: Any,
) -> TableModel:
    """Fit a model for tables in blocks; with a scheduler, on its cluster."""
    from ..blocks import DEFAULT_MEMORY, fit_table_blocks

    if data == "-":
        raise ValueError(
            "standard input can be read only once, and blocks are read twice: name a file"
        )
    with _cluster(scheduler):
        return fit_table_blocks(
            data,
            target,
            memory=memory or DEFAULT_MEMORY,
            cluster=scheduler is not None,
            progress=progress,
            **settings,
        )


def _cluster(scheduler: str | None) -> Any:
    """Client of a scheduler, which all tasks use as long as it is open."""
    if scheduler is None:
        return nullcontext()
    distributed = optional("distributed", "--scheduler", "dask")
    try:
        return distributed.Client(scheduler, timeout=_CONNECTION_SECONDS)
    except (OSError, ValueError) as error:
        raise ConnectionError(
            f"no Dask scheduler answers at {scheduler} ({error}): start one with `dask scheduler`"
        ) from error
