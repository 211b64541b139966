"""Morphological neurons with dendrites: elimination, divide and conquer, evolution, increments."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from sklearn.metrics import accuracy_score
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted

from .._base._validation import NON_NEGATIVE, validate_samples
from .._utils._sklearn_estimators import Interval, StrOptions
from .._utils._typing import Array
from ..exceptions import warn_caller
from ..lattice import just_inside
from ._box_classifier import BoxClassifier, check_extent, unbounded_elsewhere, varying_features
from ._box_training import Samples, class_weights_inside, pruned
from ._divide import DEEPEST, divide
from ._elimination import eliminate
from ._evolution import cut_bounding_boxes, evolve, shown_on_stderr
from ._incremental import add_boxes


class DendriteClassifier(BoxClassifier):
    r"""Dendrite morphological neurons: excitatory and inhibitory boxes for every class.

    The neuron of a class combines its dendrites k, which are boxes from :math:`a_k` to :math:`b_k`:

    .. math::

        h_k(x) = \min_j \{x_j - a_{kj},\; b_{kj} - x_j\}, \qquad
        \tau_c(x) = \min \Bigl\{\max_{k \in E_c} h_k(x),\; \min_{k \in I_c} -h_k(x)\Bigr\} ,

    where E are the excitatory and I the inhibitory dendrites. A sample x is in the class if it is
    inside a box of E and strictly inside no box of I. The model compares distances to faces of
    different features, so scale the features first, for example with a ``StandardScaler``.

    *Two classes* share one neuron, that of ``classes_[1]``. With ``"elimination"`` and
    ``"incremental"`` this class is predicted if τ(x) ≥ 0. With ``"divide"`` and ``"evolution"``
    both classes have boxes, those of the first class inhibit, and the difference of the two depths
    decides. *More classes*, and two classes with ``reject=True``, have one neuron each, and the
    largest value decides. ``ties`` says which class wins a tie.

    Read more in the :doc:`user guide </guide/dendrites>`.

    Parameters
    ----------
    training : {"elimination", "divide", "evolution", "incremental"}, default="elimination"
        How the dendrites are found. ``"elimination"`` (Ritter and Urcid): the bounding box of the
        class, minus open boxes around samples of the rest in it. ``"divide"`` (Sossa and Guevara;
        Zamora and Sossa): the bounding box of all samples is halved along all axes until boxes are
        pure, then boxes of one class that share a face are joined. ``"evolution"`` (Arce and
        others): the divided boxes, or bounding boxes cut into ``n_parts``, improved by
        differential evolution. ``"incremental"`` (after the description of Sussner's multilayer
        perceptron): boxes of the class, the hidden units, are added until all training samples are
        classified correctly.
    tolerance : float, default=0.0
        With ``"elimination"`` and ``"incremental"``, distance in units of X between the faces of a
        box and the samples of its class. At 0, faces go through samples. A face goes at most
        halfway to a sample of the rest. Ritter and Urcid recommend a positive tolerance.
    margin : float, default=0.1
        Fraction of its size by which the bounding box of all samples is widened on each side before
        it is divided, M.
    max_error : float, default=0.0
        Maximum share of other classes in a box that is not divided further, E₀.
    max_depth : int or None, default=None
        Maximum number of divisions, up to 50; None means 50.
    max_dendrites : int or None, default=None
        Maximum number of dendrites of a class. ``"elimination"`` and ``"incremental"`` stop there;
        ``"divide"`` keeps the boxes that cover the most samples.
    reject : bool, default=False
        Whether to reject samples that are in no class. ``predict`` returns None for them, in an
        array of objects for labels of any type. Each class then has its own neuron.
    ties : {"faces", "first"}, default="faces"
        What decides between classes of equal depth. ``"faces"``: all faces of the boxes.
        ``"first"``: the first class is predicted, as in the literature.
    shuffle : bool, default=False
        Whether ``"elimination"`` and ``"incremental"`` visit samples in random order instead of the
        order of the rows. Their dendrites depend on the order.
    n_parts : int or None, default=None
        With ``"evolution"``, number of equal parts into which the bounding box of each class is cut
        along the first feature that varies. Evolution starts from these parts, as in Arce and
        others, and nothing is divided. None starts from the divided boxes.
    population_size : int, default=10
        Number of lists of boxes with ``"evolution"``.
    n_generations : int, default=50
        Maximum number of generations with ``"evolution"``. It stops earlier if all training samples
        are classified correctly.
    class_weight : dict, "balanced" or None, default=None
        Class weights, multiplied by the sample weights. A box belongs to the class with the largest
        weight in it, and evolution minimises the weighted error. ``fit`` raises an error if class
        weights have no effect because training separates all samples: with ``"elimination"``,
        ``"incremental"``, and dividing with neither ``max_error`` nor ``max_depth``.
    verbose : bool, default=False
        Whether to show the generations of ``"evolution"`` on standard error.
    random_state : int, RandomState instance or None, default=None
        Seed of ``shuffle`` and ``"evolution"``.

    Attributes
    ----------
    boxes_ : list of ndarray of shape (n_boxes, 2, n_features)
        Lower and upper corners of the excitatory dendrites of each class. A feature that is
        constant in the training samples has the bounds −∞ and ∞. If the sign of one neuron decides,
        the first class has no boxes.
    excluded_ : list of ndarray of shape (n_boxes, 2, n_features)
        Corners of the inhibitory dendrites of each class, which are open boxes; infinite if there
        is no face. Empty unless ``training="elimination"``.
    n_dendrites_ : ndarray of shape (n_neurons,)
        Number of dendrites of each neuron.
    competes_ : bool
        Whether depths in several classes are compared. False if the sign of one neuron decides.
    inside_ : list of ndarray of shape (n_boxes, n_classes)
        Weight of the training samples of every class inside each box, by class of the box.
    excluded_inside_ : list of ndarray of shape (n_boxes, n_classes)
        The same for the boxes in ``excluded_``.
    errors_ : ndarray
        With ``"evolution"``, weighted training error at the start and after each generation,
        computed with contradictory duplicates resolved; empty otherwise.
    scale_ : ndarray of shape (n_features,)
        A quarter of the standard deviation of each feature, to three digits. It is the unit of
        distances to faces if depths are equal.
    n_conditions_ : int
        Number of finite faces of all boxes, including excluded ones.
    n_contradictory_ : int
        Number of training samples whose label was overruled by duplicates of another class with a
        larger weight, or with the same weight and an earlier position.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X has names that are all strings.

    See Also
    --------
    CompetitiveClassifier : A union of boxes for every class.
    RitterSussnerClassifier : One box, in closed form.
    BoxScoreClassifier : A sparse score of features and boxes.

    Notes
    -----
    ``"elimination"`` and ``"incremental"`` classify all training samples correctly except
    contradictory duplicates, unless ``max_dendrites`` stops them. So does ``"divide"`` with
    ``max_error=0``, except for samples exactly on a face shared by boxes of two classes, which are
    ties.

    The implementation differs from the sources in these points. Contradictory duplicates, for
    which elimination and dividing would not end, get the class with the largest weight. Dividing
    has a maximum depth. Evolution starts from the divided boxes; their number depends on
    ``max_error``, ``max_depth`` and ``max_dendrites``. If none of the three is set, the divided
    boxes have no training error and evolution has nothing to improve. With ``n_parts`` it starts
    as in the source. It uses SciPy's differential evolution, with crossover and without
    permutations. The incremental training follows descriptions of Sussner's paper by others, not
    the paper itself.

    References
    ----------
    G. X. Ritter and G. Urcid, "Lattice algebra approach to single-neuron computation", IEEE
    Transactions on Neural Networks 14(2), 2003.

    H. Sossa and E. Guevara, "Efficient training for dendrite morphological neural networks",
    Neurocomputing 131, 2014.

    E. Zamora and H. Sossa, "Regularized divide and conquer training for dendrite morphological
    neurons", 2016.

    F. Arce, E. Zamora, H. Sossa and R. Barrón, "Dendrite morphological neural networks trained by
    differential evolution", LA-CCI 2016.

    P. Sussner, "Morphological perceptron learning", IEEE ISIC/CIRA/ISAS 1998.

    Examples
    --------
    >>> from rdep import DendriteClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> neuron = DendriteClassifier().fit(X, y)
    >>> neuron.n_dendrites_
    array([3])
    >>> print(neuron.rules())
    1: 1 box
    <BLANKLINE>
    Box 0: 4 training samples, 50% of them of this class
      0 ≤ x0 ≤ 1
      0 ≤ x1 ≤ 1
    <BLANKLINE>
    1, except in 2 boxes
    <BLANKLINE>
    Box 0: 1 training samples, 0% of them of this class
      x0 < 1
      x1 < 1
    <BLANKLINE>
    Box 1: 1 training samples, 0% of them of this class
      x0 > 0
      x1 > 0
    <BLANKLINE>
    1 is predicted in a box, and in none of the exceptions; 0 everywhere else.
    >>> DendriteClassifier(reject=True).fit(X, y).predict([[0, 1], [5, 5]])
    array([1, None], dtype=object)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        "training": [StrOptions({"elimination", "divide", "evolution", "incremental"})],
        "tolerance": [NON_NEGATIVE],
        "margin": [NON_NEGATIVE],
        "max_error": [Interval(Real, 0, 1, closed="left")],
        "max_depth": [Interval(Integral, 0, DEEPEST, closed="both"), None],
        "max_dendrites": [Interval(Integral, 1, None, closed="left"), None],
        "reject": ["boolean"],
        "shuffle": ["boolean"],
        "ties": [StrOptions({"faces", "first"})],
        "n_parts": [Interval(Integral, 1, None, closed="left"), None],
        "population_size": [Interval(Integral, 5, None, closed="left")],
        "n_generations": [Interval(Integral, 1, None, closed="left")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "verbose": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        training="elimination",
        *,
        tolerance=0.0,
        margin=0.1,
        max_error=0.0,
        max_depth=None,
        max_dendrites=None,
        reject=False,
        shuffle=False,
        ties="faces",
        n_parts=None,
        population_size=10,
        n_generations=50,
        class_weight=None,
        verbose=False,
        random_state=None,
    ):
        self.training = training
        self.tolerance = tolerance
        self.margin = margin
        self.max_error = max_error
        self.max_depth = max_depth
        self.max_dendrites = max_dendrites
        self.reject = reject
        self.shuffle = shuffle
        self.ties = ties
        self.n_parts = n_parts
        self.population_size = population_size
        self.n_generations = n_generations
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state

    def _uses_class_weight(self):
        if self.training not in ("divide", "evolution"):
            return False
        cut = self.training == "evolution" and self.n_parts is not None
        return cut or self.max_error > 0 or self.max_depth is not None

    def _fit(self, X, y, sample_weight):
        self._check_class_weight("set training='divide' with max_error or max_depth")
        samples = self._samples(X, y, sample_weight)
        check_extent(samples.X, self.margin)
        varying = varying_features(samples.X)
        seen = samples._replace(X=samples.X[:, varying])
        seen = self._without_contradictions(seen, keep_order=True)
        self.errors_ = np.zeros(0)
        one_by_one = self.training in ("elimination", "incremental")
        self.competes_ = bool(self.reject or len(self.classes_) > 2 or not one_by_one)
        none = np.zeros((0, 2, seen.X.shape[1]))
        excluded = [none] * len(self.classes_)
        if one_by_one:
            boxes, excluded = self._around_each_class(seen, none)
        elif self.training == "divide":
            boxes = self._divided(seen)
        else:
            boxes = self._evolved(seen)
        self.boxes_ = [unbounded_elsewhere(found, varying) for found in boxes]
        self.excluded_ = [unbounded_elsewhere(found, varying) for found in excluded]
        self.inside_ = class_weights_inside(samples, self.boxes_)
        self.excluded_inside_ = class_weights_inside(
            samples, list(map(just_inside, self.excluded_))
        )
        numbers = np.array([len(b) + len(e) for b, e in zip(boxes, excluded, strict=True)])
        is_one = len(self.classes_) == 2 and not self.reject
        self.n_dendrites_ = numbers.sum(keepdims=True) if is_one else numbers

    def _around_each_class(self, seen: Samples, none: Array) -> tuple[list[Array], list[Array]]:
        """Boxes and excluded boxes of each class, or of the second class only."""
        limits = {"tolerance": self.tolerance, "max_dendrites": self.max_dendrites}
        if self.shuffle:
            seen = seen.taken(check_random_state(self.random_state).permutation(len(seen.X)))
        all_boxes, all_excluded = [], []
        for k, (own, rest) in enumerate(seen.by_class()):
            boxes, excluded = none, none
            if len(own) and (self.competes_ or k == 1):
                if self.training == "elimination":
                    boxes, excluded = eliminate(own, rest, **limits)
                else:
                    boxes = add_boxes(own, rest, **limits)
            all_boxes.append(boxes)
            all_excluded.append(excluded)
        return all_boxes, all_excluded

    def _divided(self, seen: Samples) -> list[Array]:
        boxes, n_mixed = divide(
            seen, margin=self.margin, max_error=self.max_error, max_depth=self.max_depth
        )
        if n_mixed and self.max_depth is None:
            warn_caller(
                f"{n_mixed} boxes hold samples of several classes that {DEEPEST} divisions did not "
                "separate: the class with the largest weight is used",
                UserWarning,
            )
        return [
            pruned(found, own, self.max_dendrites, 1)
            for found, (own, _) in zip(boxes, seen.by_class(), strict=True)
        ]

    def _evolved(self, seen: Samples) -> list[Array]:
        if self.n_parts is None:
            start = self._divided(seen)
        else:
            start = cut_bounding_boxes(seen, self.n_parts)
        boxes, self.errors_ = evolve(
            seen,
            start,
            population_size=self.population_size,
            n_generations=self.n_generations,
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
            progress=shown_on_stderr(self.n_generations) if self.verbose else None,
        )
        return boxes

    def _excluded(self):
        return self.excluded_

    def _excluded_inside(self):
        return self.excluded_inside_

    def _competes(self):
        return self.competes_

    def rejected(self, X):
        """Mask of the samples in no class, for which every neuron has a negative value.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of bool, of shape (n_samples,)
        """
        check_is_fitted(self)
        if not self.competes_:
            raise ValueError(
                "two classes share one neuron, which rejects no sample: fit with reject=True to "
                "train one neuron for each class"
            )
        return (self._depths(validate_samples(self, X)) < 0).all(axis=1)

    def predict(self, X):
        """Predict the class of each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels. With ``reject=True``, an array of objects with None for the rejected samples, if
            there are any.
        """
        labels = super().predict(X)
        if self.reject and (rejected := self.rejected(X)).any():
            labels = labels.astype(object)
            labels[rejected] = None
        return labels

    def score(self, X, y, sample_weight=None):
        """Accuracy, counting rejected samples as errors.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.

        Returns
        -------
        float
        """
        if not self.reject:
            return super().score(X, y, sample_weight)
        predicted = self.predict(X)
        check_consistent_length(predicted, y)
        right = predicted == np.asarray(y)
        return accuracy_score(np.ones(len(right), dtype=bool), right, sample_weight=sample_weight)

    def summary(self):
        """Summarise the fitted model as text: the dendrites of each class and their coverage.

        Returns
        -------
        str

        Examples
        --------
        >>> from rdep import DendriteClassifier
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
        >>> print(DendriteClassifier().fit(X, y).summary())
        DendriteClassifier on 2 features, training 'elimination'
        <BLANKLINE>
        class   boxes   samples inside, mean   pure   largest   taken out   samples inside, mean
        ─────   ─────   ────────────────────   ────   ───────   ─────────   ────────────────────
        1           1                      4    50%         4           2                      1
        <BLANKLINE>
        0 everywhere else
        """
        text = super().summary()
        if len(self.errors_):
            text += (
                f"\n\ntraining error {self.errors_[0]:.2%} at the start, {self.errors_[-1]:.2%} "
                f"after {len(self.errors_) - 1} generations"
            )
        return text

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.non_deterministic = self.random_state is None and self.training == "evolution"
        return tags
