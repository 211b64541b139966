"""The dilation-erosion perceptron: a convex combination of a dilation and an erosion."""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from .._base._missing import combined
from .._base._record import FittedOperators
from .._base._validation import feature_names
from .._utils._docstrings import documented
from .._utils._sklearn_estimators import Interval, StrOptions
from ..exceptions import DirectionWarning, warn_caller
from ..inspection import ExplainedClassifier, beta_sentence
from ..training import (
    LOSSES,
    OPERATORS,
    TrainingSet,
    best_combination,
    canonical_order,
    train_jointly,
)
from ._trained import (
    COORDINATES,
    OBJECTIVE_PARAMETERS,
    PAPER_TRAINING,
    PROCEDURE_PARAMETERS,
    BaseTrainedClassifier,
    dilated,
    eroded,
    warn_if_degenerate,
    warn_if_not_converged,
)

MARGIN_HINGE = "margin_hinge"
# Below this balanced accuracy on the training samples, the DEP is compared with one on negated
# features, trained on at most _N_TRIED samples of each class.
_GOOD_ACCURACY, _CLEARLY_BETTER, _N_TRIED = 0.75, 0.1, 500

# Every parameter of the paper's DEP, so that a changed default leaves Table 4 as it is.
PAPER = {
    **PAPER_TRAINING,
    "beta": None,
    "beta_loss": "hinge",
    "beta_holdout": None,
    "joint": False,
}


@documented(objective=OBJECTIVE_PARAMETERS, procedure=PROCEDURE_PARAMETERS, coordinates=COORDINATES)
class DEPClassifier(ExplainedClassifier, BaseTrainedClassifier):
    r"""Dilation-erosion perceptron.

    .. math::

        \tau(x) = \beta \, \delta_w(x) + (1 - \beta) \, \varepsilon_m(x),
        \qquad \phi(x) = \operatorname{sgn} \tau(x), \quad \operatorname{sgn}(0) = +1 .

    Both operators are trained as in :class:`MorphologicalPerceptron`. Then :math:`\beta` minimises
    the hinge loss of :math:`\tau` on the training samples.

    A DEP is increasing in every feature, so it suits features that grow with the positive class.
    If some features fall with it, set ``monotonic_cst`` or use :class:`RDEPClassifier`, which
    learns features that grow with the class.

    Values may be missing (NaN). A missing value takes no part in the maximum and the minimum. A
    sample without any value has the decision value ``prior_``; it is left out of the training of
    w, m and :math:`\beta`.

    Read more in the :doc:`User Guide </guide/estimators>`.

    Parameters
    ----------
    %(objective)s

    class_weight : dict, "balanced" or None, default=None
        Weights of the classes. A dict multiplies the loss of each class, and widens the margin of
        the costlier class by the logarithm of the ratio. The losses of the operators are always
        normalised by class, so ``"balanced"`` and None are the same for w and m. With
        ``"balanced"``, the loss that determines β is normalised by class as well.

    beta : float in [0, 1] or None, default=None
        Weight of the dilation; None learns it.

    beta_loss : {"margin_hinge", "hinge", "squared_hinge"}, default="margin_hinge"
        Loss that determines β. ``"margin_hinge"`` has the margin of the operators and is
        normalised by class, like their losses. The others have no margin; ``"hinge"`` is the
        paper's. If an interval of values minimises the loss, its midpoint is used.

    beta_holdout : float in (0, 1) or None, default=None
        Share of the samples to hold out for learning β. w and m are trained on the other samples
        first, and on all samples at the end. None learns β on the training samples.

    joint : bool, default=False
        Whether to refine w, m and β together after the separate fits. Steps of w and m alternate
        with steps of β. They minimise the hinge loss of τ, with the margin and the normalisation
        by class of the operators.

    %(procedure)s

    random_state : int, RandomState instance or None, default=None
        Determines the random starts and the samples held out.

    Attributes
    ----------
    dilation_weights_, erosion_weights_ : ndarray of shape (n_coordinates,)
        Weights w and m of the coordinates.
    %(coordinates)s
    beta_ : float
        Weight of the dilation.
    beta_interval_ : tuple of two floats
        All minimisers of the loss.
    dilation_result_, erosion_result_ : TrainingResult
        Status, objective and certificate of each operator's training. With ``joint``, they
        describe the start of the joint training. None if the weights come from a network layer.
    joint_result_ : JointResult or None
        Status and objective of joint training.
    bound_values_ : ndarray of shape (2, n_features, 2, 2)
        Training values nearest to each bound, used to round bounds in :meth:`rules`.
    printing_ : ndarray of shape (3,)
        Rounding errors that change no prediction of a training sample, used by :meth:`rules`.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_iter_ : int
        Steps of the convex-concave procedure: the larger number of the two operators.
    n_conditions_ : int
        Number of bounds in :meth:`rules`, for all classes together.
    estimators_ : list of DEPClassifier
        One classifier for each class against the rest. Defined for more than two classes, in
        place of w, m and β.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of features seen during fit, if X has feature names that are all strings.

    See Also
    --------
    DEPClassifierCV : DEP with C and margin chosen by cross-validation.
    RDEPClassifier : Reduced DEP, which learns increasing features first.
    LinearDEPClassifier : Dilation and erosion of affine functions; need not be increasing.
    MorphologicalPerceptron : Single dilation or erosion.

    References
    ----------
    R. de A. Araújo, "A class of hybrid morphological perceptrons with application in time series
    forecasting", Knowledge-Based Systems 24(4), 2011.

    M. E. Valle, "Reduced dilation-erosion perceptron for binary classification", Mathematics 8(4),
    2020.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifier().fit(X_train, y_train)
    >>> round(dep.score(X_test, y_test), 2)
    0.9
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **BaseTrainedClassifier._parameter_constraints,
        "beta": [Interval(Real, 0, 1, closed="both"), None],
        "beta_loss": [StrOptions({MARGIN_HINGE, *LOSSES})],
        "beta_holdout": [Interval(Real, 0, 1, closed="neither"), None],
        "joint": ["boolean"],
    }

    def __init__(
        self,
        *,
        C=0.001,
        weighting=None,
        reference="extreme",
        margin=0.5,
        ignore_constant=True,
        monotonic_cst=None,
        class_weight=None,
        beta=None,
        beta_loss="margin_hinge",
        beta_holdout=None,
        joint=False,
        escape=True,
        n_init=1,
        solver="descent",
        max_iter=500,
        tol=0.0,
        random_state=None,
    ):
        self.C = C
        self.weighting = weighting
        self.reference = reference
        self.margin = margin
        self.ignore_constant = ignore_constant
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

    @classmethod
    def paper(cls, **parameters):
        """Create the DEP of the paper's experiment, independent of the defaults.

        Parameters
        ----------
        **parameters
            Parameters that replace those of the paper. ``margin=0`` is exactly the paper's problem.

        Returns
        -------
        DEPClassifier
        """
        return cls(**{**PAPER, **parameters})

    def _fit(self, X, y, sample_weight, **options):
        super()._fit(X, y, sample_weight, **options)
        if len(self.classes_) == 2 and self.monotonic_cst is None:
            self._warn_of_direction(X, y, sample_weight)

    def _warn_of_direction(self, X, y, sample_weight):
        """Warn if a DEP on negated features separates the training samples clearly better."""
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        accuracy = _balanced_accuracy(self._decide(X), self._signs(y), weights)
        if accuracy >= _GOOD_ACCURACY or not isinstance(self.reference, str):
            return
        negated = clone(self).set_params(
            monotonic_cst=-np.ones(X.shape[1]), n_init=1, solver="descent", joint=False,
            beta_holdout=None,
        )  # fmt: skip
        # Some samples of each class: the same ones for every order of the rows.
        order = canonical_order(X, self._signs(y), weights)
        classes = (order[(y[order] == label) & (weights[order] > 0)] for label in self.classes_)
        rows = np.concatenate([rows[:: 1 + len(rows) // _N_TRIED] for rows in classes])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            negated._fit_as_part(X[rows], y[rows], None if sample_weight is None else weights[rows])
        better = _balanced_accuracy(negated._decide(X), self._signs(y), weights)
        if better < accuracy + _CLEARLY_BETTER:
            return
        negative, positive = self.classes_.tolist()
        trouble = (
            f"the balanced accuracy on the training samples is {accuracy:.2f}, but {better:.2f} if "
            "all features are negated. A DEP is increasing in every feature; these features grow "
            f"with {negative!r} instead of the positive class {positive!r}"
        )
        warn_caller(DirectionWarning(trouble, {"monotonic_cst": "auto"}))

    def _fit_binary(self, X, y, sample_weight, start=None):
        """Fit from the weights in ``start`` (by operator), or from the reference."""
        if self.joint and self.beta_holdout is not None:
            raise ValueError(
                "joint=True learns β together with w and m on all samples: set beta_holdout=None"
            )
        self._orient(X, self._signs(y), sample_weight)
        oriented = self._oriented(X)
        signs = self._signs(y)
        seed = self._seed(needed=self.beta_holdout is not None)
        samples = self._samples(oriented, signs, sample_weight)
        self._set_prior(X, signs, sample_weight, samples.spread)
        results = self._train_both(samples, seed, start)
        self.dilation_result_, self.erosion_result_ = results
        self.dilation_weights_, self.erosion_weights_ = (result.weights for result in results)
        operated = _operate(samples, self.dilation_weights_, self.erosion_weights_)
        if self.beta is not None:
            self.beta_, self.beta_interval_ = float(self.beta), (float(self.beta),) * 2
        elif self.beta_holdout is not None:
            weights = np.ones(len(X)) if sample_weight is None else sample_weight
            self.beta_, self.beta_interval_ = self._learn_beta_apart(
                oriented, signs, weights, seed, start
            )
        else:
            self.beta_, self.beta_interval_ = self._learn_beta(operated, samples, samples)
        self.n_iter_ = max(result.n_iter for result in results)
        self.joint_result_ = None
        if self.joint:
            self.joint_result_ = self._refine_jointly(samples)
            operated = _operate(samples, self.dilation_weights_, self.erosion_weights_)
        warn_if_degenerate(self, samples, *(self._combine(*values) for values in operated))

    def _train_both(self, samples, seed, start):
        references = self._references()
        # One seed for both operators: exchanging the classes then exchanges w and −m.
        return tuple(
            self._train(
                samples,
                name,
                references[name],
                self._procedure(seed, start[name] if start else None),
            )
            for name in OPERATORS
        )

    def _learn_beta_apart(self, oriented, signs, weights, seed, start):
        """Learn β on held-out samples, for operators trained on the others."""
        # The draw must not depend on the order of the rows.
        order = canonical_order(oriented, signs, weights)
        oriented, signs, weights = oriented[order], signs[order], weights[order]
        used = np.flatnonzero(weights > 0)
        try:
            rest, held_out = train_test_split(
                used, test_size=self.beta_holdout, random_state=seed, stratify=signs[used]
            )
        except ValueError as error:
            raise ValueError(
                f"beta_holdout={self.beta_holdout} does not leave samples of both classes on both "
                f"sides of the split ({error}); use beta_holdout=None or more samples"
            ) from error
        samples = self._samples(oriented[rest], signs[rest], weights[rest])
        results = self._train_both(samples, seed, start)
        others = TrainingSet.from_samples(oriented[held_out], signs[held_out], weights[held_out])
        operated = _operate(others, *(result.weights for result in results))
        return self._learn_beta(operated, samples, others)

    def _learn_beta(self, operated, samples, learned_on):
        """Learn β on ``learned_on``, for operators trained on ``samples``.

        Distinct samples are sorted, so that no sum depends on the order of the rows.
        """
        classes = (learned_on.negatives, learned_on.positives)
        costs = self._class_costs()
        with_margin = self.beta_loss == MARGIN_HINGE
        if with_margin or self.class_weight == "balanced":
            totals = (part.weights.sum() for part in classes)
            costs = tuple(cost / total for cost, total in zip(costs, totals, strict=True))
        margins = samples.margins(self.margin) if with_margin else (0.0, 0.0)
        sizes = [len(part.weights) for part in classes]
        of_dilation, of_erosion = (np.concatenate(values) for values in zip(*operated, strict=True))
        weights = [cost * part.weights for cost, part in zip(costs, classes, strict=True)]
        # A held-out sample may have values of constant features only.
        valued = np.isfinite(of_dilation) & np.isfinite(of_erosion)
        return best_combination(
            of_dilation[valued],
            of_erosion[valued],
            np.repeat([-1.0, 1.0], sizes)[valued],
            np.concatenate(weights)[valued],
            "hinge" if with_margin else self.beta_loss,
            np.repeat(margins, sizes)[valued],
        )

    def _refine_jointly(self, samples):
        references = self._references()
        result = train_jointly(
            samples,
            {"dilation": self.dilation_weights_, "erosion": self.erosion_weights_},
            self.beta_,
            learn_beta=self.beta is None,
            objectives={
                name: self._objective(references[name], len(samples.used)) for name in OPERATORS
            },
            procedure=self._procedure(),
        )
        warn_if_not_converged(result, "joint training", self.max_iter)
        self.dilation_weights_, self.erosion_weights_ = (
            result.dilation_weights,
            result.erosion_weights,
        )
        self.beta_, self.beta_interval_ = result.beta, result.beta_interval
        return result

    def _references(self):
        if isinstance(self.reference, str):
            return {"dilation": self.reference, "erosion": self.reference}
        if len(self.reference) != 2:
            raise ValueError(
                "reference must be a name or a pair of vectors, one for the dilation and one for "
                f"the erosion; got {len(self.reference)} vectors"
            )
        return dict(zip(("dilation", "erosion"), self.reference, strict=True))

    def _decide(self, X):
        X = self._oriented(X)
        return self._combine(dilated(X, self.dilation_weights_), eroded(X, self.erosion_weights_))

    def _decided(self, samples):
        """Decision values of the distinct samples of each class."""
        operated = _operate(samples, self.dilation_weights_, self.erosion_weights_)
        return [self._combine(*values) for values in operated]

    def _combine(self, dilated, eroded):
        return combined(dilated, eroded, self.beta_, self.prior_)

    def _fitted_operators(self):
        return FittedOperators(
            title=self._title(f"{self.n_features_in_} features"),
            classes=tuple(self.classes_.tolist()),
            names=feature_names(self),
            features=self.features_,
            orientation=self.orientation_,
            weights={"dilation": self.dilation_weights_, "erosion": self.erosion_weights_},
            beta=self.beta_,
            beta_sentence=beta_sentence(
                self.beta_,
                self.beta_interval_,
                self.beta is not None,
                "joint" if self.joint else self.beta_loss,
            ),
            # None if the weights were trained elsewhere, as a layer of a network.
            results={}
            if self.dilation_result_ is None
            else {"dilation": self.dilation_result_, "erosion": self.erosion_result_},
            margin=self.margin,
            weighting=self.weighting,
            prior=self.prior_,
            missing=self.missing_,
        )

    def certify(self, X, y, sample_weight=None, *, time_limit=60.0, gap=0.0):
        """Bound the distance of both operators from their global optimum.

        One and two features are searched exactly. Three to ten features are searched by branch and
        bound, which starts from the fit. With more features a few steps give a bound. Press Ctrl-C
        to end the search of an operator: its certificate holds what is proven by then, and its
        ``status`` says so.

        Parameters
        ----------
        X, y, sample_weight
            Samples, classes and weights that were given to ``fit``.
        time_limit : float, default=60.0
            Maximum time in seconds for each operator.
        gap : float, default=0.0
            The search ends once the best objective found is proven to be at most this fraction
            above the optimum.

        Returns
        -------
        dict with an OptimalityCertificate for "dilation" and one for "erosion"
        """
        self._check_binary("certify")
        if self.joint:
            raise ValueError(
                "certify compares each operator with the optimum of its own problem, which joint "
                "training does not solve: fit with joint=False"
            )
        results = {"dilation": self.dilation_result_, "erosion": self.erosion_result_}
        return {
            operator: self._certify(
                X, y, sample_weight, results[operator], operator, reference, time_limit, gap
            )
            for operator, reference in self._references().items()
        }


def _balanced_accuracy(values, signs, weights):
    """Balanced accuracy of the signs of decision values, with weights."""
    positive = signs > 0
    right = weights * ((values >= 0) == positive)
    shares = [right @ of_class / (weights @ of_class) for of_class in (positive, ~positive)]
    return sum(shares) / 2


def _operate(samples, w, m):
    """Compute δ_w and ε_m of the distinct samples of each class."""
    # Ignored features have infinite weights, which do not change the operators.
    w, m = w[samples.used], m[samples.used]
    return [
        (dilated(part.rows, w), eroded(part.rows, m))
        for part in (samples.negatives, samples.positives)
    ]
