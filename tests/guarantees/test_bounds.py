import numpy as np
import pytest
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rdep import EnsembleOrdering, RDEPClassifier
from rdep._base._members import value_of
from rdep.guarantees import NoCertificateError, robustness_radius
from rdep.guarantees._bounds import member_range

MEMBERS = {
    "logistic": LogisticRegression(),
    "linear": SVC(kernel="linear"),
    "rbf": SVC(),
    "cubic": SVC(kernel="poly"),
    "quadratic": SVC(kernel="poly", degree=2, coef0=0.3),
    "forest": RandomForestClassifier(5, random_state=0),
    "extra trees": ExtraTreesClassifier(5, random_state=0),
    "boosting": HistGradientBoostingClassifier(max_iter=5),
    "scaled": make_pipeline(StandardScaler(), SVC()),
}


def samples(n_classes=2):
    rng = np.random.default_rng(0)
    y = np.arange(120) % n_classes
    return rng.normal(size=(120, 3)) + 1.2 * y[:, None], y


@pytest.mark.parametrize("name", MEMBERS)
def test_ranges_hold_all_values_and_no_more_at_a_point(name):
    X, y = samples()
    member, rng = MEMBERS[name].fit(X, y), np.random.default_rng(1)
    value = value_of("it", member, X)
    low, high = member_range(member, X, X)
    assert low == pytest.approx(value, abs=1e-12)
    assert high == pytest.approx(value, abs=1e-12)
    low, high = member_range(member, X - 0.3, X + 0.3)
    ends = np.array([np.full(len(X), np.inf), np.full(len(X), -np.inf)])
    for _ in range(400):
        there = value_of("it", member, X + 0.3 * rng.choice([-1, 0, 1, rng.random()], X.shape))
        assert (there >= low - 1e-12).all()
        assert (there <= high + 1e-12).all()
        ends = np.array([np.minimum(ends[0], there), np.maximum(ends[1], there)])
    if name in ("logistic", "linear"):  # exact
        assert ends[0] == pytest.approx(low, abs=1e-9)
    assert (high - low).mean() < 20 * (ends[1] - ends[0]).mean()


@pytest.mark.parametrize(
    ("model", "n_classes"),
    [
        (RDEPClassifier(random_state=0), 2),
        (RDEPClassifier("ensemble"), 2),
        (RDEPClassifier("ensemble"), 3),
        (RDEPClassifier("bagging", random_state=0), 2),
        (RDEPClassifier(EnsembleOrdering([("l", LogisticRegression())], stack=True, cv=3)), 3),
    ],
    ids=["mixed", "ensemble", "three classes", "bagging", "stack"],
)
@pytest.mark.filterwarnings("ignore")
def test_no_attack_within_the_bound(model, n_classes):
    X, y = samples(n_classes)
    model.fit(X, y)
    X = X[:25]
    scale = np.array([0.5, 1, 2])
    found = robustness_radius(model, X, scale=scale)
    assert not found.exact.any()
    assert np.median(found.radii) > 1e-3
    rng, predicted = np.random.default_rng(0), model.predict(X)
    for _ in range(60):
        steps = rng.choice([-1.0, 1.0, rng.random()], X.shape) * found.radii[:, None] * scale
        assert (model.predict(X + steps) == predicted).all()


def test_a_member_without_a_range_is_named():
    X, y = samples()
    model = RDEPClassifier(EnsembleOrdering([("near", KNeighborsClassifier())])).fit(X, y)
    with pytest.raises(NoCertificateError, match=r"the member 'near' \(KNeighborsClassifier\)"):
        robustness_radius(model, X[:2])
