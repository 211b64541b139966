"""Protocol of a run: how every cell is computed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from rdep._registry import CLASSIFICATION, REGRESSION
from rdep._utils._names import unknown_name

from ..models import installed, is_known, known_classifiers, make
from ..models._names import MODEL, UNLISTED

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

    from ..models._sharing import FitCache

IMPUTATIONS = ("dataset", "fold")
BY_GROUPS, BY_TIME, HELD_OUT = "groups", "time", "held out"
SPLITS = (BY_GROUPS, BY_TIME, HELD_OUT)
# What `rdep fit` fits without options.
DEFAULT_MODEL: dict[str, Any] = {"estimator": "rdep", "parameters": {}}
# Metrics shown by the command; others are looked up in scikit-learn.
METRICS = (
    *("balanced_accuracy", "accuracy", "f1", "f1_macro", "matthews_corrcoef"),
    *("roc_auc", "roc_auc_ovr", "average_precision", "neg_log_loss", "neg_brier_score"),
)
REGRESSION_METRICS = (
    *("neg_mean_absolute_error", "neg_root_mean_squared_error", "r2"),
    *("neg_median_absolute_error", "neg_max_error", "neg_quantile_loss"),
)
BY_DEFAULT = ("balanced_accuracy",)
# The errors by which regressors are compared by default.
ERRORS = ("neg_mean_absolute_error", "r2")


@dataclass(frozen=True)
class Protocol:
    """Settings for computing every cell (data set × repeat × fold × classifier).

    The defaults are the paper's, except for the margin of the DEPs.

    Attributes
    ----------
    task : "classification" or "regression"
        Whether targets are classes, or numbers to predict.
    margin : float
        Margin of the paper's DEPs; the paper has 0.
    impute : "dataset" or "fold"
        Mean imputation over the whole data set, as in the paper, or over the training folds only.
    n_folds : int
        Number of stratified folds.
    seed : int
        Seed of the folds; a repeat adds its number.
    metrics : tuple of str
        Metrics by scikit-learn's names, the main one first.
    extra : dict of str to str
        Import paths of classifiers of the user, by name.
    split : "groups", "time", "held out" or None
        Kind of folds: folds that keep groups together, folds that are tested on later rows than
        they are trained on, or one random share held out. None means stratified folds.
    calibrate : "sigmoid", "isotonic", "temperature" or None
        Method of calibration of all classifiers, so that they predict probabilities; None means no
        calibration.
    gaps : bool
        Whether scores may be missing for classifiers without probabilities, as in the extended
        suite. Otherwise metrics that need probabilities are refused.
    keep_empty : bool
        Whether features without any value are kept, imputed as 0, as in the family's published
        table. Otherwise they are dropped.
    sizes : bool
        Whether rows state the number of conditions of a classifier, as in the suite ``readable``.
    measured : bool
        Whether classifiers have the parameters of their committed rows in the suites ``family`` and
        ``networks``. Otherwise they have their defaults.
    robust : bool
        Whether rows state the radii within which correct predictions stay correct.
    quantile : float or None
        Quantile of a regression, for its loss and for rivals that predict it.
    costs : bool
        Whether rows state CPU times, as in the suite ``costs``: no fit is shared, and one process
        computes all.
    model : dict or None
        The classifier ``"model"``, as ``rdep fit`` makes it: ``estimator``, its name, and
        ``parameters``.
    positive : int or None
        Index of the positive class of two, for one-sided metrics, thresholds and curves; None means
        the second.
    threshold, cost
        Threshold of every classifier, as in :func:`rdep.tables.fit_table`.
    columns : dict of str to list of int, or None
        For one table: the encoded features of each column. Rows then state predictions of held-out
        samples, and the importance of columns for ``"model"``.
    """

    __module__ = "rdep_experiment"

    task: str = CLASSIFICATION
    margin: float = 1e-6
    impute: str = "dataset"
    n_folds: int = 10
    seed: int = 1
    metrics: tuple[str, ...] = BY_DEFAULT
    extra: dict[str, str] = field(default_factory=dict)
    split: str | None = None
    calibrate: str | None = None
    gaps: bool = False
    keep_empty: bool = False
    sizes: bool = False
    measured: bool = False
    costs: bool = False
    model: dict[str, Any] | None = None
    positive: int | None = None
    threshold: float | str | None = None
    cost: dict[str, float] | None = None
    columns: dict[str, list[int]] | None = None
    robust: bool = False
    quantile: float | None = None

    def __post_init__(self) -> None:
        if self.impute not in IMPUTATIONS:
            raise ValueError(unknown_name("imputation", self.impute, list(IMPUTATIONS)))
        if not self.metrics:
            raise ValueError("metrics is empty: name at least one metric")
        for metric in self.metrics:
            if metric not in (*METRICS, *REGRESSION_METRICS):
                _check_metric(metric)
        if len(set(self.metrics)) < len(self.metrics):
            raise ValueError(f"a metric is named twice: {', '.join(self.metrics)}")
        if self.split is not None and self.split not in SPLITS:
            raise ValueError(unknown_name("split", self.split, SPLITS))
        if self.threshold is not None or self.cost is not None:
            from rdep.tables import check_threshold

            check_threshold(self.threshold, self.cost)
        if self.calibrate is not None:
            _check_calibration(self.calibrate)
        for name in self.extra:
            if is_known(name, self.task):
                raise ValueError(f"the name {name!r} is taken by a classifier: choose another name")

    def changed(self, **given: Any) -> Protocol:
        """Return a copy with the given settings; None keeps a setting.

        If the metrics change, no gaps are allowed. A protocol that holds out samples has one fold.
        """
        changes = {name: value for name, value in given.items() if value is not None}
        if changes.get("metrics", self.metrics) != self.metrics:
            changes["gaps"] = False
        if changes.get("split", self.split) == HELD_OUT:
            changes["n_folds"] = 1
        return replace(self, **changes)

    def seed_of(self, repeat: int) -> int:
        """Seed of the folds of one repeat."""
        return self.seed + repeat

    @property
    def identity(self) -> dict:
        """Settings that determine the value of a row, besides its cell and the data."""
        others = {
            "split": self.split,
            "calibrate": self.calibrate,
            "keep_empty": self.keep_empty or None,
            "costs": self.costs or None,
            "model": self.model if self.model != DEFAULT_MODEL else None,
            "positive": self.positive,
            "threshold": self.threshold,
            "cost": self.cost,
            "robust": self.robust or None,
            "task": None if self.task == CLASSIFICATION else self.task,
            "quantile": self.quantile,
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
        """Whether classifiers are calibrated or a metric needs probabilities."""
        from rdep._utils._sklearn_scoring import needs_probabilities

        return self.calibrate is not None or any(map(needs_probabilities, self.metrics))

    def chosen_classifiers(
        self, asked: list[str] | None, usual: tuple[str, ...]
    ) -> tuple[str, ...]:
        """Requested classifiers, or the usual ones, and always those of the user."""
        own = [name for name in self.extra if name not in (asked or ())]
        first = () if self.model is None else (MODEL,)
        if asked is None:
            return (*first, *installed(usual), *own)
        known = [*first, *known_classifiers(self.task), *self.extra]
        shown = [name for name in known if name not in UNLISTED]
        what = "regressor" if self.task == REGRESSION else "classifier"
        return (*choose([*first, *asked], known, what, shown), *own)

    def classifier(self, name: str, repeat: int, cache: FitCache | None) -> BaseEstimator:
        """Create an unfitted classifier that shares its parts through the cache, if given."""
        from ..models._sharing import Parts

        if name in self.extra:
            return import_classifier(self.extra[name])
        if name == MODEL and self.model is not None:
            from rdep.tables import make_estimator

            made = make_estimator(self.model["estimator"], self.model["parameters"], self.task)
            if made.get_params(deep=False).get("random_state", 0) is None:
                made.set_params(random_state=repeat)
            return made
        parts = Parts(self.margin, repeat, cache, self.quantile)
        return make(name, parts, self.measured, self.task)


def import_classifier(path: str) -> BaseEstimator:
    """Import a classifier, or a function that makes one, from ``package.module:name``."""
    from sklearn.base import clone

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
    """Requested names, or all, in the order of the known ones; errors list the shown ones."""
    if asked is None:
        return list(known)
    lower = {name.lower(): name for name in known}
    for name in asked:
        if name.lower() not in lower:
            raise ValueError(unknown_name(what, name, known if shown is None else shown))
    wanted = {lower[name.lower()] for name in asked}
    return [name for name in known if name in wanted]


def _check_metric(metric: str) -> None:
    from sklearn.metrics import get_scorer_names

    from rdep._utils._sklearn_scoring import QUANTILE_LOSS

    if metric not in (*get_scorer_names(), QUANTILE_LOSS):
        raise ValueError(unknown_name("metric", metric, get_scorer_names()))


def _check_calibration(calibrate: str) -> None:
    from rdep.tables import CALIBRATIONS

    if calibrate not in CALIBRATIONS:
        raise ValueError(unknown_name("calibration", calibrate, CALIBRATIONS))
