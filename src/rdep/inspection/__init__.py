"""Summaries, rules and explanations of fitted models.

The functions take arrays and records; the base classes of classifiers call them.
"""

from ._box_rules import BoxExplanation, BoxRule, BoxRules
from ._box_rules import nearest_faces as nearest_faces
from ._box_rules import rules_of_boxes as rules_of_boxes
from ._classifiers import ExplainedClassifier as ExplainedClassifier
from ._classifiers import OperatorClassifier as OperatorClassifier
from ._classifiers import explained as explained
from ._classifiers import summarised as summarised
from ._coordinates import OrderedFeatures as OrderedFeatures
from ._coordinates import ordered_coordinates as ordered_coordinates
from ._coordinates import plain_coordinates as plain_coordinates
from ._explanation import Explanation, MulticlassExplanation
from ._explanation import explanation_of as explanation_of
from ._pieces import FittedPieces as FittedPieces
from ._pieces import PiecesExplanation
from ._pieces import explain_pieces as explain_pieces
from ._pieces import summarise_pieces as summarise_pieces
from ._printing import shortest as shortest
from ._rules import Box, Condition, MulticlassRule, Rule
from ._rules import precision_of_classes as precision_of_classes
from ._rules import precision_of_signs as precision_of_signs
from ._score_rules import FittedScore as FittedScore
from ._score_rules import MulticlassScoreRules, ScoreExplanation, ScoreRules
from ._score_rules import against_the_rest as against_the_rest
from ._score_rules import explain_score as explain_score
from ._score_rules import rules_of_score as rules_of_score
from ._size import n_conditions
from ._summary import beta_sentence as beta_sentence
from ._summary import summarise as summarise
from ._summary import summary_of_boxes as summary_of_boxes

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
