"""scikit-learn's own checks of every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rdep import (
    BaggingOrdering,
    BoxesOrdering,
    DEPClassifier,
    EnsembleOrdering,
    LargeOrdering,
    MorphologicalPerceptron,
    RDEPClassifier,
    SignedOrdering,
)
from rdep.landmarks import LandmarkClassifier

SVC_WEIGHTS = "an SVC itself treats an integer weight not quite as repetition"
DRAWS = "as scikit-learn's bagging, draws other samples from repeated rows than from weights"


def expected_failures(estimator):
    without_svcs = (
        MorphologicalPerceptron | DEPClassifier | LandmarkClassifier | LargeOrdering
        | SignedOrdering | BoxesOrdering
    )  # fmt: skip
    ordering = estimator.get_params().get("ordering")
    if isinstance(estimator, without_svcs) or ordering in ("large", "signed", "boxes"):
        return {}
    bagging = isinstance(estimator, BaggingOrdering) or ordering == "bagging"
    reason = DRAWS if bagging else SVC_WEIGHTS
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


# The checks fit a few points of noise, where such warnings are in order.
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
@parametrize_with_checks(
    [
        MorphologicalPerceptron(),
        MorphologicalPerceptron("erosion"),
        DEPClassifier(),
        DEPClassifier(monotonic_cst="auto"),
        EnsembleOrdering(),
        BaggingOrdering(random_state=0),
        RDEPClassifier(),
        RDEPClassifier("bagging", random_state=0),
        RDEPClassifier(scale_input=False),
        LandmarkClassifier(random_state=0),
        LargeOrdering(random_state=0),
        RDEPClassifier("large", random_state=0),
        SignedOrdering(),
        BoxesOrdering(),
        RDEPClassifier("signed"),
        RDEPClassifier("boxes"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
