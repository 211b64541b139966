"""The mixed ordering: decision values of four kinds of classifiers."""

from __future__ import annotations

from numbers import Integral

from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from .._base._logistic import polish
from .._base._members import class_weights_of_samples
from .._utils._docstrings import documented
from .._utils._sklearn_estimators import HasMethods, Interval
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
from ._stack import PRECISE_FROM

# Maximum number of samples that each tree of the forest draws.
_MAX_DRAWN = 10_000
# Newton steps of the logistic regression take the square of the number of features.
_FEW_FEATURES = 200
_TREES = ("forest", "boosting")
# The boosting for few samples and for many.
_SMALL = {"max_iter": 20, "learning_rate": 0.2, "max_leaf_nodes": 15}
_LARGE = {"max_iter": 100, "early_stopping": False}


@documented(
    stack=STACK % '"positive"',
    shrinkage=SHRINKAGE % (0.5, ", if there is one"),
    n_jobs=N_JOBS,
    verbose=VERBOSE,
    fitted=FITTED,
    sources=REDUCED_ORDERINGS,
)
class MixedOrdering(MemberListOrdering):
    """Decision values of a kernel machine, randomised trees, boosting and a logistic regression.

    On the paper's data sets, an r-DEP with members of these four kinds was more accurate than one
    with SVCs of three kernels. The kernel machine is an RBF SVC with C = 10. The trees are an
    :class:`~sklearn.ensemble.ExtraTreesClassifier` called ``forest``. They are not fitted again on
    the folds; their out-of-bag values are used.

    The time to train an SVC grows at least with the square of the number of samples. With more than
    ``max_svc_samples`` samples, other members are used. A
    :class:`~rdep.kernels.LandmarkClassifier` with an RBF kernel, called ``landmarks``, replaces the
    SVC. It is not fitted again on the folds either, since one fit gives the values of left-out
    samples. The boosting has scikit-learn's default size, and each tree of the forest is fitted on
    a draw of at most 10,000 samples.

    Read more in the :doc:`User Guide </guide/orderings>`.

    Parameters
    ----------
    cv : int, cross-validation splitter, iterable or None, default=3
        Cross-validation used by ``fit_transform`` for the values of the training samples. The
        values of a sample come from members fitted on the other folds. An integer is the number of
        stratified folds of shuffled samples. None uses in-sample values, which are far too
        optimistic for a forest.

    %(stack)s

    %(shrinkage)s

    class_weight : "balanced", "auto", dict or None, default="balanced"
        Class weights of the SVC or landmarks, and of the logistic regression. ``"auto"`` means
        ``"balanced"``. Forest and boosting are not weighted: the DEP and the stack on their values
        are, out-of-bag values need samples of equal weight, and boosting with weights takes several
        times as long.

    boosting : classifier or None, default=None
        The boosting member, for example LightGBM's, with ``decision_function`` or
        ``predict_proba``. None means a :class:`~sklearn.ensemble.HistGradientBoostingClassifier`:
        20 trees of 15 leaves for up to ``max_svc_samples`` samples, 100 trees of 31 leaves for
        more.

    max_svc_samples : int or None, default=2000
        Maximum number of training samples for the SVC. With more samples, the training time of all
        members is proportional to the number of samples. None means no maximum. The folds of
        ``cv`` use the same kinds of members as the final fit.

    random_state : int, RandomState instance or None, default=None
        Determines the randomness of the forest, the boosting and the landmarks.

    %(n_jobs)s

    %(verbose)s

    Attributes
    ----------
    %(fitted)s

    See Also
    --------
    EnsembleOrdering : Classifiers of your choice.
    RDEPClassifier : Reduced DEP, which uses this ordering by default.

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
    array(['svc', 'forest', 'boosting', 'logistic', 'stack'], dtype=object)
    """

    __module__ = "rdep"

    _parameter_constraints = {
        **Ordering._parameter_constraints,
        "shrinkage": SHARE,
        "boosting": [HasMethods(["fit", "get_params"]), None],
        "max_svc_samples": [Interval(Integral, 0, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        cv=3,
        stack="positive",
        shrinkage=0.5,
        class_weight="balanced",
        boosting=None,
        max_svc_samples=2000,
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.cv = cv
        self.stack = stack
        self.shrinkage = shrinkage
        self.class_weight = class_weight
        self.boosting = boosting
        self.max_svc_samples = max_svc_samples
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _named(self):
        return self._named_for(0)

    def _named_for(self, n_samples, n_in_all=None):
        # Values of a fold are compared with those of all samples: use the same kinds of members.
        n_in_all = n_samples if n_in_all is None else n_in_all
        many = self.max_svc_samples is not None and n_in_all > self.max_svc_samples
        return [
            ("landmarks", self._landmarks()) if many else ("svc", SVC(C=10)),
            ("forest", self._forest(n_samples)),
            ("boosting", self._boosting(_LARGE if many else _SMALL)),
            ("logistic", LogisticRegression(max_iter=2000)),
        ]

    def _landmarks(self):
        return LandmarkClassifier(
            n_landmarks=500, alpha="auto", keep_left_out=True, random_state=self.random_state
        )

    def _forest(self, n_samples):
        return ExtraTreesClassifier(
            n_estimators=50,
            bootstrap=True,
            oob_score=True,
            max_samples=_MAX_DRAWN if n_samples > _MAX_DRAWN else None,
            random_state=self.random_state,
        )

    def _boosting(self, size):
        if self.boosting is not None:
            return self.boosting
        return HistGradientBoostingClassifier(**size, random_state=self.random_state)

    def _fit_named(self, name, member, X, y, sample_weight, verbose):
        fitted = super()._fit_named(name, member, X, y, sample_weight, verbose)
        if name == "logistic" and len(y) > PRECISE_FROM and X.shape[1] <= _FEW_FEATURES:
            weights = class_weights_of_samples(fitted.class_weight, y)
            weights = weights if sample_weight is None else weights * sample_weight
            polish(fitted, X, y == fitted.classes_[1], weights, nonnegative=False)
        return fitted

    def _class_weight_of(self, name):
        return None if name in _TREES else self.class_weight
