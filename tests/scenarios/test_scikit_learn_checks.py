"""scikit-learn's own checks of every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rdep import (
    BaggingOrdering,
    BoxesOrdering,
    DEPClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    LargeOrdering,
    MixedOrdering,
    MorphologicalPerceptron,
    RDEPClassifier,
    SignedOrdering,
)
from rdep.kernels import LandmarkClassifier

SVC_WEIGHTS = "an SVC itself treats an integer weight not quite as repetition"
FOLDS = "repeated rows come into other folds than weights"
DRAWS = "as scikit-learn's bagging, draws other samples from repeated rows than from weights"

WEIGHTS = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)


def expected_failures(estimator):
    without_svcs = (
        MorphologicalPerceptron | DEPClassifier | LandmarkClassifier | LargeOrdering
        | SignedOrdering | BoxesOrdering
    )  # fmt: skip
    ordering = estimator.get_params().get("ordering")
    if getattr(estimator, "cv", None) is not None or ordering == "mixed":
        return dict.fromkeys(WEIGHTS, FOLDS)
    if isinstance(estimator, without_svcs) or ordering in ("large", "signed", "boxes"):
        return {}
    bagging = isinstance(estimator, BaggingOrdering) or ordering == "bagging"
    reason = DRAWS if bagging else SVC_WEIGHTS
    return dict.fromkeys(WEIGHTS, reason)


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
        DEPClassifier(joint=True),
        DEPClassifierCV(Cs=[1.0, 0.01], margins=[0.1], cv=3),
        # With cv as well, fit_transform would differ from transform on purpose.
        EnsembleOrdering(stack=True),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
@parametrize_with_checks(
    [
        MixedOrdering(cv=None, random_state=0),
        RDEPClassifier.recommended(random_state=0),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks_of_members_of_four_kinds(estimator, check):
    check(estimator)
