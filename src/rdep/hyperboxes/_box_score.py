"""Sparse score of features and boxes, with a limit on the number of conditions."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from .._base._groups import GroupedClassifier
from .._base._members import folds_in_use
from .._base._one_vs_rest import SignClassifier
from .._base._probabilities import logistic_map, probabilities
from .._base._validation import NON_NEGATIVE, class_factors, drop_weightless, feature_names
from .._utils._sklearn_estimators import Interval, StrOptions
from .._utils._typing import Array, Indices
from ..exceptions import DegenerateFitWarning, warn_caller
from ..inspection import (
    FittedScore,
    MulticlassScoreRules,
    against_the_rest,
    explain_score,
    explained,
    precision_of_classes,
    precision_of_signs,
    rules_of_score,
    summarised,
)
from ..lattice import inside_boxes
from ._box_classifier import varying_features
from ._score_path import NoSignal, Score, chosen_faces, score_path
from ._score_terms import Candidates

AUTO = "auto"


class BoxScoreClassifier(GroupedClassifier, SignClassifier):
    r"""Sparse score of features and boxes with at most ``max_conditions`` conditions.

    .. math::

        \tau(x) = b + \sum_{j \in S} c_j x_j + \sum_k d_k \, [\varepsilon_k(x) \ge 0], \qquad
        \varepsilon_k(x) = \min_{j \in F_k} \{x_j - l_{kj},\; u_{kj} - x_j\} .

    The score is a linear combination of morphological units, which are boxes with few finite
    faces, and of some of the features. The boxes of a :class:`CompetitiveClassifier` are
    alternatives; the boxes of a score add up. If every box has one face, the score is a table of
    points. Without boxes it is a sparse linear classifier, an ℓ-DEP with one piece of each kind.

    A condition is a feature with a coefficient or a finite face of a box. Training adds the term
    with the largest gain of the logistic loss (its score test, divided by the root of its number
    of conditions) and fits all coefficients again with a ridge penalty. It stops at
    ``max_conditions``, or if the best terms are already in the score. Cross-validation chooses
    whether boxes have no, one or up to four faces.

    Read more in the :doc:`user guide </guide/reading>`.

    Parameters
    ----------
    max_conditions : int, default=16
        Maximum number of conditions: features with a coefficient, and finite faces of boxes. With
        more than two classes, it applies to each class against the rest.

    max_faces : int or "auto", default="auto"
        Maximum number of finite faces of a box: with 1, boxes are single thresholds; with 0, only
        features are used. ``"auto"`` chooses among 0, 1 and 4 by the highest balanced accuracy in
        cross-validation. Ties go to the smallest number of faces.

    C : float, default=1.0
        Strength of the ridge penalty on the coefficients, those of features in standard
        deviations. Larger values mean more regularisation, unlike in a logistic regression.

    max_features : int, default=200
        Maximum number of features that are candidates. If X has more, those with the largest gains
        as single linear terms are kept.

    class_weight : dict, "balanced" or None, default="balanced"
        Class weights, multiplied by the sample weights. ``"balanced"`` gives all classes the same
        total weight, None gives all samples the same weight.

    cv : int, cross-validation splitter, iterable or None, default=3
        Cross-validation used to choose ``max_faces`` and to test for signal. An integer is the
        number of stratified folds of shuffled samples. None skips both, and so does a class with
        one sample; ``"auto"`` is then 4. A splitter receives the ``groups`` passed to ``fit``.

    max_samples : int, default=2000
        Maximum number of training samples of a fold. The final fit uses all samples.

    Attributes
    ----------
    boxes_ : ndarray of shape (n_boxes, 2, n_features)
        Lower and upper corners of the boxes; infinite if there is no face.
    box_coef_ : ndarray of shape (n_boxes,)
        Coefficients d of the boxes.
    coef_ : ndarray of shape (n_features,)
        Coefficients c of the features, most of them 0.
    intercept_ : float
        Intercept b.
    n_conditions_ : int
        Number of conditions, summed over the classes if there are more than two. It is 0 if no
        signal was found: then ``fit`` warns, and one class is predicted for all samples.
    max_faces_ : int
        Number of faces that was chosen or given.
    data_range_ : ndarray of shape (2, n_features)
        Range of each feature in the training samples.
    printing_ : ndarray of shape (2,)
        Two tolerances for the digits that ``rules`` prints. Sums of two classes that differ by at
        most the first count as equal. The second is an error of a sum that changes the prediction
        of no training sample.
    scores_ : dict of int to float
        Cross-validated balanced accuracy for each number of faces; empty without cross-validation.
    calibration_ : ndarray of shape (2,)
        Slope and intercept of the logistic function that gives probabilities.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    estimators_ : list of BoxScoreClassifier
        For more than two classes: one classifier for each class against the rest. The attributes
        above then belong to these classifiers.
    n_features_in_ : int
        Number of features seen during fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if X has names that are all strings.

    See Also
    --------
    CompetitiveClassifier : A union of boxes for every class.
    LinearDEPClassifier : A difference of maxima of linear functions.
    DEPClassifier : Two boxes, by a dilation and an erosion.
    rdep.inspection.n_conditions : Number of conditions of a fitted classifier.

    References
    ----------
    P. Sussner and E. L. Esmi, "Morphological perceptrons with competitive learning: lattice-
    theoretical framework and constructive learning algorithm", Information Sciences 181(10), 2011.

    J. H. Friedman and B. E. Popescu, "Predictive learning via rule ensembles", Annals of Applied
    Statistics 2(3), 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from rdep import BoxScoreClassifier
    >>> data = load_breast_cancer(as_frame=True)
    >>> y = data.target_names[data.target]
    >>> model = BoxScoreClassifier(max_conditions=4).fit(data.data, y)
    >>> model.n_conditions_
    4
    """

    __module__ = "rdep"

    scores_: dict[int, float]

    _parameter_constraints = {
        "max_conditions": [Interval(Integral, 1, None, closed="left")],
        "max_faces": [StrOptions({AUTO}), Interval(Integral, 0, None, closed="left")],
        "C": [NON_NEGATIVE],
        "max_features": [Interval(Integral, 1, None, closed="left")],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "cv": ["cv_object"],
        "max_samples": [Interval(Integral, 10, None, closed="left")],
    }

    def __init__(
        self,
        max_conditions=16,
        *,
        max_faces="auto",
        C=1.0,
        max_features=200,
        class_weight="balanced",
        cv=3,
        max_samples=2000,
    ):
        self.max_conditions = max_conditions
        self.max_faces = max_faces
        self.C = C
        self.max_features = max_features
        self.class_weight = class_weight
        self.cv = cv
        self.max_samples = max_samples

    def _fit(self, X, y, sample_weight, **options):
        super()._fit(X, y, sample_weight, **options)
        if len(self.classes_) > 2:
            self.n_conditions_ = sum(part.n_conditions_ for part in self.estimators_)
            values = np.column_stack([part._decide(X) for part in self.estimators_])
            equal, precision = precision_of_classes(values, 0.0, 1.0)
        else:
            equal, precision = precision_of_signs(self._decide(X), 0.0, 1.0)
        self.printing_ = np.array([equal, precision.absolute])

    def _fit_binary(self, X, y, sample_weight, groups=None):
        folds = self._folds(y, sample_weight, groups)
        X, y, weights = drop_weightless(sample_weight, X, y)
        positive = (y == self.classes_[1]).astype(np.float64)
        counts = np.ones(len(X)) if weights is None else weights
        weights = self._weighted(positive, counts)
        features = self._screened(X, positive, weights)
        mean = np.average(X[:, features], axis=0, weights=weights)
        scale = np.sqrt(np.average((X[:, features] - mean) ** 2, axis=0, weights=weights))
        scale[scale == 0] = 1.0
        candidates = Candidates.of(X[:, features], mean, scale)
        settings = {"max_conditions": self.max_conditions, "C": float(self.C)}
        score = self._chosen(candidates, positive, (weights, counts), folds, settings)
        self.data_range_ = np.array([X.min(axis=0), X.max(axis=0)])
        self._store(score, candidates, features, mean, scale)

    def _weighted(self, positive: Array, weights: Array) -> Array:
        """Sample weights times class weights, with an unchanged sum."""
        totals = np.array([weights[positive == 0].sum(), weights[positive == 1].sum()])
        factors = class_factors(self.class_weight, self.classes_, totals, 2)
        weighted = weights * factors[positive.astype(int)]
        return weighted * (weights.sum() / weighted.sum())

    def _screened(self, X: Array, positive: Array, weights: Array):
        """Indices of features that vary; at most ``max_features``, the best as single terms."""
        features = np.flatnonzero(varying_features(X))
        if len(features) <= self.max_features:
            return features
        mean = weights @ X[:, features] / weights.sum()
        spread = np.sqrt(weights @ (X[:, features] - mean) ** 2)
        residuals = weights * (positive - weights @ positive / weights.sum())
        gains = np.abs(residuals @ X[:, features]) / np.maximum(spread, np.finfo(float).tiny)
        return np.sort(features[np.argsort(-gains, kind="stable")[: self.max_features]])

    def _folds(
        self, y: NDArray, sample_weight: Array | None, groups: NDArray | None
    ) -> list[tuple[Indices, Indices]]:
        """Folds of ``cv``; none if it is None or a class has only one sample."""
        of_weight = y if sample_weight is None else y[sample_weight > 0]
        alone = np.unique(of_weight, return_counts=True)[1].min() < 2
        if self.cv is None or (isinstance(self.cv, Integral) and alone):
            return []
        return list(folds_in_use(self.cv, y, sample_weight, groups))

    def _chosen(self, candidates, positive, weighted, folds, settings) -> Score:
        """Choose the number of faces, test for signal, and fit the score."""
        weights, counts = weighted
        # The training balances the classes: without held-out samples, undo their weights.
        totals = np.array([[w[positive == k].sum() for k in (0, 1)] for w in (weights, counts)])
        odds = totals[:, 1] / totals[:, 0]
        self.calibration_ = np.array([1.0, np.log(odds[1] / odds[0])])
        asked = [0, 1, 4] if self.max_faces == AUTO else [int(self.max_faces)]
        self.scores_, self.max_faces_ = {}, asked[-1]
        if folds:
            try:
                self.max_faces_, self.scores_, held_out = chosen_faces(
                    candidates, positive, weighted, folds, asked, int(self.max_samples), settings
                )
                if len(held_out.tested):
                    self.calibration_ = logistic_map(
                        held_out.values,
                        positive[held_out.tested] > 0,
                        weighted[1][held_out.tested],
                    )
            except NoSignal as nothing:
                trouble = (
                    f"no score of up to {self.max_conditions} conditions separates the classes in "
                    f"cross-validation (balanced accuracy {nothing}): one class is predicted for "
                    "all samples"
                )
                more = {"max_conditions": 2 * self.max_conditions, "cv": None}
                warn_caller(DegenerateFitWarning(trouble, more))
                self.scores_ = nothing.scores
                return score_path(candidates, positive, weights, **settings, max_faces=0)[0]
        path = score_path(candidates, positive, weights, **settings, max_faces=self.max_faces_)
        return path[-1]

    def _store(self, score: Score, candidates, features, mean, scale) -> None:
        coefficients, boxes, of_boxes = np.zeros(self.n_features_in_), [], []
        for term, value in zip(score.terms, score.coefficients[1:], strict=True):
            if isinstance(term, int):
                coefficients[features[term]] = value / scale[term]
                continue
            box = np.tile([[-np.inf], [np.inf]], self.n_features_in_)
            for face in term:
                cut = candidates.cuts[face.feature][face.cut]
                # Boxes are closed: the values above a cut begin with the next number.
                bound = np.nextafter(cut, np.inf) if face.above else cut
                box[0 if face.above else 1, features[face.feature]] = bound
            boxes.append(box)
            of_boxes.append(value)
        self.coef_ = coefficients
        self.intercept_ = float(score.coefficients[0] - coefficients[features] @ mean)
        self.boxes_ = np.array(boxes).reshape(-1, 2, self.n_features_in_)
        self.box_coef_ = np.array(of_boxes)
        self.n_conditions_ = int(np.count_nonzero(coefficients) + np.isfinite(self.boxes_).sum())

    def _decide(self, X):
        used = np.flatnonzero(self.coef_)
        values = self.intercept_ + X[:, used] @ self.coef_[used]
        return values + inside_boxes(X, self.boxes_) @ self.box_coef_

    def predict_proba(self, X):
        """Compute the probability of each class, at the class frequencies of the training samples.

        The probability of the second of two classes is a logistic function of the decision value.
        Its slope and intercept are found by the held-out samples of ``cv``. ``predict`` weighs
        classes by ``class_weight``, so that the predicted class need not be the most probable one:
        see the :doc:`user guide </guide/estimators>`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return probabilities(self, X)

    def _explain(self, X):
        return explain_score(self._fitted_score(), X)

    def explain(self, X):
        """Explain predictions: the contribution of every term of the score to each sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ScoreExplanation, or MulticlassExplanation for more than two classes
        """
        return explained(self, X)

    def rules(self):
        """The whole model as rules: points for each box, and coefficients of features.

        Bounds and coefficients are in the units of X. ``str`` and ``print`` give the rules as text.

        Returns
        -------
        ScoreRules, or MulticlassScoreRules for more than two classes
        """
        check_is_fitted(self)
        return self._rules(feature_names(self))

    def _rules(self, names, max_conditions=None, scalers=(), rows=None):
        """All rules, in the units of the data before scaling."""
        equal, error = getattr(self, "printing_", (0.0, 0.0))
        options = {"error": float(error), "equal": float(equal), "rows": rows}
        if len(self.classes_) == 2:
            return rules_of_score(self._fitted_score(names), scalers, **options)
        return MulticlassScoreRules(
            {
                label: against_the_rest(
                    rules_of_score(part._fitted_score(names), scalers, **options), label
                )
                for label, part in self._by_class().items()
            },
            float(equal),
        )

    def summary(self):
        """Summarise the fitted model as text: the points of all terms, and the choice of faces.

        Returns
        -------
        str
        """
        check_is_fitted(self)
        return summarised(self, lambda part, classes: part._summary())

    def _summary(self):
        lines = [f"{type(self).__name__} on {self.n_features_in_} features"]
        if self.scores_:
            tried = ", ".join(f"{faces}: {score:.3f}" for faces, score in self.scores_.items())
            lines.append(f"cross-validated balanced accuracy by number of faces: {tried}")
        return "\n".join([*lines, "", str(self._rules(feature_names(self)))])

    def _fitted_score(self, names=None):
        return FittedScore(
            classes=tuple(self.classes_.tolist()),
            names=feature_names(self) if names is None else names,
            intercept=self.intercept_,
            coef=self.coef_,
            boxes=self.boxes_,
            box_coef=self.box_coef_,
            ranges=self.data_range_,
        )
