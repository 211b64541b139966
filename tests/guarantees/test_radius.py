from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures, StandardScaler

from rdep import (
    BoxScoreClassifier,
    CompetitiveClassifier,
    DendriteClassifier,
    DEPClassifier,
    DEPClassifierCV,
    LinearDEPClassifier,
    RDEPClassifier,
    RitterSussnerClassifier,
)
from rdep.guarantees import NoCertificateError, robustness_radius

from .oracles import KINDS, SEARCHED, radius, random_case

pytestmark = pytest.mark.filterwarnings("ignore")
EPS = np.finfo(float).eps
BEYOND = {kind: 1e-6 if kind in SEARCHED else 1e-9 for kind in KINDS}


def check(case, n_attacks, rng, beyond_at_most=1e-9):
    """Radii as the oracle's; unchanged just inside and flipped just beyond; attacks inside fail.

    Returns the share of exact radii. The depths of competitive boxes may tie on a whole region,
    where the rule for ties decides: there the distance to the tie is a bound. Flips that a search
    found may be a millionth of the radius beyond it.
    """
    model, X, scale = case.model, case.X, case.scale
    found = robustness_radius(model, X, scale=scale)
    assert found.exact.all() or isinstance(model, CompetitiveClassifier)
    expected = [radius(model, x, scale) for x in X]
    # HiGHS meets constraints to 1e-7.
    assert found.radii == pytest.approx(expected, rel=1e-6, abs=1e-7)
    predicted = model.predict(X)
    finite = np.isfinite(found.radii) & found.exact
    steps = np.where(finite[:, None], found.flips - X, 0.0)
    assert np.array_equal(model.predict(X + steps) != predicted, finite)
    radii, beyond = found.radii[finite], np.max(np.abs(steps) / scale, axis=1)[finite]
    rounding = 64 * EPS * np.max(np.abs(X) / scale, axis=1)[finite]
    assert (beyond <= radii * (1 + 1.001 * beyond_at_most) + rounding).all()
    steps[finite] *= np.maximum((radii * (1 - 1e-9) - rounding) / beyond, 0)[:, None]
    assert (model.predict(X + steps) == predicted).all()
    reach = np.minimum(found.radii, 1e3)[:, None] * (1 - 1e-9) * scale
    shape = (n_attacks, *X.shape)
    corners = rng.choice([-1.0, 0.0, 1.0], shape) * rng.choice(
        [1.0, rng.random()], (n_attacks, 1, 1)
    )
    for steps in (corners, rng.uniform(-1, 1, shape)):
        attacked = model.predict((X + reach * steps).reshape(-1, X.shape[1]))
        assert (attacked.reshape(n_attacks, -1) == predicted).all()
    return found.exact.mean()


@pytest.mark.parametrize("kind", KINDS)
def test_radii_are_those_of_an_independent_search(kind):
    rng = np.random.default_rng(0)
    for seed in range(2 if kind in SEARCHED else 6):
        check(random_case(kind, seed, 3 if kind in SEARCHED else 5), 20, rng, BEYOND[kind])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_radii_of_many_models(kind):
    rng = np.random.default_rng(1)
    shares = [check(random_case(kind, seed, 20), 125, rng, BEYOND[kind]) for seed in range(200)]
    assert np.mean(shares) > 0.7


def test_the_radius_of_a_dep_is_its_decision_value():
    X, y = load_breast_cancer(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    dep = DEPClassifier(monotonic_cst="auto").fit(X, y)
    found = robustness_radius(dep, X)
    assert found.radii == pytest.approx(np.abs(dep.decision_function(X)), rel=1e-12, abs=1e-15)
    assert found.exact.all()
    assert robustness_radius(DEPClassifierCV(dep).fit(X, y), X[:9]).exact.all()


def test_pairs_of_boxes_are_not_enough():
    """All own boxes must be outdone at one point: 1.2, although every pair gives 0.6."""
    model = CompetitiveClassifier().fit([[0, 0], [9, 9]], [0, 1])
    inf = np.inf
    model.boxes_ = [
        np.array([[[-1, -inf], [100, inf]], [[-100, -inf], [1, inf]]]),
        np.array([[[-inf, 0.2], [inf, 50]]]),
    ]
    found = robustness_radius(model, [[0.0, 0.0]])
    assert found.exact.all()
    assert found.radii == pytest.approx([1.2], rel=1e-9)
    assert robustness_radius(model, [[0.0, 0.0]], max_exact_rows=0).radii == pytest.approx([0.6])


def test_the_nearest_sample_of_a_score_is_found():
    """HiGHS once returned 0.63 as optimal: the first feature, moved by 0.467, is enough."""
    case = random_case("score", 46, 20)
    x, scale = case.X[2:3], case.scale
    moved = x - [[0.467 * scale[0], 0, 0]]
    assert case.model.predict(moved) != case.model.predict(x)
    found = robustness_radius(case.model, x, scale=scale)
    assert found.exact.all()
    assert found.radii[0] < 0.467


def test_a_sample_on_the_boundary_has_radius_zero():
    dep = DEPClassifier().fit([[0.0, 1], [1, 0], [2, 3], [3, 2]], [0, 0, 1, 1])
    x = np.array([[1.0, 1.5]])
    x -= dep._decide(x)
    assert dep._decide(x) == 0
    found = robustness_radius(dep, x)
    assert found.radii == pytest.approx([0], abs=1e-15)
    assert found.exact.all()


def test_constant_features_do_not_count():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 3)) + y[:, None]
    with_constant = np.column_stack([X, np.full(60, 7.0)])
    dep, wider = DEPClassifier().fit(X, y), DEPClassifier().fit(with_constant, y)
    few, more = robustness_radius(dep, X), robustness_radius(wider, with_constant)
    assert more.radii == pytest.approx(few.radii, rel=1e-12)
    assert (more.flips[:, 3] == 7).all()


def test_scales_by_name_and_through_scalers():
    frame = load_breast_cancer(as_frame=True)
    X, y = frame.data.iloc[:, :5], frame.target
    deviations = X.std().to_dict()
    plain = DEPClassifier(monotonic_cst="auto").fit((X - X.mean()) / X.std(), y)
    piped = make_pipeline(StandardScaler(), MinMaxScaler(), DEPClassifier(monotonic_cst="auto"))
    for model in (piped, RDEPClassifier("signed"), RDEPClassifier("boxes")):
        model.fit(X, y)
        named = robustness_radius(model, X[:40], scale=deviations)
        listed = robustness_radius(model, X[:40], scale=X.std().to_numpy())
        assert named.exact.all()
        assert np.array_equal(named.radii, listed.radii)
        assert (
            model.predict(pd.DataFrame(named.flips, columns=X.columns)) != model.predict(X[:40])
        ).all()
        one = robustness_radius(model, X[:40], scale={"mean radius": 2.0})
        assert one.scale.tolist() == [2, 1, 1, 1, 1]
    standard = robustness_radius(plain, (X - X.mean()) / X.std())
    in_units = make_pipeline(StandardScaler(), plain).fit(X, y)
    again = robustness_radius(in_units, X, scale=X.std(ddof=0).to_numpy())
    assert again.radii == pytest.approx(standard.radii, rel=0.02)


def three_classes(n=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(90) % 3
    return rng.normal(size=(90, n)) + y[:, None], y


@pytest.mark.parametrize(
    "model",
    [
        DEPClassifier(),
        RDEPClassifier("boxes"),
        LinearDEPClassifier((2, 2)),
        BoxScoreClassifier(6, max_faces=2, cv=None),
        CompetitiveClassifier("ccp", random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_bounds_of_several_classes_are_never_too_large(model):
    X, y = three_classes()
    model.fit(X, y)
    scale = np.array([0.5, 1, 2])
    exact = robustness_radius(model, X[:5], scale=scale)
    assert exact.exact.all()
    bound = robustness_radius(model, X, scale=scale, max_exact_rows=0)
    assert not bound.exact.any()
    assert np.isnan(bound.flips).all()
    assert (bound.radii[:5] <= exact.radii * (1 + 1e-6) + 1e-12).all()
    assert (bound.radii > 0).mean() > 0.9
    rng, predicted = np.random.default_rng(0), model.predict(X)
    for _ in range(100):
        steps = rng.choice([-1.0, 1.0], X.shape) * bound.radii[:, None] * scale * (1 - 1e-9)
        assert (model.predict(X + steps) == predicted).all()
    for _ in range(300):
        steps = rng.uniform(-1, 1, (5, 3)) * exact.radii[:, None] * scale * (1 - 1e-9)
        assert (model.predict(X[:5] + steps) == predicted[:5]).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_dendrites_have_bounds(n_classes):
    X, y = three_classes()
    model = DendriteClassifier().fit(X, y % n_classes)
    found = robustness_radius(model, X)
    assert not found.exact.any()
    assert found.radii.max() > 0
    rng, predicted = np.random.default_rng(0), model.predict(X)
    for _ in range(200):
        steps = rng.choice([-1.0, 1.0], X.shape) * found.radii[:, None] * (1 - 1e-9)
        assert (model.predict(X + steps) == predicted).all()


def test_a_search_gives_the_same_radii_as_listed_points(monkeypatch):
    case = random_case("linear 2", 0)
    listed = robustness_radius(case.model, case.X, scale=case.scale)
    monkeypatch.setattr("rdep.guarantees._closed_form._MOST_POINTS", 1)
    searched = robustness_radius(case.model, case.X, scale=case.scale)
    assert searched.exact.all()
    assert searched.radii == pytest.approx(listed.radii, rel=1e-6)


def test_a_feature_twice_in_the_same_direction():
    """A box on coordinates x and −x has each of them twice; by its depth, it is a plain box."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 2)) + 2 * y[:, None]
    plain = RitterSussnerClassifier(boxes=True)
    model = RDEPClassifier("boxes", plain, scale_input=False, scale_ordering=False).fit(X, y)
    found = robustness_radius(model, X[:6])
    assert found.exact.all()
    assert found.radii == pytest.approx(robustness_radius(plain.fit(X, y), X[:6]).radii, rel=1e-6)


def test_a_model_that_never_changes_has_infinite_radii():
    X, y = three_classes()
    model = BoxScoreClassifier(6, max_faces=2, cv=None).fit(X, y % 2)
    model.boxes_, model.box_coef_, model.coef_ = model.boxes_[:0], model.box_coef_[:0], np.zeros(3)
    linear = LinearDEPClassifier((1, 1)).fit(X, y % 2)
    linear.dilation_coef_, linear.erosion_coef_ = np.zeros((2, 1, 3))
    linear.result_ = replace(
        linear.result_, dilation_coef=np.zeros((1, 3)), erosion_coef=np.zeros((1, 3))
    )
    for constant in (model, linear):
        found = robustness_radius(constant, X[:3])
        assert np.isposinf(found.radii).all()
        assert found.exact.all()
        assert np.isnan(found.flips).all()


@pytest.mark.parametrize(
    ("scale", "words"),
    [
        ([1, 0, 1], "scale must hold positive finite numbers, got 0 for the feature 'x1'"),
        ([1, -2, 1], "got -2 for the feature 'x1'"),
        ([1, np.nan, 1], "got nan"),
        ([1, 1], r"scale has shape \(2,\), but X has 3 features"),
        ({"y": 1.0}, r"scale names features that X does not have: \['y'\]; X has \['x0'"),
    ],
)
def test_bad_scales_are_refused(scale, words):
    X, y = three_classes()
    model = DEPClassifier().fit(X, y % 2)
    with pytest.raises(ValueError, match=words):
        robustness_radius(model, X, scale=scale)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (LogisticRegression(), "no certificate for a LogisticRegression; there is one for DEPC"),
        (
            RDEPClassifier("signed", LogisticRegression()),
            "no certificate for an RDEPClassifier whose dep is a LogisticRegression",
        ),
        (
            make_pipeline(PolynomialFeatures(2), DEPClassifier()),
            r"the step 'polynomialfeatures' \(PolynomialFeatures\), which is no scaler",
        ),
    ],
    ids=["other model", "other dep", "other step"],
)
def test_models_without_a_certificate_are_refused(model, words):
    X, y = three_classes()
    model.fit(X, y % 2)
    with pytest.raises(NoCertificateError, match=words):
        robustness_radius(model, X)
    with pytest.raises(NoCertificateError, match="pass a fitted model"):
        robustness_radius(DEPClassifier, X)
