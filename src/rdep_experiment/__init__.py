"""Laboratory: compare classifiers on data sets by cross-validation and write reports.

It is a separate package beside :mod:`rdep`, which does not need it.
"""

from typing import TYPE_CHECKING

from rdep._utils._doors import door

if TYPE_CHECKING:
    from ._evaluate import Evaluation as Evaluation
    from ._evaluate import Table as Table
    from ._evaluate import evaluate as evaluate
    from ._reproduce import Choice as Choice
    from ._reproduce import reproduce as reproduce
    from ._reproduce import rewrite_report as rewrite_report
    from ._suite import Embedded as Embedded
    from ._suite import PaperData as PaperData
    from ._suite import Suite as Suite
    from ._suite import Tables as Tables
    from .run._protocol import Protocol as Protocol
    from .run._runner import Request as Request
else:
    __getattr__, __dir__ = door(
        __name__,
        {
            "_evaluate": ("Evaluation", "Table", "evaluate"),
            "_reproduce": ("Choice", "reproduce", "rewrite_report"),
            "_suite": ("Embedded", "PaperData", "Suite", "Tables"),
            "run._protocol": ("Protocol",),
            "run._runner": ("Request",),
        },
    )

__all__ = [
    "Choice",
    "Embedded",
    "PaperData",
    "Protocol",
    "Request",
    "Suite",
    "Table",
    "Tables",
    "evaluate",
    "reproduce",
    "rewrite_report",
]
