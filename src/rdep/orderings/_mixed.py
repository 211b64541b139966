"""The mixed ordering: decision values of classifiers that have little in common."""

from __future__ import annotations

from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from .._utils._docstrings import documented
from ._base import NamedMembers, Ordering
from ._docstrings import FITTED, N_JOBS, REDUCED_ORDERINGS


@documented(n_jobs=N_JOBS, fitted=FITTED, sources=REDUCED_ORDERINGS)
class MixedOrdering(NamedMembers):
    """Decision values of an RBF SVC, a random forest, gradient boosting and a logistic regression.

    On the half of the paper's data sets where they were chosen, members of these four kinds made a
    more accurate r-DEP than SVCs of three kernels.

    Parameters
    ----------
    cv : int, cross-validation splitter, iterable or None, default=5
        Cross-validation with which ``fit_transform`` computes the values of the training samples:
        each sample's values come from members fitted on the other folds. An integer is the number
        of stratified folds of shuffled samples. None takes in-sample values, which are far too
        optimistic for a forest.

    stack : bool, default=True
        Whether to add one component to ρ: the decision value of a logistic regression on the
        members' values, with balanced class weights. It is fitted on cross-fitted values if ``cv``
        is set, otherwise on in-sample (over-optimistic) values.

    class_weight : "balanced", dict or None, default="balanced"
        Class weights of every member.

    random_state : int, RandomState instance or None, default=None
        Seed of the forest and of the boosting.

    %(n_jobs)s

    Attributes
    ----------
    %(fitted)s

    References
    ----------
    %(sources)s

    D. H. Wolpert, "Stacked generalization", Neural Networks 5(2), 1992.

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
