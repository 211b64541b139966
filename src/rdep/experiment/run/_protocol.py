"""What is run: the paper's protocol and its named variants."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module

from sklearn.base import BaseEstimator, clone
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import StratifiedKFold

from ..._registry import classifiers as registered
from ..._registry import resolve
from ..._utils._names import unknown_name
from ._sharing import FitCache
from ._suites import EXTENDED, Parts

IMPUTATIONS = ("dataset", "fold")
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
    """

    __module__ = "rdep.experiment"

    margin: float = 1e-6
    impute: str = "dataset"
    n_folds: int = 10
    seed: int = 1
    metrics: tuple[str, ...] = ("balanced_accuracy",)
    extra: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.impute not in IMPUTATIONS:
            raise ValueError(unknown_name("imputation", self.impute, list(IMPUTATIONS)))
        if not self.metrics:
            raise ValueError("metrics is empty: name at least one metric")
        for metric in self.metrics:
            if metric not in get_scorer_names():
                raise ValueError(unknown_name("metric", metric, get_scorer_names()))
        for name in self.extra:
            if name in EXTENDED or name in registered():
                raise ValueError(f"the name {name!r} is taken by a classifier: choose another name")

    @classmethod
    def of_suite(
        cls, suite: str, *, impute: str | None, metrics: tuple[str, ...] | None, **others
    ) -> Protocol:
        """A protocol with the suite's imputation and metrics unless they are given.

        Parameters
        ----------
        suite : str
            "quick", "paper" or "extended".
        impute : "dataset", "fold" or None
            Imputation; None means that of the suite.
        metrics : tuple of str or None
            Metrics; None means those of the suite.
        **others
            Other attributes of the protocol.

        Returns
        -------
        Protocol
            The protocol.
        """
        extended = suite == "extended"
        if impute is None:
            impute = "fold" if extended else cls.impute
        if metrics is None:
            metrics = EXTENDED_METRICS if extended else cls.metrics
        return cls(impute=impute, metrics=metrics, **others)

    @property
    def identity(self) -> dict:
        """The settings that determine the value of a row, besides its cell and the data."""
        return {
            "margin": self.margin,
            "impute": self.impute,
            "n_folds": self.n_folds,
            "seed": self.seed,
            "metrics": list(self.metrics),
        }

    @property
    def known_classifiers(self) -> list[str]:
        return [*EXTENDED, *(name for name in registered() if name not in EXTENDED), *self.extra]

    def folds(self, repeat: int) -> StratifiedKFold:
        return StratifiedKFold(self.n_folds, shuffle=True, random_state=self.seed + repeat)

    def classifier(self, name: str, repeat: int, cache: FitCache) -> BaseEstimator:
        """An unfitted classifier, sharing its parts through the cache."""
        if name in EXTENDED:
            return EXTENDED[name](Parts(self.margin, repeat, cache))
        if name in self.extra:
            return import_classifier(self.extra[name])
        if name in registered():
            estimator = resolve(registered()[name])()
            seeded = "random_state" in estimator.get_params(deep=False)
            return estimator.set_params(random_state=repeat) if seeded else estimator
        raise ValueError(unknown_name("classifier", name, self.known_classifiers))


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


def choose(asked: list[str] | None, known: list[str], what: str) -> list[str]:
    """The names asked for, or all, in the order of the known ones."""
    if asked is None:
        return list(known)
    lower = {name.lower(): name for name in known}
    for name in asked:
        if name.lower() not in lower:
            raise ValueError(unknown_name(what, name, known))
    wanted = {lower[name.lower()] for name in asked}
    return [name for name in known if name in wanted]
