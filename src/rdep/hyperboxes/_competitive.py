"""The morphological perceptron with competitive layer: a union of boxes for every class."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from .._base._classifier import BaseClassifier
from .._base._validation import class_costs, feature_names, validate_samples
from .._utils._sklearn_parameters import Interval, StrOptions
from .._utils._typing import Array
from ..exceptions import warn_caller
from ..inspection._box_explanation import BoxExplanation, nearest_faces
from ..inspection._box_rules import BoxRules, rules_of_boxes
from ..inspection._summary import summary_of_boxes
from ..lattice._boxes import best_boxes
from ..perceptrons._trained import NON_NEGATIVE
from ..training._results import ITERATION_LIMIT
from ..training.boxes._ccp import SOLVERS
from ._box_training import (
    Samples,
    ccp_boxes,
    class_weights_inside,
    greedy_boxes,
    pruned,
    without_contradictions,
)

# Of a class without a box, less than any depth; differences of two such values are still finite.
NO_BOX = -np.finfo(float).max / 4


class CompetitiveClassifier(BaseClassifier):
    r"""Morphological perceptron with competitive layer (MPC): a union of boxes for every class.

    The class in whose boxes a sample is deepest is predicted:

    .. math::

        s_c(x) = \max_k \min_j \{x_j - a_{ckj},\; b_{ckj} - x_j\}, \qquad
        \hat y = \arg\max_c s_c(x) .

    Of two classes the decision value is the difference of their depths. Distances to faces of
    different features are compared, so features should be on one scale: put a ``StandardScaler``
    before it.

    Parameters
    ----------
    training : {"greedy", "greedy-published", "ccp"}, default="greedy"
        How the boxes are found. ``"greedy"``: samples of a class beyond a face of the box in which
        the class and the rest overlap become a box, and what is in the overlap is treated in the
        same way; where nothing is beyond a face, its widest coordinate is halved. Every training
        sample is then classified correctly, except duplicates with contradictory labels, which get
        the class with the greatest weight. ``"greedy-published"``: without the halving, and what
        lies on a face of the overlap is dropped. ``"ccp"``: ``n_boxes`` boxes for each class,
        trained by the convex-concave procedure.
    max_boxes : int or None, default=None
        Maximum number of boxes of a class with ``training="greedy"``: those that cover the most
        samples, one after the other. None keeps all.
    min_samples : int, default=1
        Number of samples of its class that a box must add to those covered by greater ones, or it
        is dropped; with ``training="greedy"``. Greater values prevent over-fitting.
    n_boxes : int, default=2
        Number of boxes of each class with ``training="ccp"``.
    gamma : float, default=0.01
        Penalty on the sizes of the boxes, the sum of their widths; with ``training="ccp"``.
    margin : float, default=0.0
        Depth from which on a sample has no loss, in units of X; with ``training="ccp"``.
    init : {"k-means++", "dHpC", "random"}, default="k-means++"
        Boxes to start from with ``training="ccp"``: samples of the class drawn by k-means++, its
        bounding box halved along the first axes (``n_boxes`` is then a power of two, and no more
        axes are halved than there are), or boxes drawn from it at random.
    n_init : int, default=1
        Number of starts, of which the one with the lowest objective is kept, class by class.
        ``"dHpC"`` has one start only.
    solver : {"auto", "descent", "highs"}, default="auto"
        Solver of the convex steps: set descent, or a linear programme by HiGHS. Both are exact;
        "auto" takes the faster one for the size of the data.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied to those of the samples.
    max_iter : int, default=100
        Maximum number of convex steps.
    tol : float, default=1e-4
        Decrease of the minimum of a step below which training stops.
    random_state : int, RandomState instance or None, default=None
        Seed of the starts with ``training="ccp"``.

    Attributes
    ----------
    boxes_ : list of ndarray of shape (n_boxes, 2, n_features)
        For each class the lower and the upper corners of its boxes. A feature that is constant in
        the training samples has the bounds −∞ and ∞.
    inside_ : list of ndarray of shape (n_boxes, n_classes)
        For each class the weight of the training samples of every class inside each of its boxes.
    n_contradictory_ : int
        Number of training samples with ``training="greedy"`` whose duplicates have another class
        with more weight.
    histories_ : list of ndarray
        For each class the objective at the start and after each step; empty without
        ``training="ccp"``.
    n_iter_ : int
        Number of steps of the class with the most of them; 1 without ``training="ccp"``.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of features seen in the fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where X has names that are all strings.

    References
    ----------
    P. Sussner and E. L. Esmi, "Morphological perceptrons with competitive learning: lattice-
    theoretical framework and constructive learning algorithm", Information Sciences 181(10), 2011.

    I. Cunha and M. E. Valle, "Morphological perceptron with competitive layer: training using
    convex-concave procedure", arXiv:2509.05697, 2025.

    Examples
    --------
    >>> from rdep import CompetitiveClassifier
    >>> X, y = [[0, 0], [1, 1], [2, 3], [3, 2]], ["cold", "cold", "hot", "hot"]
    >>> model = CompetitiveClassifier().fit(X, y)
    >>> model.boxes_[1]
    array([[[2., 2.],
            [3., 3.]]])
    >>> model.predict([[0, 1], [4, 4]])
    array(['cold', 'hot'], dtype='<U4')
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "training": [StrOptions({"greedy", "greedy-published", "ccp"})],
        "max_boxes": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples": [Interval(Integral, 1, None, closed="left")],
        "n_boxes": [Interval(Integral, 1, None, closed="left")],
        "gamma": [NON_NEGATIVE],
        "margin": [NON_NEGATIVE],
        "init": [StrOptions({"k-means++", "dHpC", "random"})],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "solver": [StrOptions(set(SOLVERS))],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [NON_NEGATIVE],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        training="greedy",
        *,
        max_boxes=None,
        min_samples=1,
        n_boxes=2,
        gamma=0.01,
        margin=0.0,
        init="k-means++",
        n_init=1,
        solver="auto",
        class_weight=None,
        max_iter=100,
        tol=1e-4,
        random_state=None,
    ):
        self.training = training
        self.max_boxes = max_boxes
        self.min_samples = min_samples
        self.n_boxes = n_boxes
        self.gamma = gamma
        self.margin = margin
        self.init = init
        self.n_init = n_init
        self.solver = solver
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _fit(self, X, y, sample_weight):
        samples = self._samples(X, y, sample_weight)
        # A constant feature says nothing, and a box without width would have no inside.
        varying = samples.X.min(axis=0) < samples.X.max(axis=0)
        if not varying.any():
            varying[:] = True
        seen = samples._replace(X=samples.X[:, varying])
        self.n_contradictory_, self.n_iter_, self.histories_ = 0, 1, []
        if self.training == "ccp":
            boxes = self._train(seen)
        elif self.training == "greedy":
            seen, self.n_contradictory_ = without_contradictions(seen)
            if self.n_contradictory_:
                warn_caller(
                    f"{self.n_contradictory_} of {len(samples.X)} training samples have duplicates "
                    "of another class with as much weight or more: boxes cannot separate them, "
                    "the class with the greatest weight is taken",
                    UserWarning,
                )
            boxes = [
                pruned(found, own, self.max_boxes, self.min_samples)
                for found, (own, _) in zip(
                    greedy_boxes(seen, published=False), seen.by_class(), strict=True
                )
            ]
        else:
            boxes = greedy_boxes(seen, published=True)
        self.boxes_ = [_unbounded_elsewhere(found, varying) for found in boxes]
        self.inside_ = class_weights_inside(samples, self.boxes_)

    def _decision_values(self, X):
        values = self._depths(X)
        return values[:, 1] - values[:, 0] if len(self.classes_) == 2 else values

    def _depths(self, X: Array) -> Array:
        """For each class the depth of each sample in its boxes."""
        return np.column_stack(
            [
                best_boxes(X, boxes)[0] if len(boxes) else np.full(len(X), NO_BOX)
                for boxes in self.boxes_
            ]
        )

    def _samples(self, X: Array, y, sample_weight) -> Samples:
        """Samples with positive weights, to which those of the classes are multiplied."""
        codes = np.searchsorted(self.classes_, y)
        weights = np.ones(len(X)) if sample_weight is None else sample_weight
        used = weights > 0
        X, codes, weights = X[used], codes[used], weights[used]
        if self.class_weight == "balanced":
            totals = np.bincount(codes, weights)
            weights = weights * (totals.sum() / (len(totals) * totals))[codes]
        elif self.class_weight is not None:
            costs = class_costs(self.class_weight, self.classes_)
            weights = weights * np.array([costs[label] for label in self.classes_])[codes]
        return Samples(X, codes, weights, len(self.classes_))

    def _train(self, samples: Samples) -> list[Array]:
        fewest = int(np.bincount(samples.codes).min())
        if self.init == "k-means++" and self.n_boxes > fewest:
            label = self.classes_.tolist()[np.bincount(samples.codes).argmin()]
            raise ValueError(
                f"n_boxes={self.n_boxes}, but class {label!r} has only {fewest} "
                "samples to start from: lower n_boxes, or set init to random"
            )
        if self.init == "dHpC" and self.n_boxes & (self.n_boxes - 1):
            raise ValueError(
                "the start dHpC halves the bounding box of each class: n_boxes must be a power of "
                f"two, got {self.n_boxes}"
            )
        trained = ccp_boxes(
            samples,
            **{
                name: getattr(self, name)
                for name in (
                    "n_boxes", "gamma", "margin", "init", "n_init", "solver", "max_iter", "tol",
                    "random_state",
                )
            },
        )  # fmt: skip
        self.histories_ = [np.array(end.history) for end in trained]
        self.n_iter_ = max(end.n_iter for end in trained)
        if any(end.status == ITERATION_LIMIT for end in trained):
            warn_caller(
                f"training reached max_iter={self.max_iter} steps before the objective settled: "
                "raise max_iter or tol",
                ConvergenceWarning,
            )
        return [end.boxes for end in trained]

    def explain(self, X):
        """The box and the face that decided, for each class, and the runner-up.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        BoxExplanation
        """
        check_is_fitted(self)
        X = validate_samples(self, X)
        shape = len(X), len(self.classes_)
        depth, bound = np.full(shape, NO_BOX), np.full(shape, np.nan)
        box, face = np.full(shape, -1), np.full(shape, -1)
        for k, boxes in enumerate(self.boxes_):
            if len(boxes):
                depth[:, k], box[:, k] = best_boxes(X, boxes)
                face[:, k], bound[:, k] = nearest_faces(X, boxes, box[:, k])
        return BoxExplanation(self.classes_, feature_names(self), depth, box, face, bound)

    def rules(self, *, max_boxes=5, max_conditions=10):
        """The whole model as rules: the boxes by feature names, what they cover, how pure they are.

        Bounds are in the units of X. ``str`` makes a text of it.

        Parameters
        ----------
        max_boxes : int, default=5
            Maximum number of boxes printed per class.
        max_conditions : int, default=10
            Maximum number of conditions printed per box.

        Returns
        -------
        BoxRules

        Examples
        --------
        >>> from rdep import CompetitiveClassifier
        >>> X, y = [[0, 0], [1, 1], [2, 3], [3, 2]], ["cold", "cold", "hot", "hot"]
        >>> print(CompetitiveClassifier().fit(X, y).rules())
        'cold': 1 box
        <BLANKLINE>
        Box 0: 2 training samples, 100% of them of this class
          0 ≤ x0 ≤ 1
          0 ≤ x1 ≤ 1
        <BLANKLINE>
        'hot': 1 box
        <BLANKLINE>
        Box 0: 2 training samples, 100% of them of this class
          2 ≤ x0 ≤ 3
          2 ≤ x1 ≤ 3
        <BLANKLINE>
        The class with the greatest depth is predicted: the distance to the nearest face of its best
        box, negative outside.
        """
        check_is_fitted(self)
        return self._rules(feature_names(self), max_conditions, max_boxes=max_boxes)

    def _rules(self, names, max_conditions: int, scalers=(), *, max_boxes: int = 5) -> BoxRules:
        """The rules in the units before some scalers."""
        return rules_of_boxes(
            self.classes_, self.boxes_, self.inside_, names, scalers,
            max_boxes=max_boxes, max_conditions=max_conditions,
        )  # fmt: skip

    def summary(self):
        """What was learned, as text: for each class its boxes, and what they cover.

        Returns
        -------
        str

        Examples
        --------
        >>> from rdep import CompetitiveClassifier
        >>> X, y = [[0, 0], [1, 1], [2, 3], [3, 2]], ["cold", "cold", "hot", "hot"]
        >>> print(CompetitiveClassifier().fit(X, y).summary())
        CompetitiveClassifier on 2 features, training 'greedy'
        <BLANKLINE>
        class    boxes   samples inside, mean   pure   largest
        ──────   ─────   ────────────────────   ────   ───────
        'cold'       1                      2   100%         2
        'hot'        1                      2   100%         2
        """
        check_is_fitted(self)
        title = f"{type(self).__name__} on {self.n_features_in_} features, training "
        text = summary_of_boxes(f"{title}{self.training!r}", self.classes_, self.inside_)
        if self.histories_:
            ends = ", ".join(f"{history[-1]:.6g}" for history in self.histories_)
            text += f"\n\nobjective after at most {self.n_iter_} steps: {ends}"
        if self.n_contradictory_:
            text += f"\n\noutvoted by duplicates of another class: {self.n_contradictory_} samples"
        return text


def _unbounded_elsewhere(boxes: Array, varying) -> Array:
    """Boxes on some features as boxes on all of them."""
    whole = np.empty((len(boxes), 2, len(varying)))
    whole[:, 0], whole[:, 1] = -np.inf, np.inf
    whole[:, :, varying] = boxes
    return whole
