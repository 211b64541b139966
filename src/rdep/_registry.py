"""Registry of all estimators of the package: their modules, kinds and names.

Modules are imported on first use. This table determines the names in ``rdep``, scikit-learn's
checks of all estimators, the classes that model files may hold, the API pages, and the names of
classifiers on the command line and in the experiment.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the same, for type checkers and editors
    from .hyperboxes._box_score import BoxScoreClassifier as BoxScoreClassifier
    from .hyperboxes._competitive import CompetitiveClassifier as CompetitiveClassifier
    from .hyperboxes._dendrites import DendriteClassifier as DendriteClassifier
    from .hyperboxes._ritter_sussner import RitterSussnerClassifier as RitterSussnerClassifier
    from .memories._associative import AssociativeMemory as AssociativeMemory
    from .networks._elm import MorphologicalELMClassifier as MorphologicalELMClassifier
    from .networks._elm import MorphologicalELMRegressor as MorphologicalELMRegressor
    from .networks._features import MorphologicalFeatures as MorphologicalFeatures
    from .networks._network_classifier import (
        MorphologicalNetworkClassifier as MorphologicalNetworkClassifier,
    )
    from .orderings._bagging import BaggingOrdering as BaggingOrdering
    from .orderings._boxes import BoxesOrdering as BoxesOrdering
    from .orderings._ensemble import EnsembleOrdering as EnsembleOrdering
    from .orderings._mixed import MixedOrdering as MixedOrdering
    from .orderings._signed import SignedOrdering as SignedOrdering
    from .perceptrons._dep import DEPClassifier as DEPClassifier
    from .perceptrons._dep_cv import DEPClassifierCV as DEPClassifierCV
    from .perceptrons._dep_regressor import DEPRegressor as DEPRegressor
    from .perceptrons._lags import LagFeatures as LagFeatures
    from .perceptrons._linear_dep import LinearDEPClassifier as LinearDEPClassifier
    from .perceptrons._linear_dep_regressor import LinearDEPRegressor as LinearDEPRegressor
    from .perceptrons._max_plus import MaxPlusRegressor as MaxPlusRegressor
    from .perceptrons._morphological import MorphologicalPerceptron as MorphologicalPerceptron
    from .perceptrons._reduced import RDEPClassifier as RDEPClassifier
    from .perceptrons._reduced_regressor import RDEPRegressor as RDEPRegressor

CLASSIFIER, REGRESSOR, TRANSFORMER, MEMORY, ORDERING, MEMBER, IMAGE_ORDERING, SERIES = (
    "classifier", "regressor", "transformer", "memory", "ordering", "member", "image ordering",
    "series",
)  # fmt: skip
# What an estimator is for.
CLASSIFICATION, REGRESSION = "classification", "regression"


@dataclass(frozen=True)
class Entry:
    """One estimator."""

    module: str  # that defines it
    kind: str
    name: str = ""  # of a classifier or regressor, on the command line and in the experiment
    public: str = "rdep"  # the package that users import it from
    needs: str | None = None  # an optional package that it needs
    extra: str | None = None  # the extra that installs this package


ENTRIES = {
    "MorphologicalPerceptron": Entry("rdep.perceptrons._morphological", CLASSIFIER, "perceptron"),
    "DEPClassifier": Entry("rdep.perceptrons._dep", CLASSIFIER, "dep"),
    "DEPClassifierCV": Entry("rdep.perceptrons._dep_cv", CLASSIFIER, "dep_cv"),
    "LinearDEPClassifier": Entry("rdep.perceptrons._linear_dep", CLASSIFIER, "linear_dep"),
    "RDEPClassifier": Entry("rdep.perceptrons._reduced", CLASSIFIER, "rdep"),
    "LinearDEPRegressor": Entry("rdep.perceptrons._linear_dep_regressor", REGRESSOR, "linear_dep"),
    "DEPRegressor": Entry("rdep.perceptrons._dep_regressor", REGRESSOR, "dep"),
    "RDEPRegressor": Entry("rdep.perceptrons._reduced_regressor", REGRESSOR, "rdep"),
    "MaxPlusRegressor": Entry("rdep.perceptrons._max_plus", REGRESSOR, "max_plus"),
    "LagFeatures": Entry("rdep.perceptrons._lags", SERIES),
    "RitterSussnerClassifier": Entry(
        "rdep.hyperboxes._ritter_sussner", CLASSIFIER, "ritter_sussner"
    ),
    "CompetitiveClassifier": Entry("rdep.hyperboxes._competitive", CLASSIFIER, "competitive"),
    "DendriteClassifier": Entry("rdep.hyperboxes._dendrites", CLASSIFIER, "dendrites"),
    "BoxScoreClassifier": Entry("rdep.hyperboxes._box_score", CLASSIFIER, "box_score"),
    "MorphologicalELMClassifier": Entry("rdep.networks._elm", CLASSIFIER, "elm"),
    "MorphologicalELMRegressor": Entry("rdep.networks._elm", REGRESSOR, "elm"),
    "MorphologicalFeatures": Entry("rdep.networks._features", TRANSFORMER),
    "AssociativeMemory": Entry("rdep.memories._associative", MEMORY),
    "MorphologicalNetworkClassifier": Entry(
        "rdep.networks._network_classifier",
        CLASSIFIER,
        "network",
        "rdep.networks",
        needs="torch",
        extra="torch",
    ),
    "EnsembleOrdering": Entry("rdep.orderings._ensemble", ORDERING),
    "BaggingOrdering": Entry("rdep.orderings._bagging", ORDERING),
    "MixedOrdering": Entry("rdep.orderings._mixed", ORDERING),
    "SignedOrdering": Entry("rdep.orderings._signed", ORDERING),
    "BoxesOrdering": Entry("rdep.orderings._boxes", ORDERING),
    "LandmarkClassifier": Entry("rdep.kernels._landmarks", MEMBER, public="rdep.kernels"),
    "SupervisedOrdering": Entry("rdep.images._supervised", IMAGE_ORDERING, public="rdep.images"),
    "PCAOrdering": Entry("rdep.images._orderings", IMAGE_ORDERING, public="rdep.images"),
    "DistanceOrdering": Entry("rdep.images._orderings", IMAGE_ORDERING, public="rdep.images"),
    "CondorcetOrdering": Entry("rdep.images._condorcet", IMAGE_ORDERING, public="rdep.images"),
    "LexicographicOrdering": Entry("rdep.images._orderings", IMAGE_ORDERING, public="rdep.images"),
}

# Public names of the other classes of this package that fitted estimators hold.
RECORDS = (
    "rdep.kernels.Kernel",
    "rdep.orderings.DrawnMember",
    "rdep.tables.CategoryEncoder",
    "rdep.tables.HeldOutCalibration",
    "rdep.training.AffineResult",
    "rdep.training.JointResult",
    "rdep.training.TrainingResult",
)


def names_in(package: str) -> list[str]:
    """Names of the estimators that a package offers."""
    return [name for name, entry in ENTRIES.items() if entry.public == package]


def resolve(name: str) -> type:
    """Import the class of this name."""
    return getattr(import_module(ENTRIES[name].module), name)


def classifiers() -> dict[str, str]:
    """Class names of the classifiers by their names on the command line and in the experiment."""
    return _by_name(CLASSIFIER)


def regressors() -> dict[str, str]:
    """Class names of the regressors by their names; a classifier may have the same name."""
    return _by_name(REGRESSOR)


def _by_name(kind: str) -> dict[str, str]:
    return {
        entry.name: name
        for name, entry in ENTRIES.items()
        if entry.kind == kind and is_available(entry)
    }


def is_one_of(estimator: object, *kinds: str) -> bool:
    """Whether an object is an estimator of this package, of one of the given kinds."""
    kind = type(estimator)
    entry = ENTRIES.get(kind.__qualname__)
    return entry is not None and entry.kind in kinds and kind.__module__ == entry.public


def is_available(entry: Entry) -> bool:
    """Whether the optional package that an estimator needs is installed."""
    return entry.needs is None or find_spec(entry.needs) is not None


def all_estimators(kind: str | None = None) -> list[tuple[str, type]]:
    """List all estimators of the package, like :func:`sklearn.utils.discovery.all_estimators`.

    Estimators that need a package that is not installed are left out.

    Parameters
    ----------
    kind : str or None, default=None
        Kind of estimators: "classifier", "regressor", "transformer", "memory", "ordering",
        "member", "image ordering" or "series". None means all.

    Returns
    -------
    list of tuples (name, class)

    Examples
    --------
    >>> from rdep import all_estimators
    >>> [name for name, _ in all_estimators("ordering")][:2]
    ['EnsembleOrdering', 'BaggingOrdering']
    """
    kinds = {entry.kind for entry in ENTRIES.values()}
    if kind is not None and kind not in kinds:
        raise ValueError(f"unknown kind {kind!r}; known: {', '.join(sorted(kinds))}, None")
    return [
        (name, resolve(name))
        for name, entry in ENTRIES.items()
        if kind in (None, entry.kind) and is_available(entry)
    ]
