"""Readable models on a table of the user: the command ``evaluate --readable``."""

from __future__ import annotations

from dataclasses import replace

from .readable import SUITE as READABLE

SUITE = replace(
    READABLE,
    name="own table, readable",
    summary="readable models on a table",
    data=None,
)
