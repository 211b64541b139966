"""scikit-learn's own checks of every estimator."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from rdep import (
    AssociativeMemory,
    BaggingOrdering,
    CompetitiveClassifier,
    DendriteClassifier,
    DEPClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    LinearDEPClassifier,
    MixedOrdering,
    MorphologicalELMClassifier,
    RDEPClassifier,
    RitterSussnerClassifier,
    all_estimators,
)
from rdep.images import SupervisedOrdering

# The checks fit a few points of noise, where such warnings are in order.
pytestmark = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")

SVC_WEIGHTS = "an SVC stops at its tolerance, with repeated rows elsewhere than with weights"
FOLDS = "repeated rows come into other folds than weights"
CLOSED_FORM = "the closed form of 1996 tells samples with weight from those without, and no more"
PURE = "greedy boxes separate the training samples whatever the classes weigh"
LEFT_OUT = "leave-one-out leaves out one of repeated rows, but the whole of a row with weight"
UNPENALISED = "without a penalty many units fit few samples whatever the classes weigh"
INFINITE = "infinite values are elements of the lattice; NaN is refused"
REJECTED = "the check subtracts labels, and None is no number"
DRAWS = "as scikit-learn's bagging, draws other samples from repeated rows than from weights"

WEIGHTS = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)
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
    if getattr(estimator, "cv", None) is not None or ordering == "mixed":
        return dict.fromkeys(WEIGHTS, FOLDS)
    if isinstance(getattr(estimator, "dep", None), RitterSussnerClassifier):
        weights = dict.fromkeys(WEIGHTS, SVC_WEIGHTS)
        return weights | {"check_class_weight_classifiers": CLOSED_FORM}
    if isinstance(estimator, CompetitiveClassifier) and estimator.training != "ccp":
        return {"check_class_weight_classifiers": PURE}
    if hasattr(estimator, "alphas") and np.ndim(estimator.alphas):
        return dict.fromkeys(WEIGHTS, LEFT_OUT)
    if getattr(estimator, "alphas", None) == 1e-10:
        return {"check_class_weight_classifiers": UNPENALISED}
    if isinstance(estimator, AssociativeMemory):
        return {"check_estimators_nan_inf": INFINITE}
    if isinstance(estimator, DendriteClassifier):
        subtracting = ("check_fit_idempotent", *WEIGHTS)
        return dict.fromkeys(subtracting, REJECTED) if estimator.reject else {}
    if isinstance(estimator, DEPClassifierCV):  # folds of its own
        return dict.fromkeys(WEIGHTS, FOLDS)
    if isinstance(estimator, BaggingOrdering) or ordering == "bagging":
        return dict.fromkeys(WEIGHTS, DRAWS)
    with_svcs = EnsembleOrdering | MixedOrdering | SupervisedOrdering
    if isinstance(estimator, with_svcs) or ordering == "ensemble":
        return dict.fromkeys(WEIGHTS, SVC_WEIGHTS)
    return {}


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
