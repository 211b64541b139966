"""The ensemble ordering: decision values of different classifiers on all samples."""

from __future__ import annotations

from sklearn.base import BaseEstimator
from sklearn.svm import SVC

from .._utils._sklearn_composition import _BaseComposition
from ._base import NamedMembers, Ordering


class EnsembleOrdering(NamedMembers, _BaseComposition):
    """Decision values of different classifiers, each fitted on all samples.

    Parameters
    ----------
    estimators : list of (str, classifier) tuples or None, default=None
        The members: any binary classifiers with ``decision_function`` or ``predict_proba`` (of
        which the positive class's probability minus one half is taken). None means the paper's: an
        RBF, a linear and a cubic polynomial SVC with scikit-learn's defaults.

    cv : int, cross-validation splitter, iterable or None, default=None
        With ``fit_transform``: cross-fit the values of the training samples. A number means so
        many stratified folds of shuffled samples.

    stack : bool, default=False
        One more component: a logistic regression of the members' values, in which both classes
        weigh the same. Fitted on cross-fitted values where ``cv`` asks for them.

    class_weight : "balanced", dict or None, default=None
        For every member; None leaves them as given.

    n_jobs : int or None, default=None
        Members to fit at the same time.

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted members.
    stack_ : Pipeline
        With ``stack``, what computes the last component from the others.
    classes_ : ndarray of shape (2,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features,)
        Where X has feature names that are all strings.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from rdep import EnsembleOrdering
    >>> X, y = make_moons(random_state=0)
    >>> ordering = EnsembleOrdering().fit(X, y)
    >>> ordering.transform(X).shape
    (100, 3)
    >>> ordering.get_feature_names_out()
    array(['rbf', 'linear', 'poly'], dtype=object)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **Ordering._parameter_constraints,
        "estimators": [list, tuple, None],
    }

    def __init__(self, estimators=None, *, cv=None, stack=False, class_weight=None, n_jobs=None):
        self.estimators = estimators
        self.cv = cv
        self.stack = stack
        self.class_weight = class_weight
        self.n_jobs = n_jobs

    def _named(self) -> list[tuple[str, BaseEstimator]]:
        if self.estimators is None:
            return [
                ("rbf", SVC()),
                ("linear", SVC(kernel="linear")),
                ("poly", SVC(kernel="poly")),
            ]
        named = list(self.estimators)
        if not named:
            raise ValueError("estimators is empty: an ordering needs at least one classifier")
        for item in named:
            if not (isinstance(item, tuple) and len(item) == 2 and hasattr(item[1], "fit")):
                raise ValueError(
                    f"estimators must hold pairs of a name and a classifier, got {item!r}"
                )
        return named

    def _fit_members(self, X, y, sample_weight):
        self._validate_names([name for name, _ in self._named()])
        super()._fit_members(X, y, sample_weight)

    def get_params(self, deep=True):
        """Parameters of the ordering and, by their names, of its members.

        Parameters
        ----------
        deep : bool, default=True

        Returns
        -------
        dict
        """
        return self._get_params("estimators", deep=deep)

    def set_params(self, **params):
        """Set parameters of the ordering, its members, or their parameters.

        Parameters
        ----------
        **params

        Returns
        -------
        self
        """
        self._set_params("estimators", **params)
        return self
