"""The dilation-erosion perceptron: a convex combination of a dilation and an erosion."""

from __future__ import annotations

from numbers import Real

import numpy as np
from sklearn.model_selection import train_test_split

from ._sklearn import Interval, StrOptions
from ._typing import Array
from .base import feature_names, warn_if_degenerate, warn_if_not_converged
from .coordinates import plain_coordinates
from .explanation import Explanation
from .lattice import dilation, erosion
from .perceptron import TrainedOperators
from .rules import rule_of
from .summary import FittedOperators, beta_sentence
from .training import LOSSES, best_combination, canonical_order, train_jointly

__all__ = ["DEPClassifier"]


class DEPClassifier(TrainedOperators):
    r"""Dilation-erosion perceptron.

    .. math::

        \tau(x) = \beta \, \delta_w(x) + (1 - \beta) \, \varepsilon_m(x),
        \qquad \phi(x) = \operatorname{sgn} \tau(x), \quad \operatorname{sgn}(0) = +1 .

    Both operators are trained as in :class:`MorphologicalPerceptron`; then :math:`\beta` minimises
    the hinge loss of :math:`\tau` on the training samples.

    A DEP is increasing in every feature: it suits features that grow with the positive class.
    Elsewhere see ``monotonic_cst``, or :class:`RDEPClassifier`, which learns such features.

    Parameters
    ----------
    C : float, default=0.01
        Strength of the pull towards the reference. It multiplies the *penalty*: greater is stiffer,
        the reverse of an SVC's C. With 0 there is none.

    weighting : "distance" or None, default="distance"
        Samples far from their class mean count less, or all count the same.

    reference : {"extreme", "mean", "opposite", "zero"} or pair of array-likes, default="extreme"
        As in :class:`MorphologicalPerceptron`; a pair holds one vector for w and one for m.

    margin : float, default=1e-6
        As a multiple of the root mean square of the features' standard deviations. 0 is the paper
        to the letter: samples may then lie exactly at the boundary.

    monotonic_cst : "auto", array-like of +1 and −1, dict or None, default=None
        The decision value is increasing in features of +1 and decreasing in those of −1; None means
        increasing in all. ``"auto"`` takes the way each feature grows with the positive class. A
        dict maps feature names to signs.

    class_weight : dict, "balanced" or None, default=None
        A dict multiplies each class's loss, and its margin as far as it exceeds the lightest
        class's. The operators' losses are normalised by class in any
        case, so that ``"balanced"`` and None are the same to them; with ``"balanced"`` β's loss
        is, too.

    beta : float in [0, 1] or None, default=None
        The weight of the dilation; None learns it.

    beta_loss : {"hinge", "squared_hinge"}, default="hinge"
        Where the minimisers of the loss are an interval, its middle is taken.

    beta_holdout : float in (0, 1) or None, default=None
        Learn β on this share of the samples, held out while w and m are trained for it; w and m are
        then trained again on all samples.

    joint : bool, default=False
        Go on from there: lower the loss of τ itself, with the margin and class by class as in the
        operators' problems, by training w, m and β in turn for it until nothing descends.

    escape, n_init, solver, max_iter, tol, random_state
        As in :class:`MorphologicalPerceptron`; ``random_state`` also draws the samples to hold out.

    Attributes
    ----------
    dilation_weights_, erosion_weights_ : ndarray of shape (n_features,)
        w and m, of the features as oriented by ``orientation_``.
    orientation_ : ndarray of shape (n_features,)
        +1 or −1, by which each feature is multiplied first.
    beta_ : float
    beta_interval_ : tuple of two floats
        All minimisers of the loss.
    dilation_result_, erosion_result_ : TrainingResult
        What was reached, how, and what certifies it; with ``joint`` that is the start of the
        joint training.
    joint_result_ : JointResult or None
        What joint training reached.
    rounding_ : float
        Decision values this near to zero count as zero: 0, but inside an :class:`RDEPClassifier`.
    classes_ : ndarray of shape (n_classes,)
    n_iter_ : int
    estimators_ : list of DEPClassifier
        For more than two classes, in place of w, m and β: one for each class against the rest.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has feature names that are all strings.

    Examples
    --------
    >>> from rdep import DEPClassifier
    >>> from rdep.datasets import load_ripley
    >>> X_train, X_test, y_train, y_test = load_ripley()
    >>> dep = DEPClassifier().fit(X_train, y_train)
    >>> round(dep.score(X_test, y_test), 2)
    0.9
    """

    _parameter_constraints = {
        **TrainedOperators._parameter_constraints,
        "beta": [Interval(Real, 0, 1, closed="both"), None],
        "beta_loss": [StrOptions(set(LOSSES))],
        "beta_holdout": [Interval(Real, 0, 1, closed="neither"), None],
        "joint": ["boolean"],
    }

    # Weights by operator from which to train, other than the reference: for paths along C.
    _start: dict[str, Array] = {}

    def __init__(
        self,
        *,
        C=0.01,
        weighting="distance",
        reference="extreme",
        margin=1e-6,
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
    ):
        self.C = C
        self.weighting = weighting
        self.reference = reference
        self.margin = margin
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

    def _fit_binary(self, X, y, sample_weight):
        if self.joint and self.beta_holdout is not None:
            raise ValueError(
                "joint=True learns β together with w and m on all samples: leave beta_holdout out"
            )
        signs = self._signs(y)
        self.orientation_ = self._orient(X, signs, sample_weight)
        oriented = self._oriented(X)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        seed = self._seed(needed=self.n_init > 1 or self.beta_holdout is not None)
        results = self._train_both(oriented, signs, weights, seed)
        self.dilation_result_, self.erosion_result_ = results
        self.dilation_weights_, self.erosion_weights_ = (result.weights for result in results)
        values = _operate(oriented, results)
        if self.beta is not None:
            self.beta_, self.beta_interval_ = float(self.beta), (float(self.beta),) * 2
        elif self.beta_holdout is not None:
            self.beta_, self.beta_interval_ = self._learn_beta_apart(oriented, signs, weights, seed)
        else:
            self.beta_, self.beta_interval_ = self._learn_beta(values, signs, weights)
        self.n_iter_ = max(result.n_iter for result in results)
        self.joint_result_ = None
        decided = self._combine(*values)
        if self.joint:
            self.joint_result_ = self._go_on_jointly(oriented, signs, weights)
            decided = self._decide(X)
        self.rounding_ = 0.0
        self._warn_if_degenerate(X, decided, signs, sample_weight)

    def _warn_if_degenerate(self, X, decided, signs, sample_weight):
        trained = (self.dilation_weights_, self.erosion_weights_)
        size = max(X.max(), -X.min()) + max(np.abs(part).max() for part in trained)
        warn_if_degenerate(decided, signs, self.classes_, sample_weight, size)

    def _train_both(self, oriented, signs, weights, seed):
        references = self._references()
        samples = self._samples(oriented, signs, weights)
        # One seed for both operators: exchanging the classes then exchanges w and −m.
        return tuple(
            self._train(samples, operator, references[operator], seed, self._start.get(operator))
            for operator in ("dilation", "erosion")
        )

    def _learn_beta_apart(self, oriented, signs, weights, seed):
        """β on samples held out, of operators trained on the others."""
        # The draw may not depend on the order of the rows.
        order = canonical_order(oriented, signs, weights)
        oriented, signs, weights = oriented[order], signs[order], weights[order]
        used = np.flatnonzero(weights > 0)
        try:
            rest, held_out = train_test_split(
                used, test_size=self.beta_holdout, random_state=seed, stratify=signs[used]
            )
        except ValueError as error:
            raise ValueError(
                f"beta_holdout={self.beta_holdout} leaves no samples of each class on both "
                f"sides of the split ({error}); use beta_holdout=None or more samples"
            ) from error
        results = self._train_both(oriented[rest], signs[rest], weights[rest], seed)
        values = _operate(oriented[held_out], results)
        return self._learn_beta(values, signs[held_out], weights[held_out])

    def _learn_beta(self, values, signs, weights):
        negative_cost, positive_cost = self._class_costs()
        if self.class_weight == "balanced":
            negative_cost, positive_cost = (1 / weights[signs == sign].sum() for sign in (-1, 1))
        dilated, eroded = values
        costs = weights * np.where(signs > 0, positive_cost, negative_cost)
        # Sums that do not depend on the order of the rows.
        order = np.lexsort((costs, signs, eroded, dilated))
        return best_combination(
            dilated[order], eroded[order], signs[order], costs[order], self.beta_loss
        )

    def _go_on_jointly(self, oriented, signs, weights):
        result = train_jointly(
            self._samples(oriented, signs, weights),
            {"dilation": self.dilation_weights_, "erosion": self.erosion_weights_},
            self.beta_,
            learn_beta=self.beta is None,
            C=self.C,
            weighting=self.weighting,
            references=self._references(),
            margin=self.margin,
            solver=self.solver,
            max_iter=self.max_iter,
            tol=self.tol,
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
                f"the erosion; got {len(self.reference)} of them"
            )
        return dict(zip(("dilation", "erosion"), self.reference, strict=True))

    def _rounding(self):
        return self.rounding_

    def _decide(self, X):
        oriented = self._oriented(X)
        return self._combine(
            dilation(oriented, self.dilation_weights_), erosion(oriented, self.erosion_weights_)
        )

    def _combine(self, dilated, eroded):
        return self.beta_ * dilated + (1 - self.beta_) * eroded

    def explain(self, X):
        """Which feature decided the dilation and which the erosion, with their shares of τ.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        Explanation
        """
        self._check_binary("explain")
        return self._explain(self._validate(X))

    def _explain(self, X):
        """Explain validated samples."""
        dilated = self._oriented(X) + self.dilation_weights_
        eroded = self._oriented(X) + self.erosion_weights_
        return Explanation(
            names=feature_names(self),
            dilation_index=dilated.argmax(axis=1),
            erosion_index=eroded.argmin(axis=1),
            dilation_share=self.beta_ * dilated.max(axis=1),
            erosion_share=(1 - self.beta_) * eroded.min(axis=1),
        )

    def rules(self, *, max_conditions=10):
        """The whole model as a rule: two boxes by feature names, and what is done between them.

        Bounds are in the units of X. ``str`` makes a text of it.

        Parameters
        ----------
        max_conditions : int, default=10
            Of each box the text has so many at the most.

        Returns
        -------
        Rule

        Examples
        --------
        >>> from rdep import DEPClassifier
        >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], ["cold", "cold", "hot", "hot"]
        >>> print(DEPClassifier(beta=1).fit(X, y).rules())
        Box of 'cold', where all of these hold:
          x0 ≤ 1
          x1 ≤ 1
        <BLANKLINE>
        β = 1: 'cold' inside the box, 'hot' outside.
        """
        self._check_binary("rules")
        return self._rule(feature_names(self), (), max_conditions)

    def _rule(self, names, scalers, max_conditions):
        """The rule in the units of features that were scaled before they came here."""
        coordinates = plain_coordinates(self.orientation_, scalers)
        return rule_of(self, names, coordinates, max_conditions)

    def _fitted_operators(self):
        return FittedOperators(
            title=self._title(f"{self.n_features_in_} features"),
            names=feature_names(self),
            orientation=self.orientation_,
            results={"dilation": self.dilation_result_, "erosion": self.erosion_result_},
            weights={"dilation": self.dilation_weights_, "erosion": self.erosion_weights_},
            beta=beta_sentence(
                self.beta_,
                self.beta_interval_,
                self.beta is not None,
                "joint" if self.joint else self.beta_loss,
            ),
        )

    def certify(self, X, y, sample_weight=None, *, time_limit=60.0):
        """How far both operators are from their global optimum, by mixed-integer programmes.

        For small problems: some hundreds of samples in two or three dimensions.

        Parameters
        ----------
        X, y, sample_weight
            What the model was fitted on.
        time_limit : float, default=60.0
            Seconds for each operator.

        Returns
        -------
        dict with an OptimalityCertificate for "dilation" and one for "erosion"
        """
        self._check_binary("certify")
        if self.joint:
            raise ValueError(
                "certify compares each operator with the optimum of its own problem; after joint "
                "training they serve another: fit with joint=False"
            )
        results = {"dilation": self.dilation_result_, "erosion": self.erosion_result_}
        return {
            operator: self._certify(
                X, y, sample_weight, results[operator], operator, reference, time_limit
            )
            for operator, reference in self._references().items()
        }


def _operate(oriented, results):
    """δ_w and ε_m of samples, from what training the two reached."""
    w, m = (result.weights for result in results)
    return dilation(oriented, w), erosion(oriented, m)
