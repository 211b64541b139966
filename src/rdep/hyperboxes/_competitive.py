"""Morphological perceptron with competitive layer: a union of boxes for every class."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .._base._validation import NON_NEGATIVE
from .._utils._sklearn_estimators import Interval, StrOptions
from .._utils._typing import Array
from ..exceptions import warn_caller
from ..training import BOX_SOLVERS, ITERATION_LIMIT
from ._box_classifier import BoxClassifier, unbounded_elsewhere, varying_features
from ._box_training import Samples, ccp_boxes, class_weights_inside, greedy_boxes, pruned


class CompetitiveClassifier(BoxClassifier):
    r"""Morphological perceptron with competitive layer (MPC): a union of boxes for every class.

    A sample is assigned to the class in whose boxes it lies deepest:

    .. math::

        s_c(x) = \max_k \min_j \{x_j - a_{ckj},\; b_{ckj} - x_j\}, \qquad
        \hat y = \arg\max_c s_c(x) .

    With two classes the decision value is the difference of depths. Depths are often equal if
    features are whole numbers. Then all faces decide instead of the nearest one: the predicted
    class has the largest
    :math:`\sum_k 1 / \sum_j (e^{-(x_j - a_{ckj}) / s_j} + e^{-(b_{ckj} - x_j) / s_j})`,
    where s is ``scale_``. The model compares distances to faces of different features, so scale
    the features first, for example with a ``StandardScaler``.

    Read more in the :doc:`user guide </guide/competitive>`.

    Parameters
    ----------
    training : {"greedy", "greedy-published", "ccp"}, default="greedy"
        How the boxes are found. ``"greedy"``: the bounding boxes of the class and of the rest
        overlap in a box. Samples of the class beyond a face of the overlap become a box, and
        samples in the overlap are treated in the same way. If no sample is beyond a face, the
        widest coordinate of the overlap is halved. All training samples are then classified
        correctly, except duplicates with contradictory labels, which get the class with the
        largest weight. ``"greedy-published"``: without the halving, and samples on a face of the
        overlap are dropped. ``"ccp"``: ``n_boxes`` boxes for each class, trained by the
        convex-concave procedure.
    max_boxes : int or None, default=None
        Maximum number of boxes of a class with ``training="greedy"``. The boxes that cover the most
        samples are kept. None keeps all.
    min_samples : int, default=1
        With ``training="greedy"``, minimum number of samples of its class that a box must cover
        and that larger boxes do not cover. Larger values reduce over-fitting.
    n_boxes : int, default=2
        Number of boxes of each class with ``training="ccp"``.
    gamma : float, default=0.01
        With ``training="ccp"``, penalty on the sizes of the boxes, the sum of their widths.
    margin : float, default=0.0
        With ``training="ccp"``, depth at which a sample has no loss, in units of X.
    init : {"k-means++", "dHpC", "random"}, default="k-means++"
        Initial boxes with ``training="ccp"``. ``"k-means++"``: samples of the class drawn by
        k-means++. ``"dHpC"``: the bounding box of the class, halved along the first axes;
        ``n_boxes`` must be a power of two, and each axis is halved at most once. ``"random"``:
        random boxes inside the bounding box.
    n_init : int, default=1
        Number of starts. For each class the one with the lowest objective is kept. ``"dHpC"`` has
        only one start.
    solver : {"auto", "descent", "highs"}, default="auto"
        Solver of the convex steps: set descent, or a linear programme solved by HiGHS. Both are
        exact. If a step has several minimisers, as it usually has with ``gamma=0``, the solvers
        may return different ones. "auto" takes the faster one for the size of the data.
    ties : {"faces", "first"}, default="faces"
        What decides between classes of equal depth. ``"faces"``: all faces of the boxes.
        ``"first"``: the first class is predicted, without a tolerance for rounding, as in the
        literature. Use it with ``"greedy-published"`` to compare with published figures.
    class_weight : dict, "balanced" or None, default=None
        Class weights, multiplied by the sample weights. Only for ``training="ccp"``: greedy boxes
        separate the training samples with any class weights, so ``fit`` raises an error.
    max_iter : int, default=100
        Maximum number of convex steps.
    tol : float, default=1e-4
        Decrease of the minimum of a step below which training stops, in units of the features'
        spread (the root mean square of their standard deviations) times the mean sample weight.
    random_state : int, RandomState instance or None, default=None
        Seed of the starts with ``training="ccp"``.

    Attributes
    ----------
    boxes_ : list of ndarray of shape (n_boxes, 2, n_features)
        Lower and upper corners of the boxes of each class. A feature that is constant in the
        training samples has the bounds −∞ and ∞.
    inside_ : list of ndarray of shape (n_boxes, n_classes)
        Weight of the training samples of every class inside each box, by class of the box.
    scale_ : ndarray of shape (n_features,)
        A quarter of the standard deviation of each feature, to three digits. It is the unit of
        distances to faces if depths are equal.
    n_conditions_ : int
        Number of finite faces of all boxes.
    n_contradictory_ : int
        With ``training="greedy"``, number of training samples whose label was overruled by
        duplicates of another class.
    histories_ : list of ndarray
        Objective of each class at the start and after each step; empty unless
        ``training="ccp"``.
    n_iter_ : int
        Maximum number of steps over the classes; 1 unless ``training="ccp"``.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X has names that are all strings.

    See Also
    --------
    DendriteClassifier : Boxes that may exclude other boxes.
    BoxScoreClassifier : A sparse score of features and boxes.
    RDEPClassifier : Reduced dilation-erosion perceptron.

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
    >>> print(model.rules())
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
    The class with the largest depth is predicted. The depth is the distance to the nearest face of
    its best box, negative outside.
    If depths of classes agree to 12 digits, the class with the largest sum of 1 / S over its boxes
    is predicted, where S is the sum of exp(−distance / scale) over the faces of a box; if sums
    are equal, the second class.
    Scales: x0 0.28, x1 0.28
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
        "solver": [StrOptions(set(BOX_SOLVERS))],
        "ties": [StrOptions({"faces", "first"})],
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
        ties="faces",
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
        self.ties = ties
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def _uses_class_weight(self):
        return self.training == "ccp"

    def _fit(self, X, y, sample_weight):
        self._check_class_weight("set training='ccp'")
        samples = self._samples(X, y, sample_weight)
        varying = varying_features(samples.X)
        seen = samples._replace(X=samples.X[:, varying])
        self.n_contradictory_, self.n_iter_, self.histories_ = 0, 1, []
        if self.training == "ccp":
            boxes = self._train(seen)
        elif self.training == "greedy":
            seen = self._without_contradictions(seen)
            boxes = [
                pruned(found, own, self.max_boxes, self.min_samples)
                for found, (own, _) in zip(
                    greedy_boxes(seen, published=False), seen.by_class(), strict=True
                )
            ]
        else:
            boxes = greedy_boxes(seen, published=True)
        self.boxes_ = [unbounded_elsewhere(found, varying) for found in boxes]
        self.inside_ = class_weights_inside(samples, self.boxes_)

    def _train(self, samples: Samples) -> list[Array]:
        fewest = int(np.bincount(samples.codes).min())
        if self.init == "k-means++" and self.n_boxes > fewest:
            label = self.classes_.tolist()[np.bincount(samples.codes).argmin()]
            raise ValueError(
                f"n_boxes={self.n_boxes}, but class {label!r} has only {fewest} samples: lower "
                "n_boxes, or set init='random'"
            )
        if self.init == "dHpC" and self.n_boxes & (self.n_boxes - 1):
            raise ValueError(
                "init='dHpC' halves the bounding box of each class: n_boxes must be a power of "
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
                f"training stopped at max_iter={self.max_iter} steps without convergence: raise "
                "max_iter or tol",
                ConvergenceWarning,
            )
        return [end.boxes for end in trained]

    def summary(self):
        """Summarise the fitted model as text: the boxes of each class and their coverage.

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
        text = super().summary()
        if self.histories_:
            ends = ", ".join(f"{history[-1]:.6g}" for history in self.histories_)
            text += f"\n\nobjective after at most {self.n_iter_} steps: {ends}"
        return text
