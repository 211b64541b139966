"""The linear dilation-erosion perceptron: a maximum and a minimum of affine functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Integral, Real

import numpy as np
from joblib import Parallel, delayed
from sklearn.utils import check_random_state

from .._base._groups import GroupedClassifier
from .._base._members import folds_in_use
from .._base._one_vs_rest import SignClassifier
from .._base._validation import NON_NEGATIVE, drop_weightless, feature_names
from .._utils._sklearn_estimators import Interval, StrOptions
from .._utils._typing import Array, Indices, Mask
from ..inspection import FittedPieces, explain_pieces, explained, summarise_pieces, summarised
from ..training import (
    AFFINE_LOSSES,
    WEIGHTINGS,
    AffineObjective,
    AffineProcedure,
    AffineResult,
    TrainingSet,
    rough_path,
    train_affine,
)
from ._trained import warn_if_not_converged

AUTO = "auto"
# More unknowns than this are not tried: a step's matrix would have their square.
_MOST_UNKNOWNS = 500
# More would prefer few pieces at the cost of accuracy: measured on one half of the paper's data.
_STANDARD_ERRORS = 0.5


class LinearDEPClassifier(GroupedClassifier, SignClassifier):
    r"""Linear dilation-erosion perceptron (ℓ-DEP).

    .. math::

        \tau(x) = \max_j (A x + a)_j + \min_k (B x + b)_k ,
        \qquad \phi(x) = \operatorname{sgn} \tau(x), \quad \operatorname{sgn}(0) = +1 .

    A difference of two convex piecewise linear functions, and so any continuous piecewise linear
    function, given enough pieces: unlike a :class:`DEPClassifier` it need not be increasing. With
    one piece of each kind it is a linear support vector machine. Training minimises

    .. math::

        \sum_{i \in N} \frac{\nu_i}{|N|} \, \ell\big(\mu + \tau(x_i)\big)
        + \sum_{i \in P} \frac{\nu_i}{|P|} \, \ell\big(\mu - \tau(x_i)\big)
        + \frac{C}{2} \Big( \frac{\lVert A \rVert^2}{J} + \frac{\lVert B \rVert^2}{K} \Big)

    by the convex-concave procedure from the linear classifier, whose equal pieces are split by
    groups of samples. As for other linear models, features should have similar scales: put a
    ``StandardScaler`` before it. The training itself does not depend on scales but by the penalty,
    and by the directions along which pieces are split.

    Parameters
    ----------
    n_pieces : int, pair of int or "auto", default="auto"
        Numbers J and K of affine pieces of the dilation and of the erosion; one number is for
        both. ``"auto"`` chooses among (1, 1), (2, 1), (1, 2), (2, 2), (3, 3) and so on by
        cross-validation, each trained from the linear classifier (1, 1): the first whose balanced
        accuracy is within half a standard error of the best. Three pieces and more are tried only
        if (2, 2) is at least as accurate as (1, 1).

    max_pieces : int, default=3
        The greatest number of pieces that ``"auto"`` tries. Fewer where features are so many that
        training would have more than 500 unknowns.

    C : float, default=0.1
        Strength of the penalty: greater is stiffer, the reverse of an SVC's C. It is a mean over
        pieces, so that its strength does not depend on their number. With 0 there is none.

    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        Loss ℓ. The squared hinge is trained faster.

    margin : float, default=1.0
        Decision value μ from which on a sample has no loss.

    penalize_intercept : bool, default=False
        Whether the penalty includes a and b.

    weighting : "distance" or None, default=None
        Weights ν of the samples: None gives all the same; "distance", as in the r-DEP paper, gives
        less weight to samples far from the mean of their class.

    class_weight : dict, "balanced" or None, default=None
        A dict multiplies each class's loss. Losses are normalised by class in any case, so that
        ``"balanced"`` and None are the same.

    n_init : int, default=1
        Number of starts: groups split along principal directions, then along random ones. The
        lowest objective wins.

    max_iter : int, default=100
        Maximum number of steps of the convex-concave procedure for each start.

    tol : float, default=1e-3
        Relative decrease of a step below which training stops, with the status "tolerance". With 0
        it stops only if no step descends, nor one that fixes another of several tied pieces (the
        first eight ties are tried).

    cv : int, cross-validation splitter or iterable, default=5
        Folds for ``"auto"``. An integer is the number of stratified folds of shuffled samples; with
        a class of one sample there are none, and the linear classifier is taken. A splitter gets
        the ``groups`` that are given to the fit.

    random_state : int, RandomState instance or None, default=None
        Generator of the random starts.

    n_jobs : int or None, default=None
        Number of folds to go through in parallel.

    Attributes
    ----------
    dilation_coef_, erosion_coef_ : ndarray of shape (J, n_features) and (K, n_features)
        The matrices A and B.
    dilation_intercept_, erosion_intercept_ : ndarray of shape (J,) and (K,)
        The vectors a and b.
    beta_ : float
        Weight β of the dilation in the form β max(A'x + a') + (1 − β) min(B'x + b'), where A' and
        B' have the same norm: ‖A‖ / (‖A‖ + ‖B‖).
    n_pieces_ : tuple of two int
        The numbers J and K.
    candidates_ : list of tuples
        The numbers of pieces that were compared, or the given ones.
    scores_ : ndarray of shape (n_folds, n_candidates) or None
        Their balanced accuracies, fold by fold; None without cross-validation.
    result_ : AffineResult
        How training ended, with the duality gap of every step.
    n_iter_ : int
        Steps of the convex-concave procedure.
    n_conditions_ : int
        Number of coefficients that are not 0, of all classes.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    estimators_ : list of LinearDEPClassifier
        For more than two classes, in place of the above: one for each class against the rest.
    n_features_in_ : int
        Number of features seen in the fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where X has names that are all strings.

    References
    ----------
    A. L. Oliveira and M. E. Valle, "Linear dilation-erosion perceptron trained using a
    convex-concave procedure", arXiv 2011.06512, 2020.

    Examples
    --------
    >>> from rdep import LinearDEPClassifier
    >>> from rdep.datasets import make_double_moon
    >>> X_train, X_test, y_train, y_test = make_double_moon()
    >>> linear_dep = LinearDEPClassifier().fit(X_train, y_train)
    >>> linear_dep.n_pieces_
    (3, 3)
    >>> round(linear_dep.score(X_test, y_test), 2)
    0.98
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "n_pieces": [StrOptions({AUTO}), Integral, tuple, list],
        "max_pieces": [Interval(Integral, 1, None, closed="left")],
        "C": [NON_NEGATIVE],
        "loss": [StrOptions(set(AFFINE_LOSSES))],
        "margin": [Interval(Real, 0, np.inf, closed="neither")],
        "penalize_intercept": ["boolean"],
        "weighting": [StrOptions(set(WEIGHTINGS)), None],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [NON_NEGATIVE],
        "cv": ["cv_object"],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_pieces="auto",
        *,
        max_pieces=3,
        C=0.1,
        loss="squared_hinge",
        margin=1.0,
        penalize_intercept=False,
        weighting=None,
        class_weight=None,
        n_init=1,
        max_iter=100,
        tol=1e-3,
        cv=5,
        random_state=None,
        n_jobs=None,
    ):
        self.n_pieces = n_pieces
        self.max_pieces = max_pieces
        self.C = C
        self.loss = loss
        self.margin = margin
        self.penalize_intercept = penalize_intercept
        self.weighting = weighting
        self.class_weight = class_weight
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _fit_binary(self, X, y, sample_weight, groups=None):
        given = None if self.n_pieces == AUTO else _checked_pieces(self.n_pieces)
        signs = np.where(y == self.classes_[1], 1.0, -1.0)
        costs = self._class_costs()
        samples = TrainingSet.from_samples(X, signs, sample_weight, costs, ignore_constant=True)
        if given is not None:
            self._check_enough_samples(given, samples)
            self.candidates_, self.n_pieces_, self.scores_ = [given], given, None
        else:
            self._choose(X, y, signs, sample_weight, samples, groups)
        seed = 0
        if self.n_init > 1:
            seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        procedure = AffineProcedure(
            max_iter=self.max_iter, tol=self.tol, n_init=self.n_init, seed=seed
        )
        result = train_affine(samples, self._objective(), self.n_pieces_, procedure)
        warn_if_not_converged(result, "convex-concave procedure", self.max_iter)
        self.result_, self.n_iter_ = result, result.n_iter
        self.dilation_coef_, self.erosion_coef_ = result.dilation_coef, result.erosion_coef
        self.dilation_intercept_ = result.dilation_intercept
        self.erosion_intercept_ = result.erosion_intercept

    def _choose(self, X, y, signs, sample_weight, samples, groups):
        """Set the numbers of pieces, and the scores by which they were chosen."""
        self.candidates_ = path = self._path(samples)
        given = y, sample_weight, groups
        X, y, signs, sample_weight = drop_weightless(sample_weight, X, y, signs)
        alone = isinstance(self.cv, Integral) and np.unique(y, return_counts=True)[1].min() < 2
        if len(path) == 1 or alone:
            self.n_pieces_, self.scores_ = path[0], None
            return
        self.n_pieces_, self.scores_ = choose_pieces(
            X,
            signs,
            sample_weight,
            folds_in_use(self.cv, *given),
            path,
            self._objective(),
            self._class_costs(),
            self.n_jobs,
        )
        self.candidates_ = path[: self.scores_.shape[1]]

    def _path(self, samples):
        """Candidates from the linear classifier upwards, as far as samples and features allow."""
        n_features = min(
            int(samples.used.sum()), len(samples.negatives.rows) + len(samples.positives.rows)
        )
        # Folds have fewer samples: half of them in a class, at the least.
        fewest = min(len(samples.negatives.rows), len(samples.positives.rows)) // 2
        candidates = [(2, 1), (1, 2)] + [(n, n) for n in range(2, self.max_pieces + 1)]
        return [(1, 1)] + [
            pieces
            for pieces in candidates
            if max(pieces) <= min(fewest, self.max_pieces)
            and sum(pieces) * (n_features + 1) <= _MOST_UNKNOWNS
        ]

    def _check_enough_samples(self, n_pieces, samples):
        negative, positive = self.classes_.tolist()
        for number, rows, operator, label in (
            (n_pieces[0], samples.positives.rows, "dilation", positive),
            (n_pieces[1], samples.negatives.rows, "erosion", negative),
        ):
            if number > len(rows):
                raise ValueError(
                    f"n_pieces={self.n_pieces!r} asks for {number} pieces of the {operator}, but "
                    f"class {label!r} has only {len(rows)} distinct samples to tell them apart: "
                    "take fewer pieces"
                )

    def _objective(self):
        return AffineObjective(
            C=float(self.C),
            loss=self.loss,
            margin=float(self.margin),
            weighting=self.weighting,
            penalize_intercept=self.penalize_intercept,
        )

    @property
    def beta_(self):
        norms = np.linalg.norm(self.dilation_coef_), np.linalg.norm(self.erosion_coef_)
        return float(norms[0] / sum(norms)) if sum(norms) > 0 else 0.5

    @property
    def n_conditions_(self):
        parts = [self] if len(self.classes_) == 2 else self.estimators_
        coefficients = [c for part in parts for c in (part.dilation_coef_, part.erosion_coef_)]
        return sum(map(int, map(np.count_nonzero, coefficients)))

    def _decide(self, X):
        return decide(X, self.result_)

    def _explain(self, X):
        return explain_pieces(self._fitted_pieces(), X)

    def explain(self, X):
        """Which affine piece of the dilation and which of the erosion decided, and by what.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        PiecesExplanation, or MulticlassExplanation for more than two classes
        """
        return explained(self, X)

    def summary(self, *, max_features=20):
        """What was learned, as text: all pieces by feature names, and how training ended.

        Parameters
        ----------
        max_features : int, default=20
            Maximum number of features whose coefficients are shown.

        Returns
        -------
        str
        """
        return summarised(
            self,
            lambda part, classes: summarise_pieces(
                replace(part._fitted_pieces(), classes=classes), max_features
            ),
        )

    def _fitted_pieces(self):
        return FittedPieces(
            title=f"{type(self).__name__} on {self.n_features_in_} features",
            classes=tuple(self.classes_.tolist()),
            names=feature_names(self),
            dilation=(self.dilation_coef_, self.dilation_intercept_),
            erosion=(self.erosion_coef_, self.erosion_intercept_),
            beta=self.beta_,
            result=self.result_,
        )


def _checked_pieces(given):
    """The pair of numbers, or an error that says what is wrong with it."""
    if isinstance(given, Integral):
        given = (given, given)
    is_pair = len(given) == 2 and all(isinstance(number, Integral) for number in given)
    if not is_pair or min(given) < 1:
        raise ValueError(
            'n_pieces must be "auto", a positive integer or a pair of positive integers, the '
            f"pieces of the dilation and of the erosion; got {given!r}"
        )
    return int(given[0]), int(given[1])


def choose_pieces(
    X: Array,
    signs: Array,
    sample_weight: Array | None,
    folds: Iterable[tuple[Indices, Indices]],
    path: list[tuple[int, int]],
    objective: AffineObjective,
    class_costs: tuple[float, float],
    n_jobs: int | None,
) -> tuple[tuple[int, int], Array]:
    """The first candidate that is as good as the best, and all scores.

    Candidates of more than two pieces are left out if two of each kind are worse than one.
    """
    folds = list(folds)

    def scores_of(candidates: list[tuple[int, int]]) -> Array:
        rows = Parallel(n_jobs=n_jobs)(
            delayed(_scores_on_fold)(
                X, signs, sample_weight, train, test, candidates, objective, class_costs
            )
            for train, test in folds
        )
        return np.array(rows)

    n_small = sum(max(pieces) <= 2 for pieces in path)
    scores = scores_of(path[:n_small])
    means = scores.mean(axis=0)
    if n_small < len(path) and means[-1] >= means[0]:
        scores = np.hstack([scores, scores_of(path[n_small:])])
    return path[first_as_good(scores)], scores


def first_as_good(scores: Array) -> int:
    """The first column within half a standard error of the best, by differences on each fold."""
    differences = scores[:, [scores.mean(axis=0).argmax()]] - scores
    error = differences.std(axis=0, ddof=1) / np.sqrt(len(scores))
    return int(np.argmax(differences.mean(axis=0) <= _STANDARD_ERRORS * error + 1e-12))


def _scores_on_fold(X, signs, sample_weight, train, test, path, objective, class_costs):
    weights = None if sample_weight is None else sample_weight[train]
    samples = TrainingSet.from_samples(
        X[train], signs[train], weights, class_costs, ignore_constant=True
    )
    of_test = None if sample_weight is None else sample_weight[test]
    return [
        _balanced_accuracy(signs[test] > 0, decide(X[test], result) >= 0, of_test)
        for result in rough_path(samples, objective, path)
    ]


def _balanced_accuracy(truth: Mask, found: Mask, sample_weight: Array | None) -> float:
    """scikit-learn's, whose checks take as long as training a candidate on few samples."""
    if not len(truth):
        raise ValueError("a fold of cv has no test samples: choose other folds, or fewer")
    is_right = (truth == found).astype(float)
    weights = np.ones(len(truth)) if sample_weight is None else sample_weight
    recalls = [
        np.average(is_right[rows], weights=weights[rows]) for rows in (truth, ~truth) if rows.any()
    ]
    return float(np.mean(recalls))


def decide(X: Array, pieces: AffineResult) -> Array:
    """τ of samples, from a result of training."""
    dilated = (X @ pieces.dilation_coef.T + pieces.dilation_intercept).max(axis=1)
    return dilated + (X @ pieces.erosion_coef.T + pieces.erosion_intercept).min(axis=1)
