"""The linear dilation-erosion perceptron: a maximum and a minimum of affine functions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from .._base._groups import GroupedClassifier
from .._base._members import folds_in_use
from .._base._one_vs_rest import SignClassifier
from .._base._validation import NON_NEGATIVE, drop_weightless, feature_names
from .._utils._sklearn_estimators import Interval, StrOptions
from .._utils._typing import Array, Mask
from ..inspection import FittedPieces, explain_pieces, explained, summarise_pieces, summarised
from ..training import (
    AFFINE_LOSSES,
    WEIGHTINGS,
    AffineObjective,
    AffineProcedure,
    TrainingSet,
    rough_path,
    train_affine,
)
from ._pieces import AUTO, candidates, checked_pieces, choose_pieces, decide
from ._trained import warn_if_not_converged


class LinearDEPClassifier(GroupedClassifier, SignClassifier):
    r"""Linear dilation-erosion perceptron (ℓ-DEP).

    .. math::

        \tau(x) = \max_j (A x + a)_j + \min_k (B x + b)_k ,
        \qquad \phi(x) = \operatorname{sgn} \tau(x), \quad \operatorname{sgn}(0) = +1 .

    The decision value is a difference of two convex piecewise linear functions. With enough pieces
    it can be any continuous piecewise linear function; unlike a :class:`DEPClassifier`, it need
    not be increasing. With one piece of each kind it is a linear support vector machine. Training
    minimises

    .. math::

        \sum_{i \in N} \frac{\nu_i}{|N|} \, \ell\big(\mu + \tau(x_i)\big)
        + \sum_{i \in P} \frac{\nu_i}{|P|} \, \ell\big(\mu - \tau(x_i)\big)
        + \frac{C}{2} \Big( \frac{\lVert A \rVert^2}{J} + \frac{\lVert B \rVert^2}{K} \Big)

    by the convex-concave procedure. It starts from the linear classifier, whose pieces are split by
    groups of samples. As for other linear models, features should have similar scales: put a
    ``StandardScaler`` before it. Scales affect the penalty and the directions along which pieces
    are split.

    Read more in the :doc:`User Guide </guide/linear_dep>`.

    Parameters
    ----------
    n_pieces : int, pair of int or "auto", default="auto"
        Numbers J and K of affine pieces of the dilation and of the erosion. An int is used for
        both. ``"auto"`` chooses among (1, 1), (2, 1), (1, 2), (2, 2), (3, 3) and so on by
        cross-validation: the first candidate whose balanced accuracy is within half a standard
        error of the best. Every candidate is trained from the linear classifier (1, 1). Three or
        more pieces are tried only if (2, 2) is at least as accurate as (1, 1).

    max_pieces : int, default=3
        Maximum number of pieces that ``"auto"`` tries. Candidates with more than 500 unknowns are
        skipped.

    C : float, default=0.1
        Regularization parameter. It multiplies the penalty: a larger C means stronger
        regularization, the reverse of an SVC's C. The penalty is a mean over pieces, so its
        strength does not depend on their number. 0 means no penalty.

    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        Loss ℓ. Training is faster with the squared hinge.

    margin : float, default=1.0
        Margin μ: samples on the correct side have no loss beyond this decision value.

    penalize_intercept : bool, default=False
        Whether the penalty includes a and b.

    weighting : "distance" or None, default=None
        Weights ν of the samples. None gives all samples the same weight; "distance", as in the
        r-DEP paper, gives less weight to samples far from the mean of their class.

    class_weight : dict, "balanced" or None, default=None
        A dict multiplies the loss of each class. Losses are always normalised by class, so
        ``"balanced"`` and None are the same.

    n_init : int, default=1
        Number of starts. The first splits groups of samples along principal directions, the
        others along random directions. The lowest objective wins.

    max_iter : int, default=100
        Maximum number of steps of the convex-concave procedure for each start.

    tol : float, default=1e-3
        Training stops with the status "tolerance" if the relative decrease of a step is below
        ``tol``. With 0 it stops only if no step descends. If pieces tie, steps that fix another of
        the tied pieces are tried as well, for the first eight ties.

    cv : int, cross-validation splitter or iterable, default=5
        Folds for ``"auto"``. An integer is the number of stratified folds of shuffled samples. If
        a class has a single sample, there are no folds and the linear classifier is used. A
        splitter receives the ``groups`` that are passed to ``fit``.

    random_state : int, RandomState instance or None, default=None
        Determines the random starts.

    n_jobs : int or None, default=None
        Number of folds to evaluate in parallel.

    Attributes
    ----------
    dilation_coef_, erosion_coef_ : ndarray of shape (J, n_features) and (K, n_features)
        The matrices A and B.
    dilation_intercept_, erosion_intercept_ : ndarray of shape (J,) and (K,)
        The vectors a and b.
    beta_ : float
        Weight β of the dilation, ‖A‖ / (‖A‖ + ‖B‖), if the decision value is written as
        β max(A'x + a') + (1 − β) min(B'x + b') with A' and B' of the same norm.
    n_pieces_ : tuple of two int
        The numbers J and K.
    candidates_ : list of tuples
        Numbers of pieces that were compared, or the given numbers.
    scores_ : ndarray of shape (n_folds, n_candidates) or None
        Balanced accuracies of the candidates on each fold. None without cross-validation.
    result_ : AffineResult
        Status and objective of training, with the duality gap of every step.
    n_iter_ : int
        Steps of the convex-concave procedure.
    n_conditions_ : int
        Number of non-zero coefficients, for all classes together.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    estimators_ : list of LinearDEPClassifier
        One classifier for each class against the rest. Defined for more than two classes, in
        place of the attributes above.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    DEPClassifier : Increasing DEP of the features themselves.
    RDEPClassifier : DEP on a learned ordering.

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
        given = None if self.n_pieces == AUTO else checked_pieces(self.n_pieces)
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
        """Choose the numbers of pieces by cross-validation, and store the scores."""
        self.candidates_ = path = self._path(samples)
        given = y, sample_weight, groups
        X, y, signs, sample_weight = drop_weightless(sample_weight, X, y, signs)
        alone = isinstance(self.cv, Integral) and np.unique(y, return_counts=True)[1].min() < 2
        if len(path) == 1 or alone:
            self.n_pieces_, self.scores_ = path[0], None
            return
        on_fold = partial(
            _scores_on_fold, X, signs, sample_weight, self._objective(), self._class_costs()
        )
        self.n_pieces_, self.scores_ = choose_pieces(
            on_fold, folds_in_use(self.cv, *given), path, self.n_jobs
        )
        self.candidates_ = path[: self.scores_.shape[1]]

    def _path(self, samples):
        """Candidates from the linear classifier on, limited by samples and features."""
        n_features = min(
            int(samples.used.sum()), len(samples.negatives.rows) + len(samples.positives.rows)
        )
        # Folds have fewer samples: at least half of a class.
        fewest = min(len(samples.negatives.rows), len(samples.positives.rows)) // 2
        return candidates(min(fewest, self.max_pieces), n_features)

    def _check_enough_samples(self, n_pieces, samples):
        negative, positive = self.classes_.tolist()
        for number, rows, operator, label in (
            (n_pieces[0], samples.positives.rows, "dilation", positive),
            (n_pieces[1], samples.negatives.rows, "erosion", negative),
        ):
            if number > len(rows):
                raise ValueError(
                    f"n_pieces={self.n_pieces!r} asks for {number} pieces of the {operator}, but "
                    f"class {label!r} has only {len(rows)} distinct samples: use fewer pieces"
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
        """Explain predictions by the affine pieces of the dilation and erosion that decided.

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
        """Summarise the fitted model as text: all pieces by feature name, and the training.

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


def _scores_on_fold(X, signs, sample_weight, objective, class_costs, train, test, path):
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
    """Balanced accuracy without scikit-learn's checks, which take as long as a small fit."""
    if not len(truth):
        raise ValueError("a fold of cv has no test samples: use other folds, or fewer")
    is_right = (truth == found).astype(float)
    weights = np.ones(len(truth)) if sample_weight is None else sample_weight
    recalls = [
        np.average(is_right[rows], weights=weights[rows]) for rows in (truth, ~truth) if rows.any()
    ]
    return float(np.mean(recalls))
