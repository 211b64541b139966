"""The dilation-erosion perceptron with C and margin chosen by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from numbers import Integral

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import get_scorer, get_scorer_names

from ._sklearn import StrOptions
from ._typing import Array
from .dep import DEPClassifier
from .exceptions import DegenerateFitWarning
from .folds import inner_folds
from .orientation import signs_by_name

__all__ = ["DEPClassifierCV"]


class DEPClassifierCV(DEPClassifier):
    r"""Dilation-erosion perceptron that chooses C and its margin by cross-validation.

    For every margin the values of C are gone through from the greatest to the smallest, each
    training starting where the one before ended: along such a *path* each takes a few steps.

    Parameters
    ----------
    Cs : array-like of floats, default=(1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
        Candidates for C.

    margins : array-like of floats, default=(1e-6, 0.25, 0.5)
        Candidates for the margin.

    cv : int, cross-validation splitter or iterable, default=5
        The folds on which candidates are compared. A number means so many stratified folds of
        shuffled samples.

    scoring : str, default="balanced_accuracy"
        What is compared, by scikit-learn's name. Of candidates equally good the greatest C is
        taken, then the greatest margin.

    weighting, reference, monotonic_cst, class_weight, beta, beta_loss, beta_holdout, joint
    escape, n_init, solver, max_iter, tol, random_state
        Of :class:`DEPClassifier`.

    n_jobs : int or None, default=None
        Folds to go through at the same time.

    Attributes
    ----------
    C_, margin_ : float
        The chosen ones.
    scores_ : ndarray of shape (n_folds, n_margins, n_Cs)
        In the order of ``margins`` and ``Cs``.
    dilation_weights_, erosion_weights_, beta_, beta_interval_, orientation_
    dilation_result_, erosion_result_, joint_result_, rounding_, classes_, n_iter_, estimators_
    n_features_in_, feature_names_in_
        Of the :class:`DEPClassifier` trained on all samples, along the path to ``C_``.

    Examples
    --------
    >>> from rdep import DEPClassifierCV
    >>> from rdep.datasets import load_ripley
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifierCV().fit(X_train, y_train)
    >>> dep.C_, dep.margin_
    (0.1, 0.25)
    """

    _parameter_constraints = {
        **{
            name: constraint
            for name, constraint in DEPClassifier._parameter_constraints.items()
            if name not in ("C", "margin")
        },
        "Cs": ["array-like"],
        "margins": ["array-like"],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(get_scorer_names()))],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        Cs=(1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001),
        margins=(1e-6, 0.25, 0.5),
        cv=5,
        scoring="balanced_accuracy",
        weighting="distance",
        reference="extreme",
        monotonic_cst=None,
        class_weight=None,
        beta=None,
        beta_loss="hinge",
        beta_holdout=None,
        joint=False,
        escape=False,
        n_init=1,
        solver="descent",
        max_iter=500,
        tol=1e-12,
        random_state=None,
        n_jobs=None,
    ):
        self.Cs = Cs
        self.margins = margins
        self.cv = cv
        self.scoring = scoring
        self.weighting = weighting
        self.reference = reference
        self.monotonic_cst = monotonic_cst
        self.class_weight = class_weight
        self.beta = beta
        self.beta_loss = beta_loss
        self.beta_holdout = beta_holdout
        self.joint = joint
        self.escape = escape
        self.n_init = n_init
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def C(self) -> float:  # noqa: N802
        return self.C_

    @property
    def margin(self) -> float:
        return self.margin_

    def _fit_binary(self, X, y, sample_weight):
        Cs, margins = _candidates(self.Cs, "Cs"), _candidates(self.margins, "margins")
        template = self._template()
        if sample_weight is not None:
            used = sample_weight > 0
            X, y, sample_weight = X[used], y[used], sample_weight[used]
        folds = inner_folds(self.cv, y).split(X, y)
        scores = Parallel(n_jobs=self.n_jobs)(
            delayed(_scores_on_fold)(
                template, X, y, sample_weight, train, test, Cs, margins, self.scoring
            )
            for train, test in folds
        )
        self.scores_ = np.array(scores)
        mean = self.scores_.mean(axis=0)
        best = np.argwhere(mean >= mean.max() - 1e-12)
        place = max(map(tuple, best), key=lambda place: (Cs[place[1]], margins[place[0]]))
        self.margin_, self.C_ = float(margins[place[0]]), float(Cs[place[1]])
        # The same way down as in the folds: another start may lead to another critical point.
        *_, (_, final) = _path(template, X, y, sample_weight, Cs[Cs >= self.C_], self.margin_)
        fitted = {name: value for name, value in vars(final).items() if name.endswith("_")}
        for name in ("n_features_in_", "feature_names_in_", "classes_"):
            fitted.pop(name, None)
        self.__dict__.update(fitted)
        self._warn_if_degenerate(X, self._decide(X), self._signs(y), sample_weight)

    def _template(self) -> DEPClassifier:
        names = DEPClassifier().get_params().keys() - {"C", "margin"}
        template = DEPClassifier(**{name: getattr(self, name) for name in names})
        if isinstance(self.monotonic_cst, Mapping):
            known = getattr(self, "feature_names_in_", None)
            template.set_params(monotonic_cst=signs_by_name(self.monotonic_cst, known))
        return template


def _path(
    template: DEPClassifier, X, y, sample_weight, Cs, margin: float
) -> Iterator[tuple[int, DEPClassifier]]:
    """Models for every C from the greatest on, with its place among them."""
    start: dict[str, Array] = {}
    for place in np.argsort(-Cs):
        model = DEPClassifier(**{**template.get_params(), "C": float(Cs[place]), "margin": margin})
        model._start = start
        with warnings.catch_warnings():
            # On the way, and in folds, a fit may be of little use. The one that is kept is judged.
            warnings.simplefilter("ignore", DegenerateFitWarning)
            model.fit(X, y, sample_weight)
        start = {
            "dilation": model.dilation_result_.weights,
            "erosion": model.erosion_result_.weights,
        }
        yield int(place), model


def _scores_on_fold(template, X, y, sample_weight, train, test, Cs, margins, scoring):
    scorer = get_scorer(scoring)
    weights = None if sample_weight is None else sample_weight[train]
    for_scorer = {} if sample_weight is None else {"sample_weight": sample_weight[test]}
    scores = np.empty((len(margins), len(Cs)))
    for row, margin in enumerate(margins):
        for place, model in _path(template, X[train], y[train], weights, Cs, float(margin)):
            scores[row, place] = scorer(model, X[test], y[test], **for_scorer)
    return scores


def _candidates(values, name: str):
    candidates = np.asarray(values, dtype=float)
    if candidates.ndim != 1 or not len(candidates) or not (candidates >= 0).all():
        raise ValueError(f"{name} must hold one number or more, none negative; got {values!r}")
    return candidates
