"""The paper's experiment, and the same comparison on one's own tables."""

from ._evaluate import evaluate
from ._reproduce import Choice, reproduce, rewrite_report
from .run._protocol import Protocol

__all__ = ["Choice", "Protocol", "evaluate", "reproduce", "rewrite_report"]
