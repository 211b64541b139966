"""What is run: the paper's protocol and its named variants."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module

from sklearn.base import BaseEstimator, clone
from sklearn.metrics import get_scorer_names

from rdep._registry import classifiers as registered
from rdep._registry import resolve
from rdep._utils._names import unknown_name
from rdep._utils._sklearn_scoring import needs_probabilities
from rdep.tables import CALIBRATIONS

from ._folds import BY_GROUPS, BY_TIME, HELD_OUT
from ._sharing import FitCache
from ._suites import EXTENDED_SUITES, NAMED, READABLE_SUITES, UNLISTED, Parts, suite_classifiers

IMPUTATIONS = ("dataset", "fold")
SPLITS = (BY_GROUPS, BY_TIME, HELD_OUT)
# Of arXiv:2610.11740: a fifth held out, with the seeds 42 and on.
NETWORKS_PROTOCOL = {"split": HELD_OUT, "seed": 42}
EXTENDED_METRICS = ("balanced_accuracy", "roc_auc", "neg_log_loss")


@dataclass(frozen=True)
class Protocol:
    """How every cell (dataset × repeat × fold × classifier) is computed.

    The defaults are the paper's, except for the margin of the DEPs.

    Attributes
    ----------
    margin : float
        Margin of the paper's DEPs; 0 is the paper's own.
    impute : "dataset" or "fold"
        Mean imputation over the whole data set, as in the paper, or over the training folds only.
    n_folds : int
        Number of stratified folds.
    seed : int
        Seed of the folds; a repeat adds its number.
    metrics : tuple of str
        Metrics by scikit-learn's names, the main one first.
    extra : dict of str to str
        The user's own classifiers: import path by name.
    split : "groups", "time", "held out" or None
        Folds that keep groups together, or that are tested on a later time than they are trained
        on, or one that is held out at random; None means stratified folds.
    calibrate : "sigmoid", "isotonic", "temperature" or None
        Calibration of all classifiers, which gives them probabilities; None means none.
    gaps : bool
        Whether a score may be missing where a classifier has not what a metric needs, as in the
        extended suite; otherwise such metrics are refused.
    keep_empty : bool
        Whether features without any value are kept, imputed as 0, as in the family's published
        table; otherwise they are dropped.
    sizes : bool
        Whether rows state how many conditions a classifier has, as in the suite ``readable``.
    """

    __module__ = "rdep_experiment"

    margin: float = 1e-6
    impute: str = "dataset"
    n_folds: int = 10
    seed: int = 1
    metrics: tuple[str, ...] = ("balanced_accuracy",)
    extra: dict[str, str] = field(default_factory=dict)
    split: str | None = None
    calibrate: str | None = None
    gaps: bool = False
    keep_empty: bool = False
    sizes: bool = False

    def __post_init__(self) -> None:
        if self.impute not in IMPUTATIONS:
            raise ValueError(unknown_name("imputation", self.impute, list(IMPUTATIONS)))
        if not self.metrics:
            raise ValueError("metrics is empty: name at least one metric")
        for metric in self.metrics:
            if metric not in get_scorer_names():
                raise ValueError(unknown_name("metric", metric, get_scorer_names()))
        if len(set(self.metrics)) < len(self.metrics):
            raise ValueError(f"a metric is there twice: {', '.join(self.metrics)}")
        if self.split is not None and self.split not in SPLITS:
            raise ValueError(unknown_name("split", self.split, SPLITS))
        if self.calibrate is not None and self.calibrate not in CALIBRATIONS:
            raise ValueError(unknown_name("calibration", self.calibrate, CALIBRATIONS))
        for name in self.extra:
            if name in NAMED or name in registered():
                raise ValueError(f"the name {name!r} is taken by a classifier: choose another name")

    @classmethod
    def of_suite(
        cls,
        suite: str,
        *,
        impute: str | None,
        metrics: tuple[str, ...] | None,
        n_folds: int | None = None,
        **others,
    ) -> Protocol:
        """A protocol with the suite's imputation, metrics and folds unless they are given.

        Parameters
        ----------
        suite : str
            "quick", "paper", "extended", "fresh", "keel", "family", "networks", "readable",
            "readable-fresh" or "readable-keel".
        impute : "dataset", "fold" or None
            Imputation; None means that of the suite.
        metrics : tuple of str or None
            Metrics; None means those of the suite.
        n_folds : int or None, default=None
            Number of folds; None means that of the suite.
        **others
            Other attributes of the protocol.

        Returns
        -------
        Protocol
            The protocol.
        """
        extended, readable = suite in EXTENDED_SUITES, suite in READABLE_SUITES
        if impute is None:
            impute = "fold" if extended or readable else cls.impute
        if metrics is None:
            metrics = EXTENDED_METRICS if extended else cls.metrics
        family = suite == "family"
        if n_folds is None:
            n_folds = 5 if family else cls.n_folds
        if suite == "networks":
            n_folds, others = 1, others | NETWORKS_PROTOCOL
        gaps = extended and tuple(metrics) == EXTENDED_METRICS
        return cls(
            impute=impute,
            metrics=metrics,
            n_folds=n_folds,
            gaps=gaps,
            keep_empty=family,
            sizes=readable,
            **others,
        )

    @property
    def identity(self) -> dict:
        """The settings that determine the value of a row, besides its cell and the data."""
        others = {
            "split": self.split,
            "calibrate": self.calibrate,
            "keep_empty": self.keep_empty or None,
        }
        return {
            "margin": self.margin,
            "impute": self.impute,
            "n_folds": self.n_folds,
            "seed": self.seed,
            "metrics": list(self.metrics),
            **{name: value for name, value in others.items() if value is not None},
        }

    @property
    def has_probabilities(self) -> bool:
        """Whether probabilities are of interest."""
        return self.calibrate is not None or any(map(needs_probabilities, self.metrics))

    def chosen_classifiers(self, asked: list[str] | None, suite: str) -> tuple[str, ...]:
        """The classifiers asked for, or those of the suite; the user's own in any case."""
        own = [name for name in self.extra if name not in (asked or ())]
        if asked is None:
            return (*suite_classifiers(suite), *own)
        known = [*known_classifiers(), *self.extra]
        shown = [name for name in known if name not in UNLISTED]
        return (*choose(asked, known, "classifier", shown), *own)

    def classifier(self, name: str, repeat: int, cache: FitCache) -> BaseEstimator:
        """An unfitted classifier, sharing its parts through the cache."""
        if name in NAMED:
            return NAMED[name](Parts(self.margin, repeat, cache))
        if name in self.extra:
            return import_classifier(self.extra[name])
        if name in registered():
            estimator = resolve(registered()[name])()
            seeded = "random_state" in estimator.get_params(deep=False)
            return estimator.set_params(random_state=repeat) if seeded else estimator
        raise ValueError(unknown_name("classifier", name, [*known_classifiers(), *self.extra]))


def known_classifiers() -> list[str]:
    """All classifiers by name: those of the suites, and those of the registry."""
    return [*NAMED, *(name for name in registered() if name not in NAMED)]


def import_classifier(path: str) -> BaseEstimator:
    """A classifier from ``package.module:name``, an estimator or something that makes one."""
    module_name, _, attribute = path.partition(":")
    if not attribute:
        raise ValueError(f"{path!r} does not name a classifier: write package.module:name")
    try:
        found = getattr(import_module(module_name), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"the classifier {path!r} could not be imported: {error}") from error
    estimator = (
        clone(found) if hasattr(found, "get_params") and not isinstance(found, type) else found()
    )
    if not hasattr(estimator, "fit") or not hasattr(estimator, "predict"):
        raise ValueError(f"{path!r} is not a classifier: it has no fit and predict")
    return estimator


def choose(
    asked: list[str] | None, known: list[str], what: str, shown: list[str] | None = None
) -> list[str]:
    """The names asked for, or all, in the order of the known ones; errors name those shown."""
    if asked is None:
        return list(known)
    lower = {name.lower(): name for name in known}
    for name in asked:
        if name.lower() not in lower:
            raise ValueError(unknown_name(what, name, known if shown is None else shown))
    wanted = {lower[name.lower()] for name in asked}
    return [name for name in known if name in wanted]
