"""Readable models, on the data sets of the suite ``fresh``."""

from __future__ import annotations

from dataclasses import replace

from .fresh import SUITE as FRESH
from .readable import SUITE as READABLE

SUITE = replace(
    READABLE,
    name="readable-fresh",
    summary="as `readable`, on the 19 data sets of `fresh`",
    data=FRESH.data,
)
