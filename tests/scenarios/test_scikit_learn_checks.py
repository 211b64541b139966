"""scikit-learn's own checks of every estimator."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rdep import (
    AssociativeMemory,
    BaggingOrdering,
    BoxScoreClassifier,
    CompetitiveClassifier,
    DendriteClassifier,
    DEPClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    LagFeatures,
    LinearDEPClassifier,
    MixedOrdering,
    MorphologicalELMClassifier,
    RDEPClassifier,
    RitterSussnerClassifier,
    all_estimators,
)

# The checks fit a few points of noise, where such warnings are in order.
pytestmark = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")

# Reasons, each of which has a test in test_weights.py or, for memories, in test_associative.py.
SVC_WEIGHTS = "an SVC stops at its tolerance, with repeated rows elsewhere than with weights"
FOLDS = "copies of a row come into several folds, a row with weight into one"
CLOSED_FORM = "the closed form of 1996 tells samples with weight from those without, and no more"
PURE = "boxes that separate the training samples whatever classes weigh refuse class weights"
LEFT_OUT = "leave-one-out leaves out one of repeated rows, but the whole of a row with weight"
UNPENALISED = "without a penalty many units fit few samples whatever the classes weigh"
INFINITE = "infinite values are elements of the lattice; NaN is refused"
REJECTED = "the check subtracts labels, and None is no number"
DRAWS = (
    "draws other rows if they are repeated than by weights, as scikit-learn's forest and bagging"
)

# Has tests in perceptrons/test_lags.py.
SERIES = {
    "check_methods_sample_order_invariance": "the rows of a series are in the order of time",
    "check_methods_subset_invariance": "features of a time are values of earlier times",
    "check_fit1d": "one series may have one dimension",
    "check_fit2d_predict1d": "one series may have one dimension",
}

# Has a test in base/test_probabilities.py.
BALANCES = "predict balances the classes, and probabilities are at their frequencies"

DENSE = "check_sample_weight_equivalence_on_dense_data"
WEIGHTS = (DENSE, "check_sample_weight_equivalence_on_sparse_data")
RDEP = "RDEPClassifier"  # a second for each fit: one run of the suite has to do
SLOW = {"DEPClassifierCV", "LinearDEPClassifier", "MixedOrdering"}
# Of an estimator as it is by default: what differs from it, so that the checks apply.
APART = {"MixedOrdering": {"cv": None}}  # with cv, fit_transform differs from transform on purpose


def by_default(name, kind):
    """The estimator with its defaults, and a seed where it takes one."""
    estimator = kind(**APART.get(name, {}))
    if "random_state" in estimator.get_params(deep=False):
        estimator.set_params(random_state=0)
    return estimator


def expected_failures(estimator):
    ordering = estimator.get_params().get("ordering")
    if isinstance(getattr(estimator, "dep", None), RitterSussnerClassifier):
        return {DENSE: DRAWS, "check_class_weight_classifiers": CLOSED_FORM}
    if ordering == "mixed":
        return {DENSE: FOLDS}
    if hasattr(estimator, "alphas"):
        if np.ndim(estimator.alphas):
            return {DENSE: LEFT_OUT}
        return {"check_class_weight_classifiers": UNPENALISED}
    if isinstance(estimator, BoxScoreClassifier):
        return {"check_classifiers_train": BALANCES}
    if isinstance(estimator, AssociativeMemory):
        return {"check_estimators_nan_inf": INFINITE}
    if isinstance(estimator, CompetitiveClassifier | DendriteClassifier):
        pure = {} if estimator.training == "ccp" else {"check_class_weight_classifiers": PURE}
        rejects = getattr(estimator, "reject", False)
        return pure | dict.fromkeys(("check_fit_idempotent", DENSE) if rejects else (), REJECTED)
    if isinstance(estimator, BaggingOrdering):
        return dict.fromkeys(WEIGHTS, DRAWS)
    if isinstance(estimator, MixedOrdering):
        return {DENSE: DRAWS}
    if isinstance(estimator, LagFeatures):
        return SERIES
    return dict.fromkeys(WEIGHTS, SVC_WEIGHTS) if isinstance(estimator, EnsembleOrdering) else {}


@pytest.mark.core
@parametrize_with_checks(
    [by_default(name, kind) for name, kind in all_estimators() if name not in {*SLOW, RDEP}],
    expected_failed_checks=expected_failures,
)
def test_every_estimator_by_default(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [by_default(RDEP, RDEPClassifier)], expected_failed_checks=expected_failures
)
def test_the_rdep_by_default(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [
        # Each trains, or predicts, by other code than any estimator by default.
        DEPClassifier(monotonic_cst="auto", joint=True),
        DEPClassifierCV(Cs=[0.01], margins=[0.1], cv=2),
        LinearDEPClassifier((1, 2), cv=None),
        MorphologicalELMClassifier.hlm_elm(random_state=0),
        DendriteClassifier("incremental", reject=True),
        RDEPClassifier("signed"),
    ],
    expected_failed_checks=expected_failures,
)
def test_variants(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [
        *(by_default(name, kind) for name, kind in all_estimators() if name in SLOW),
        MixedOrdering(cv=None, stack=False, random_state=0),
        MixedOrdering(cv=None, max_svc_samples=0, random_state=0),
        CompetitiveClassifier("ccp", init="dHpC"),
        # With cv as well, fit_transform would differ from transform on purpose.
        EnsembleOrdering(stack=True),
        RDEPClassifier(BaggingOrdering(n_estimators=2), RitterSussnerClassifier(), random_state=0),
    ],
    expected_failed_checks=expected_failures,
)
def test_slow_ones(estimator, check):
    check(estimator)
