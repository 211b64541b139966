"""Models to be read on a table of the user's: the command ``evaluate --readable``."""

from __future__ import annotations

from dataclasses import replace

from .readable import SUITE as READABLE

SUITE = replace(
    READABLE,
    name="own table, readable",
    summary="models to be read on a table",
    data=None,
)
