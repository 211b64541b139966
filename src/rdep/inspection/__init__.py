"""Fitted models and single predictions as text: summaries, explanations, rules.

Functions of arrays and records, independent of the estimators.
"""

from ._box_explanation import BoxExplanation
from ._box_rules import BoxRule, BoxRules
from ._explanation import Explanation, MulticlassExplanation
from ._pieces import PiecesExplanation
from ._rules import Box, Condition, MulticlassRule, Rule
from ._score_rules import MulticlassScoreRules, ScoreExplanation, ScoreRules
from ._size import n_conditions

__all__ = [
    "Box",
    "BoxExplanation",
    "BoxRule",
    "BoxRules",
    "Condition",
    "Explanation",
    "MulticlassExplanation",
    "MulticlassRule",
    "MulticlassScoreRules",
    "PiecesExplanation",
    "Rule",
    "ScoreExplanation",
    "ScoreRules",
    "n_conditions",
]
