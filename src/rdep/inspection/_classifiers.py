"""Base classes of classifiers with ``summary``, ``explain`` and ``rules``.

They are not in ``_base`` because they call the functions of this package.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from .._base._classifier import equal_if_rounded
from .._base._missing import ranges
from .._base._one_vs_rest import SignClassifier
from .._base._record import THE_REST, FittedOperators
from .._base._validation import feature_names, validate_samples
from .._utils._typing import Array
from ._coordinates import Coordinates, plain_coordinates
from ._explanation import Explanation, MulticlassExplanation, explanation_of
from ._rules import (
    MulticlassRule,
    Precision,
    Rule,
    bound_values,
    precision_of_classes,
    precision_of_signs,
    rule_of,
)
from ._summary import summarise


class OperatorClassifier(SignClassifier):
    """Base of classifiers whose decision value is β δ_w + (1 − β) ε_m, or one of the two.

    Subclasses return the fitted operators as one record.
    """

    @abstractmethod
    def _fitted_operators(self) -> FittedOperators:
        """Return the operators of a fit on two classes."""

    def summary(self, *, max_features: int = 20) -> str:
        """Summarise the fitted model as text: weights by name, β and the training.

        Parameters
        ----------
        max_features : int, default=20
            Maximum number of features, or members of an ordering, whose weights are shown.

        Returns
        -------
        str

        Examples
        --------
        >>> from rdep import MorphologicalPerceptron
        >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1]
        >>> print(MorphologicalPerceptron().fit(X, y).summary())
        MorphologicalPerceptron on 2 features, 0 negative and 1 positive
        <BLANKLINE>
                                     dilation
        ───────────────   ───────────────────
        status                      converged
        steps                               1
        objective                           0
        at the boundary   0.0% of the samples
        certified by           set directions
        <BLANKLINE>
        feature        w   negative if all
        ───────   ──────   ───────────────
        x0        -1.559           < 1.559
        x1        -1.559           < 1.559
        """
        return summarised(
            self,
            lambda part, classes: summarise(
                replace(part._fitted_operators(), classes=classes), max_features
            ),
        )

    def _title(self, coordinates: str) -> str:
        return f"{type(self).__name__} on {coordinates}"


class ExplainedClassifier(OperatorClassifier):
    """Base of classifiers with a dilation and an erosion, which explain predictions by rules."""

    def explain(self, X: ArrayLike) -> Explanation | MulticlassExplanation:
        """Explain predictions by the coordinates that decide the dilation and the erosion.

        A coordinate is a feature of a DEP, or a member of an r-DEP's ordering. A prediction
        depends on at most two coordinates. With more than two classes, it depends on two
        coordinates of the predicted class and two of the runner-up.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        Explanation, or MulticlassExplanation for more than two classes
        """
        return explained(self, X)

    def _explain(self, X: Array) -> Explanation:
        return explanation_of(self._fitted_operators(), X)

    def rules(self, *, max_conditions: int = 10) -> Rule | MulticlassRule:
        """Return the whole model as a rule of two boxes with named features.

        With more than two classes, there is one rule for each class against the rest.

        Bounds are in the units of X. If the training ranges are known (r-DEPs on features), bounds
        that no training sample violates are omitted. ``print`` shows the rule as text.

        Parameters
        ----------
        max_conditions : int, default=10
            Maximum number of conditions printed per box.

        Returns
        -------
        Rule, or MulticlassRule for more than two classes

        Examples
        --------
        >>> from rdep import DEPClassifier
        >>> X, y = [[0, 1], [1, 0], [2, 3], [3, 2]], ["cold", "cold", "hot", "hot"]
        >>> print(DEPClassifier(beta=1).fit(X, y).rules())
        Box of 'cold', where all of these hold:
          x0 < 1.56
          x1 < 1.56
        <BLANKLINE>
        β = 1: 'cold' inside the box, 'hot' outside.

        >>> from sklearn.datasets import load_iris
        >>> from rdep import RDEPClassifier
        >>> iris = load_iris(as_frame=True)
        >>> X, kind = iris.data.iloc[:, 2:], iris.target_names[iris.target]
        >>> y = ["versicolor" if name == "versicolor" else "another" for name in kind]
        >>> print(RDEPClassifier("boxes", DEPClassifier(beta=0)).fit(X, y).rules())
        Box of 'versicolor', where all of these hold:
          0.62 < petal width (cm) < 1.88
          2.42 < petal length (cm) < 5.58
        <BLANKLINE>
        β = 0: 'versicolor' inside the box, 'another' outside.
        """
        check_is_fitted(self)
        return self._rules(feature_names(self), max_conditions)

    def _fit(self, X: Array, y: NDArray[Any], sample_weight: Array | None, **options: Any) -> None:
        super()._fit(X, y, sample_weight, **options)
        if self._has_rules():
            self._note_digits(X)

    def _has_rules(self) -> bool:
        """Whether the fitted model consists of bounds on features."""
        return True

    def _note_digits(self, X: Array) -> None:
        """Store the training values and errors that determine the digits in the rules."""
        X = X[~np.isnan(X).all(axis=1)]  # no bound concerns a sample without any value
        parts = [self] if len(self.classes_) == 2 else self.estimators_
        for part in parts:
            part.bound_values_ = bound_values(part._fitted_operators(), part._rule_coordinates(), X)
        if len(self.classes_) == 2:
            largest = self._largest_term(X)
            equal, precision = precision_of_signs(self._decide(X), self._rounding(), largest)
            self.printing_ = np.array([equal, *precision])
        else:
            values = np.column_stack([part._decide(X) for part in parts])
            largest = max(part._largest_term(X) for part in parts)
            rounding = self._rounding_of_values()
            equal, precision = precision_of_classes(values, rounding, largest)
            self.printing_ = np.array([equal, *precision])

    def _largest_term(self, X: Array) -> float:
        """Largest excess or shortfall of samples."""
        fitted = self._fitted_operators()
        coordinates = fitted.values(self._coordinates_of(X))
        # Rounding preserves order: the largest sum is at an end of a coordinate's range.
        ends = np.array(ranges(coordinates))
        sums = [ends + weights for weights in fitted.weights.values()]
        return max(float(np.abs(each[np.isfinite(each)]).max(initial=0.0)) for each in sums)

    def _coordinates_of(self, X: Array) -> Array:
        """Compute the coordinates of samples on which the operators act."""
        return X

    @property
    def n_conditions_(self) -> int:
        """Number of bounds in the rules of a model that consists of bounds on features."""
        try:
            return self.rules().n_conditions
        except ValueError as error:  # members of an ordering are classifiers themselves
            raise AttributeError(f"{type(self).__name__} has no rules to count: {error}") from error

    def _rules(
        self,
        names: NDArray[Any],
        max_conditions: int,
        scalers: tuple[StandardScaler, ...] = (),
        rows: Array | None = None,
    ) -> Rule | MulticlassRule:
        """Build the rule, or one for each class, in the units of the features before scalers.

        ``rows`` are the training samples in these units. Without them, numbers after scalers have
        all their digits.
        """
        equal, *errors = getattr(self, "printing_", (0.0, 0.0, 0.0))
        precision = Precision(*map(float, errors))

        def shown(part: Any) -> Rule:
            rule = part._rule(names, max_conditions, scalers)
            if rows is not None:
                near = bound_values(part._fitted_operators(), part._rule_coordinates(scalers), rows)
                return rule.shown_for(near, precision, float(equal))
            if scalers or not hasattr(part, "bound_values_"):
                return rule
            return rule.shown_for(part.bound_values_, precision, float(equal))

        if len(self.classes_) == 2:
            return shown(self)
        by_class = {
            label: replace(shown(part), classes=(THE_REST, label))
            for label, part in self._by_class().items()
        }
        return MulticlassRule(by_class, float(equal))

    def _rule(
        self, names: NDArray[Any], max_conditions: int, scalers: tuple[StandardScaler, ...] = ()
    ) -> Rule:
        """Build the rule in the units of the features before scalers."""
        coordinates = self._rule_coordinates(scalers)
        return rule_of(self._fitted_operators(), names, coordinates, max_conditions)

    def _rule_coordinates(self, scalers: tuple[StandardScaler, ...] = ()) -> Coordinates:
        """Coordinates of the features on which the operators act."""
        return plain_coordinates(self._fitted_operators(), scalers)


def explained(classifier: Any, X: ArrayLike) -> Any:
    """Explain samples by ``_explain``, for each class if there are more than two."""
    check_is_fitted(classifier)
    X = validate_samples(classifier, X)
    if len(classifier.classes_) == 2:
        return classifier._explain(X)
    by_class = {label: part._explain(X) for label, part in classifier._by_class().items()}
    return MulticlassExplanation(
        classes=classifier.classes_,
        by_class=by_class,
        decision=equal_if_rounded(
            np.column_stack(
                [
                    part._rounded(explanation.decision)
                    for part, explanation in zip(
                        classifier.estimators_, by_class.values(), strict=True
                    )
                ]
            ),
            classifier._rounding_of_values(),
        ),
    )


def summarised(
    classifier: SignClassifier, summarise_part: Callable[[Any, tuple[Any, Any]], str]
) -> str:
    """Summarise a classifier of two classes, or each class against the rest."""
    check_is_fitted(classifier)
    if len(classifier.classes_) == 2:
        return summarise_part(classifier, tuple(classifier.classes_.tolist()))
    return "\n\n\n".join(
        f"{label!r} against the rest\n\n{summarise_part(part, (THE_REST, label))}"
        for label, part in classifier._by_class().items()
    )
