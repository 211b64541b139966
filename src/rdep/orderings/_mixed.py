"""The mixed ordering: decision values of classifiers that have little in common."""

from __future__ import annotations

from numbers import Integral

from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from .._utils._docstrings import documented
from .._utils._sklearn_estimators import Interval
from ..kernels import LandmarkClassifier
from ._base import (
    FITTED,
    N_JOBS,
    REDUCED_ORDERINGS,
    SHARE,
    SHRINKAGE,
    STACK,
    VERBOSE,
    MemberListOrdering,
    Ordering,
)

# Samples that each tree of a forest on many samples draws.
_MAX_DRAWN = 20_000
_TREES = ("forest", "boosting")


@documented(
    stack=STACK % '"positive"',
    shrinkage=SHRINKAGE % (0.5, ", where there is one"),
    n_jobs=N_JOBS,
    verbose=VERBOSE,
    fitted=FITTED,
    sources=REDUCED_ORDERINGS,
)
class MixedOrdering(MemberListOrdering):
    """Decision values of two RBF SVCs, a random forest, boosting and a logistic regression.

    On the paper's data sets members of these four kinds made a more accurate r-DEP than SVCs of
    three kernels. The second SVC, with C = 10, follows the samples more closely than the first. The
    forest is not fitted again on the folds, since its out-of-bag values serve, and the boosting is
    small.

    The time to train an SVC grows with the square of the number of samples, or faster, and so the
    members depend on this number: with more than ``max_svc_samples`` samples, one
    :class:`~rdep.kernels.LandmarkClassifier` with an RBF kernel, called ``landmarks``, takes the
    place of both, and each tree of the forest is fitted on a draw of at most 20,000 samples.

    Parameters
    ----------
    cv : int, cross-validation splitter, iterable or None, default=5
        Cross-validation with which ``fit_transform`` computes the values of the training samples:
        each sample's values come from members fitted on the other folds. An integer is the number
        of stratified folds of shuffled samples. None takes in-sample values, which are far too
        optimistic for a forest.

    %(stack)s

    %(shrinkage)s

    class_weight : "balanced", "auto", dict or None, default="balanced"
        Class weights of the SVCs, or of the landmarks, and of the logistic regression. Forest and
        boosting have none: what is trained on the values makes up for it, out-of-bag values need
        samples that weigh the same, and boosting takes several times as long with weights.
        ``"auto"`` is ``"balanced"`` here.

    max_svc_samples : int or None, default=20000
        Maximum number of training samples for the SVCs; above it, members are used whose training
        time grows in proportion to the number of samples. None means that there is no maximum.
        Folds of ``cv`` have the same members as the whole.

    random_state : int, RandomState instance or None, default=None
        Seed of the forest, of the boosting and of the landmarks.

    %(n_jobs)s

    %(verbose)s

    Attributes
    ----------
    %(fitted)s

    References
    ----------
    %(sources)s

    D. H. Wolpert, "Stacked generalization", Neural Networks 5(2), 1992.

    L. Breiman, "Stacked regressions", Machine Learning 24(1), 1996.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from rdep import MixedOrdering
    >>> X, y = make_moons(noise=0.3, random_state=0)
    >>> ordering = MixedOrdering(random_state=0).fit(X, y)
    >>> ordering.get_feature_names_out()
    array(['svc', 'svc_C10', 'forest', 'boosting', 'logistic', 'stack'],
          dtype=object)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **Ordering._parameter_constraints,
        "shrinkage": SHARE,
        "max_svc_samples": [Interval(Integral, 0, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        cv=5,
        stack="positive",
        shrinkage=0.5,
        class_weight="balanced",
        max_svc_samples=20_000,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.cv = cv
        self.stack = stack
        self.shrinkage = shrinkage
        self.class_weight = class_weight
        self.max_svc_samples = max_svc_samples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _named(self):
        forest = RandomForestClassifier(
            n_estimators=100, min_samples_leaf=2, oob_score=True, random_state=self.random_state
        )
        boosting = HistGradientBoostingClassifier(
            max_iter=30, learning_rate=0.15, max_leaf_nodes=15, random_state=self.random_state
        )
        return [
            ("svc", SVC()),
            ("svc_C10", SVC(C=10)),
            ("forest", forest),
            ("boosting", boosting),
            ("logistic", LogisticRegression(max_iter=2000)),
        ]

    def _named_for(self, n_samples, n_in_all=None):
        named = self._named()
        # A fold has fewer samples, and its values are compared with those of the whole.
        n_in_all = n_samples if n_in_all is None else n_in_all
        if self.max_svc_samples is None or n_in_all <= self.max_svc_samples:
            return named
        landmarks = ("landmarks", LandmarkClassifier("rbf", random_state=self.random_state))
        scaling = [landmarks, *named[2:]]
        dict(scaling)["forest"].set_params(max_samples=min(_MAX_DRAWN, n_samples))
        return scaling

    def _class_weight_of(self, name):
        return None if name in _TREES else self.class_weight
