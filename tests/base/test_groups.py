"""Groups reach the folds inside a fit, by themselves and by scikit-learn's metadata routing."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.metadata_routing import get_routing_for_object

from rdep import (
    BaggingOrdering,
    BoxScoreClassifier,
    DEPClassifierCV,
    EnsembleOrdering,
    LinearDEPClassifier,
    MixedOrdering,
    RDEPClassifier,
)

RANDOM = np.random.default_rng(0)
GROUPS = np.repeat(RANDOM.permutation(12), 6)
X = RANDOM.normal(size=(72, 2)) + GROUPS[:, None] / 4
Y = (GROUPS + RANDOM.integers(0, 6, 72)) // 6 % 3
BINARY = (Y > 0).astype(int)

FOREST = [("forest", RandomForestClassifier(5, random_state=0))]
CLASSIFIERS = {
    "dep_cv": (DEPClassifierCV(Cs=[1, 0.01], margins=[0.25]), "cv"),
    "linear_dep": (LinearDEPClassifier(max_pieces=2), "cv"),
    "box_score": (BoxScoreClassifier(4), "cv"),
    "rdep": (RDEPClassifier(EnsembleOrdering(FOREST)), "ordering__cv"),
    "dep inside": (RDEPClassifier("signed", LinearDEPClassifier(max_pieces=2)), "dep__cv"),
}
ORDERINGS = {
    "ensemble": EnsembleOrdering(FOREST),
    "bagging": BaggingOrdering(n_estimators=2, random_state=0),
    "mixed": MixedOrdering(random_state=0),
}
pytestmark = pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")


class Watched(GroupKFold):
    """Keeps, in a list, the groups of every call."""

    def __init__(self, seen):
        super().__init__(3)
        self.seen = seen

    def __sklearn_clone__(self):
        return self

    def split(self, X, y=None, groups=None):
        self.seen.append(groups)
        return super().split(X, y, groups)


def as_splits(rows=slice(None)):
    return list(GroupKFold(3).split(X[rows], Y[rows], GROUPS[rows]))


@pytest.mark.parametrize("y", [BINARY, Y], ids=["two classes", "three"])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_split_by_groups(name, y):
    classifier, cv = CLASSIFIERS[name]
    by_groups = clone(classifier).set_params(**{cv: GroupKFold(3)}).fit(X, y, groups=GROUPS)
    by_splits = clone(classifier).set_params(**{cv: as_splits()}).fit(X, y)
    assert np.array_equal(by_groups.decision_function(X), by_splits.decision_function(X))


@pytest.mark.parametrize("name", ORDERINGS)
def test_orderings_split_by_groups(name):
    by_groups = clone(ORDERINGS[name]).set_params(cv=GroupKFold(2))
    splits = list(GroupKFold(2).split(X, BINARY, GROUPS))
    by_splits = clone(ORDERINGS[name]).set_params(cv=splits)
    found = by_groups.fit_transform(X, BINARY, groups=GROUPS)
    assert np.array_equal(found, by_splits.fit_transform(X, BINARY))


def test_an_ordering_with_a_stack_is_fitted_by_groups():
    by_groups, by_splits = (EnsembleOrdering(FOREST, cv=cv, stack=True)
                            for cv in (GroupKFold(3), as_splits()))  # fmt: skip
    found = by_groups.fit(X, BINARY, groups=GROUPS).transform(X)
    assert np.array_equal(found, by_splits.fit(X, BINARY).transform(X))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_samples_without_weight_are_in_no_group(name):
    classifier, cv = CLASSIFIERS[name]
    y = np.arange(len(X)) % 2  # both classes in every group
    weights = np.where(GROUPS % 4 == 1, 0.0, np.resize([1.0, 2.0, 3.0], len(GROUPS)))
    used = weights > 0
    seen = []
    model = clone(classifier).set_params(**{cv: Watched(seen)})
    found = model.fit(X, y, sample_weight=weights, groups=GROUPS).decision_function(X)
    assert np.array_equal(seen[0], GROUPS[used])
    model.fit(X[used], y[used], sample_weight=weights[used], groups=GROUPS[used])
    assert np.allclose(found, model.decision_function(X))


def test_a_forest_is_fitted_without_the_group_that_it_values():
    """Labels that only the group tells: what out-of-bag samples say of it would give them away."""
    random = np.random.default_rng(1)
    groups = np.repeat(np.arange(40), 5)
    places, y = random.normal(size=(40, 2))[groups], random.integers(0, 2, 40)[groups]
    forest = [("forest", RandomForestClassifier(50, oob_score=True, random_state=0))]

    def accuracy(cv, **groups):
        values = EnsembleOrdering(forest, cv=cv).fit_transform(places, y, **groups)
        return np.mean((values[:, 0] > 0) == y)

    assert accuracy(5) > 0.9
    assert accuracy(GroupKFold(5), groups=groups) < 0.7


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_routing_asks_for_groups_if_the_folds_need_them(name):
    classifier, cv = CLASSIFIERS[name]
    for folds, asks in ((2, False), (KFold(2), False), (StratifiedGroupKFold(2), True)):
        model = clone(classifier).set_params(**{cv: folds})
        consumed = get_routing_for_object(model).consumes("fit", ["groups", "sample_weight"])
        assert ("groups" in consumed) == asks
    with config_context(enable_metadata_routing=True):
        model.set_fit_request(sample_weight=False)
        assert get_routing_for_object(model).consumes("fit", ["groups"]) == {"groups"}


@pytest.mark.parametrize("name", ["box_score", "rdep"])
def test_groups_are_routed_through_searches_and_pipelines(name):
    classifier, cv = CLASSIFIERS[name]
    seen = []
    model = make_pipeline(StandardScaler(), clone(classifier).set_params(**{cv: Watched(seen)}))
    search = GridSearchCV(model, {"standardscaler__with_mean": [True]}, cv=GroupKFold(2))
    with config_context(enable_metadata_routing=True):
        search.fit(X, BINARY, groups=GROUPS)
        assert [len(groups) for groups in seen] == [36, 36, 72]
        assert not set(seen[0]) & set(seen[1])
        scores = cross_val_score(model, X, BINARY, cv=GroupKFold(2), params={"groups": GROUPS})
    assert np.isfinite(scores).all()


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (BoxScoreClassifier(cv=3), r"BoxScoreClassifier does not split by them \(cv=3\)"),
        (RDEPClassifier(), r"\(ordering__cv=3\): set cv to .* StratifiedGroupKFold\(5\)"),
        (RDEPClassifier("signed"), r"\(it has no folds\)"),
        (EnsembleOrdering([("svc", SVC())], cv=as_splits()), "EnsembleOrdering does not split"),
        (BaggingOrdering(cv="oob"), r"\(cv='oob'\)"),
    ],
)
def test_groups_that_no_folds_use_are_refused(model, told):
    with pytest.raises(ValueError, match=told):
        model.fit(X, BINARY, groups=GROUPS)


def test_groups_must_be_as_many_as_samples():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        BoxScoreClassifier(cv=GroupKFold(2)).fit(X, BINARY, groups=GROUPS[1:])
