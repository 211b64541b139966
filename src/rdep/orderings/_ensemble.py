"""The ensemble ordering: decision values of different classifiers on all samples."""

from __future__ import annotations

from sklearn.base import BaseEstimator
from sklearn.svm import SVC

from .._utils._docstrings import documented
from .._utils._sklearn_estimators import _BaseComposition
from ._base import (
    CV,
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

_LEFT_OUT = "drop"


@documented(
    cv=CV,
    stack=STACK % False,
    shrinkage=SHRINKAGE % (0.0, ""),
    n_jobs=N_JOBS,
    verbose=VERBOSE,
    fitted=FITTED,
    sources=REDUCED_ORDERINGS,
)
class EnsembleOrdering(MemberListOrdering, _BaseComposition):
    """Decision values of different classifiers, each fitted on all samples.

    Read more in the :doc:`User Guide </guide/orderings>`.

    Parameters
    ----------
    estimators : list of (str, classifier) tuples or None, default=None
        Names and members: binary classifiers with ``decision_function`` or ``predict_proba``. The
        value of the latter is the probability of the positive class minus one half. None means the
        members of the paper: an RBF, a linear and a cubic polynomial SVC with scikit-learn's
        defaults. Given members receive data frames unchanged, so that they can select columns by
        name. ``"drop"`` in place of a classifier omits the member.

    %(cv)s

    %(stack)s

    %(shrinkage)s

    class_weight : "balanced", "auto", dict or None, default=None
        Class weights of every member. None leaves the members as given. ``"auto"`` means
        ``"balanced"`` for members that accept sample weights and have no class weights of their
        own.

    %(n_jobs)s

    %(verbose)s

    Attributes
    ----------
    %(fitted)s

    See Also
    --------
    BaggingOrdering : Classifiers of one kind, fitted on bootstrap samples.
    MixedOrdering : Classifiers of four kinds, the default of RDEPClassifier.
    RDEPClassifier : Reduced DEP, which uses an ordering.

    References
    ----------
    %(sources)s

    S. Velasco-Forero and J. Angulo, "Supervised ordering in R^p: application to morphological
    processing of hyperspectral images", IEEE Transactions on Image Processing 20(11), 2011.

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
        "shrinkage": SHARE,
    }

    def __init__(
        self,
        estimators=None,
        *,
        cv=None,
        stack=False,
        shrinkage=0.0,
        class_weight=None,
        n_jobs=None,
        verbose=0,
    ):
        self.estimators = estimators
        self.cv = cv
        self.stack = stack
        self.shrinkage = shrinkage
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _named(self) -> list[tuple[str, BaseEstimator]]:
        if self.estimators is None:
            return _papers_members()
        named = list(self.estimators)
        if not named:
            raise ValueError("estimators is empty: an ordering needs at least one classifier")
        for item in named:
            if not (
                isinstance(item, tuple)
                and len(item) == 2
                and (hasattr(item[1], "fit") or item[1] == _LEFT_OUT)
            ):
                raise ValueError(
                    "estimators must be a list of (name, classifier) pairs, with 'drop' in place "
                    f"of a classifier to omit it; got {item!r}"
                )
        kept = [(name, member) for name, member in named if member != _LEFT_OUT]
        if not kept:
            raise ValueError(
                "every member of estimators is 'drop': an ordering needs at least one classifier"
            )
        return kept

    _takes_sparse = True

    def _given_members(self):
        return [] if self.estimators is None else [member for _, member in self._named()]

    @property
    def _hands_frames_on(self):
        return self.estimators is not None and not self._pairwise()

    def _fit_members(self, X, y, sample_weight, fold_of):
        if self.shrinkage and not self.stack:
            raise ValueError(
                f"shrinkage={self.shrinkage} needs a stack: set stack='positive' or True, or "
                "shrinkage=0"
            )
        if self.estimators is not None:
            self._validate_names([name for name, _ in self.estimators])
        return super()._fit_members(X, y, sample_weight, fold_of)

    def get_params(self, deep=True):
        """Get the parameters of the ordering and of its members.

        Parameters
        ----------
        deep : bool, default=True
            Whether to include the members and their parameters.

        Returns
        -------
        dict
            Parameter values by name.
        """
        parameters = self._get_params("estimators", deep=deep)
        if deep and self.estimators is None:
            for name, member in _papers_members():
                nested = {f"{name}__{own}": value for own, value in member.get_params().items()}
                parameters |= {name: member, **nested}
        return parameters

    def set_params(self, **params):
        """Set parameters of the ordering, its members, or their parameters.

        Parameters
        ----------
        **params
            Parameter values by name.

        Returns
        -------
        self
            The ordering.
        """
        names = {name for name, _ in _papers_members()}
        if self.estimators is None and names & {key.partition("__")[0] for key in params}:
            self.estimators = _papers_members()
        self._set_params("estimators", **params)
        return self


def _papers_members() -> list[tuple[str, BaseEstimator]]:
    """Members for ``estimators=None``."""
    return [("rbf", SVC()), ("linear", SVC(kernel="linear")), ("poly", SVC(kernel="poly"))]
