"""The mixed ordering: decision values of classifiers that have little in common."""

from __future__ import annotations

from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from ._base import NamedMembers, Ordering


class MixedOrdering(NamedMembers):
    """Decision values of an RBF SVC, a random forest, gradient boosting and a logistic regression.

    On the half of the paper's data sets where they were chosen, members of these four kinds made a
    more accurate r-DEP than SVCs of three kernels.

    Parameters
    ----------
    cv : int, cross-validation splitter, iterable or None, default=5
        With ``fit_transform``: cross-fit the values of the training samples. A number means so
        many stratified folds of shuffled samples. A forest knows the
        samples it was grown on by heart, so that None is of little use here.

    stack : bool, default=True
        One more component: a logistic regression of the members' values, in which both classes
        weigh the same. Fitted on cross-fitted values where ``cv`` asks for them.

    class_weight : "balanced", dict or None, default="balanced"
        For every member.

    random_state : int, RandomState instance or None, default=None
        Of the forest and of the boosting.

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
    >>> from rdep import MixedOrdering
    >>> X, y = make_moons(noise=0.3, random_state=0)
    >>> ordering = MixedOrdering(random_state=0).fit(X, y)
    >>> ordering.get_feature_names_out()
    array(['svc', 'forest', 'boosting', 'logistic', 'stack'], dtype=object)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **Ordering._parameter_constraints,
        "random_state": ["random_state"],
    }

    def __init__(
        self, *, cv=5, stack=True, class_weight="balanced", random_state=None, n_jobs=None
    ):
        self.cv = cv
        self.stack = stack
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _named(self):
        forest = RandomForestClassifier(
            n_estimators=200, min_samples_leaf=2, random_state=self.random_state
        )
        return [
            ("svc", SVC()),
            ("forest", forest),
            ("boosting", HistGradientBoostingClassifier(random_state=self.random_state)),
            ("logistic", LogisticRegression(max_iter=2000)),
        ]
