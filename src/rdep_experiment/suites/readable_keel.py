"""Readable models, on the data sets of the suite ``keel``."""

from __future__ import annotations

from dataclasses import replace

from .keel import SUITE as KEEL
from .readable import SUITE as READABLE

SUITE = replace(
    READABLE,
    name="readable-keel",
    summary="as `readable`, on the 29 data sets of `keel`",
    data=KEEL.data,
)
