"""Fitted models and single predictions in words: summaries, explanations, rules.

Functions of arrays and records, which know no estimator.
"""

from ._explanation import Explanation
from ._rules import Box, Condition, Rule

__all__ = ["Box", "Condition", "Explanation", "Rule"]
