"""Joint training against its own definition, a linear programme and an exhaustive search."""

import numpy as np
import pytest
from scipy.optimize import linprog
from sklearn.base import clone

from rdep import DEPClassifier
from rdep.lattice import dilation, erosion
from rdep.training import DilationProblem, Objective, TrainingSet
from rdep.training._beta import minimising_beta
from rdep.training._joint import _Operator


def problem(seed, m=60, n=3, separation=0.8):
    random = np.random.RandomState(seed)
    y = np.arange(m) % 3 == 0
    return random.normal(size=(m, n)) + separation * y[:, None], y.astype(int)


def joint_loss(X, y, w, m, beta, model):
    """J by its definition, without sample weights of any kind."""
    mu = model.margin * np.sqrt(X.var(axis=0).mean())
    tau = beta * dilation(X, w) + (1 - beta) * erosion(X, m)
    losses = np.maximum(mu - np.where(y == 1, 1, -1) * tau, 0)
    r_w = -(X[y == 0].max(axis=0) + mu)
    r_m = -(X[y == 1].min(axis=0) - mu)
    pull = beta * np.abs(w - r_w).sum() + (1 - beta) * np.abs(m - r_m).sum()
    return losses[y == 1].mean() + losses[y == 0].mean() + model.C * pull


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("margin", [1e-6, 0.5])
def test_the_objective_is_the_loss_of_tau_and_falls(seed, margin):
    X, y = problem(seed)
    model = DEPClassifier(margin=margin, weighting=None, joint=True).fit(X, y)
    result = model.joint_result_
    fitted = (model.dilation_weights_, model.erosion_weights_, model.beta_)
    assert result.objective == pytest.approx(joint_loss(X, y, *fitted, model), rel=1e-12)
    assert (np.diff(result.history) <= 1e-12).all()
    assert result.converged
    assert result.n_iter == len(result.history) - 1
    greedy = DEPClassifier(margin=margin, weighting=None).fit(X, y)
    parts = (greedy.dilation_weights_, greedy.erosion_weights_, greedy.beta_)
    assert result.objective <= joint_loss(X, y, *parts, model) + 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_at_both_ends_of_beta_it_is_an_operators_own_objective(seed):
    X, y = problem(seed)
    for beta, operator in ((1.0, "dilation"), (0.0, "erosion")):
        model = DEPClassifier(beta=beta, joint=True).fit(X, y)
        own = getattr(model, f"{operator}_result_")
        assert model.joint_result_.objective == pytest.approx(own.objective, rel=1e-12)
        assert model.beta_ == beta


def test_never_above_the_combination_of_both_objectives():
    X, y = problem(1)
    for beta in (0.2, 0.5, 0.9):
        model = DEPClassifier(beta=beta, joint=True).fit(X, y)
        bound = (
            beta * model.dilation_result_.objective + (1 - beta) * model.erosion_result_.objective
        )
        assert model.joint_result_.objective <= bound + 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_with_one_feature_it_finds_the_best_threshold(seed):
    """With one feature τ is x plus a constant, so that the loss is convex in that constant."""
    X, y = problem(seed, n=1)
    model = DEPClassifier(C=0.0, margin=0.3, weighting=None, joint=True).fit(X, y)
    mu = 0.3 * X.std()
    kinks = np.concatenate([mu - X[y == 1, 0], -mu - X[y == 0, 0]])
    best = min(
        np.maximum(mu - X[y == 1, 0] - t, 0).mean() + np.maximum(mu + X[y == 0, 0] + t, 0).mean()
        for t in kinks
    )
    assert model.joint_result_.objective == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_each_block_ends_at_the_optimum_of_its_linear_programme(seed):
    """For fixed m, β and deciding coordinates, the best w is the solution of a linear programme."""
    X, y = problem(seed, m=40)
    beta = 0.6
    model = DEPClassifier(C=0.01, margin=0.3, weighting=None, beta=beta, joint=True, tol=0.0).fit(
        X, y
    )
    mu = 0.3 * np.sqrt(X.var(axis=0).mean())
    w, m = model.dilation_weights_, model.erosion_weights_
    negatives, positives = X[y == 0], X[y == 1]
    n, n_neg, n_pos = X.shape[1], len(negatives), len(positives)
    r = -(negatives.max(axis=0) + mu)
    eroded_neg, eroded_pos = ((1 - beta) * erosion(part, m) for part in (negatives, positives))
    deciding = (positives + w).argmax(axis=1)
    # Variables: w, |w − r|, and the losses of the negatives and of the positives.
    rows, bounds = [], []
    for i, x in enumerate(negatives):
        for j in range(n):
            row = np.zeros(2 * n + n_neg + n_pos)
            row[j], row[2 * n + i] = beta, -1
            rows.append(row)
            bounds.append(-mu - eroded_neg[i] - beta * x[j])
    for i, x in enumerate(positives):
        row = np.zeros(2 * n + n_neg + n_pos)
        row[deciding[i]], row[2 * n + n_neg + i] = -beta, -1
        rows.append(row)
        bounds.append(-mu + eroded_pos[i] + beta * x[deciding[i]])
    for j in range(n):
        for sign in (1, -1):
            row = np.zeros(2 * n + n_neg + n_pos)
            row[j], row[n + j] = sign, -1
            rows.append(row)
            bounds.append(sign * r[j])
    costs = np.concatenate(
        [np.zeros(n), np.full(n, 0.01 * beta), np.full(n_neg, 1 / n_neg), np.full(n_pos, 1 / n_pos)]
    )
    optimum = linprog(
        costs, np.array(rows), bounds, bounds=[(None, None)] * n + [(0, None)] * (n + n_neg + n_pos)
    )
    r_m = -(positives.min(axis=0) - mu)
    rest = 0.01 * (1 - beta) * np.abs(m - r_m).sum()
    assert model.joint_result_.objective == pytest.approx(optimum.fun + rest, rel=1e-8)


def optimum_of_the_joint_step(X, y, beta, C, mu, k_star, j_star):
    """The convex step of both operators at fixed β as a linear programme."""
    negatives, positives = X[y == 0], X[y == 1]
    n, n_neg, n_pos = X.shape[1], len(negatives), len(positives)
    r_w, r_m = -(negatives.max(axis=0) + mu), -(positives.min(axis=0) - mu)
    # Variables: W = βw, V = (1 − β)m, the losses, |W − β r_w| and |V − (1 − β) r_m|.
    rows, bounds = [], []

    def add(terms, bound):
        row = np.zeros(4 * n + n_neg + n_pos)
        for place, value in terms:
            row[place] += value
        rows.append(row)
        bounds.append(bound)

    for i, x in enumerate(negatives):
        k = k_star[i]
        for j in range(n):
            constant = beta * x[j] + (1 - beta) * x[k] + mu
            add([(j, 1), (n + k, 1), (2 * n + i, -1)], -constant)
    for i, x in enumerate(positives):
        j = j_star[i]
        for k in range(n):
            constant = beta * x[j] + (1 - beta) * x[k] - mu
            add([(j, -1), (n + k, -1), (2 * n + n_neg + i, -1)], constant)
    pulls = 2 * n + n_neg + n_pos
    for j in range(n):
        for sign in (1, -1):
            add([(j, sign), (pulls + j, -1)], sign * beta * r_w[j])
            add([(n + j, sign), (pulls + n + j, -1)], sign * (1 - beta) * r_m[j])
    costs = [np.zeros(2 * n), np.full(n_neg, 1 / n_neg), np.full(n_pos, 1 / n_pos)]
    result = linprog(
        np.concatenate([*costs, np.full(2 * n, C)]),
        np.array(rows),
        bounds,
        bounds=[(None, None)] * (2 * n) + [(0, None)] * (n_neg + n_pos + 2 * n),
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    return result.fun


def drawn(seed):
    """Samples without repetitions: continuous, on a grid, or nearly repeated."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 6)), int(rng.integers(9, 60))
    y = (rng.random(m) < 0.4).astype(int)
    y[:2] = 0, 1
    X = rng.normal(size=(m, n)) + y[:, None] * rng.uniform(0, 1.5)
    if seed % 3 == 1:
        X = np.round(X, 1)
    if seed % 3 == 2:
        X[m // 2 :] = X[: m - m // 2] + 1e-3 * rng.normal(size=(m - m // 2, n))
    _, kept = np.unique(np.column_stack([X, y]), axis=0, return_index=True)
    settings = {"C": rng.choice([0.0, 0.001, 0.01, 0.1]), "margin": rng.choice([1e-6, 0.25, 1.0])}
    return X[kept], y[kept], {name: float(value) for name, value in settings.items()}


@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_no_step_of_both_operators_descends_at_the_end():
    n_checked = 0
    for seed in range(50):
        X, y, settings = drawn(seed)
        model = DEPClassifier(weighting=None, joint=True, **settings).fit(X, y)
        result, beta = model.joint_result_, model.beta_
        assert result.converged, seed
        assert (np.diff(result.history) <= 0).all()
        if not 1e-6 < beta < 1 - 1e-6:
            continue
        n_checked += 1
        samples = TrainingSet.from_samples(X, np.where(y == 1, 1.0, -1.0))
        objective = Objective(settings["C"], None, "extreme", settings["margin"])
        frozen = {
            name: _Operator.start(
                DilationProblem.from_training_set(samples, name, objective), weights
            ).frozen()
            for name, weights in (
                ("dilation", model.dilation_weights_),
                ("erosion", model.erosion_weights_),
            )
        }
        ordered = np.vstack([samples.negatives.rows, samples.positives.rows])
        labels = np.repeat([0, 1], [len(samples.negatives.rows), len(samples.positives.rows)])
        optimum = optimum_of_the_joint_step(
            ordered, labels, beta, settings["C"], settings["margin"] * samples.spread,
            frozen["erosion"], frozen["dilation"],
        )  # fmt: skip
        # Relative to the objective, or to what rounding is relative to where that is nothing.
        size = max(result.objective, 1e-6 * np.abs(X).max())
        assert result.objective - optimum <= 1e-9 * size, seed
    assert n_checked > 35


@pytest.mark.parametrize("seed", range(20))
def test_the_best_beta_with_a_tilt_is_that_of_a_search_over_all_kinks(seed):
    random = np.random.RandomState(seed)
    intercept, slope = random.normal(size=(2, 30))
    weights, tilt = random.uniform(size=30), random.normal()
    with np.errstate(divide="ignore"):
        kinks = np.concatenate([[0, 1], -intercept / slope])
    kinks = kinks[(kinks >= 0) & (kinks <= 1)]

    def loss(beta):
        return weights @ np.maximum(intercept + beta * slope, 0) + tilt * beta

    best = min(map(loss, kinks))
    low, high = minimising_beta(intercept, slope, weights, tilt=tilt)
    assert loss(low) == pytest.approx(best, rel=1e-12)
    assert loss(high) == pytest.approx(best, rel=1e-12)


def test_exchanging_the_classes_exchanges_w_and_minus_m():
    X, y = problem(2)
    # Even weights have many ties, and of several critical points either may be found.
    dep = DEPClassifier(margin=0.2, weighting="distance", joint=True)
    model, swapped = clone(dep).fit(X, y), clone(dep).fit(-X, 1 - y)
    np.testing.assert_allclose(swapped.dilation_weights_, -model.erosion_weights_, atol=1e-9)
    assert swapped.beta_ == pytest.approx(1 - model.beta_, abs=1e-9)


def test_what_does_not_go_together_is_refused():
    X, y = problem(0)
    with pytest.raises(ValueError, match="beta_holdout=None"):
        DEPClassifier(joint=True, beta_holdout=0.3).fit(X, y)
    with pytest.raises(ValueError, match="fit with joint=False"):
        DEPClassifier(joint=True).fit(X, y).certify(X, y)


def test_the_summary_shows_the_joint_weights():
    X, y = problem(3)
    model = DEPClassifier(margin=0.5, joint=True).fit(X, y)
    text = model.summary()
    assert "joint" in text
    assert f"{model.dilation_weights_[0]:.4g}" in text


@pytest.mark.parametrize("seed", [134, 146, 224, 236, 278, 284])
def test_weights_are_repeated_rows(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 4))
    y = (X[:, 0] + 0.8 * rng.normal(size=60) > 0).astype(int)
    weights = rng.integers(1, 4, size=60)
    model = DEPClassifier(joint=True, margin=0.1)
    weighted = clone(model).fit(X, y, sample_weight=weights.astype(float))
    repeated = clone(model).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.joint_result_.objective == repeated.joint_result_.objective
    assert np.array_equal(weighted.decision_function(X), repeated.decision_function(X))
    # Rows without weight are absent, also if they share a value of the first feature.
    absent = X + np.array([0.0, 1.0, 1.0, 1.0])
    with_absent = clone(model).fit(
        np.vstack([X, absent]), np.tile(y, 2), sample_weight=np.append(weights, np.zeros(60))
    )
    assert np.array_equal(weighted.decision_function(X), with_absent.decision_function(X))


@pytest.mark.parametrize(("seed", "margin"), [(29, 0.1), (48, 1e-6), (48, 0.1)])
def test_beta_is_the_middle_of_its_interval(seed, margin):
    X, y = problem(seed, m=24, n=5, separation=1.0)
    result = DEPClassifier(joint=True, margin=margin).fit(X, y).joint_result_
    low, high = result.beta_interval
    assert high - low > 0.1
    assert result.beta == pytest.approx((low + high) / 2, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-310, 5e-324])
def test_it_ends_on_the_smallest_numbers(scale):
    X, y = problem(0)
    model = DEPClassifier(joint=True).fit(np.round(100 * X) * scale, y)
    assert model.joint_result_.n_iter < 50
    assert model.joint_result_.converged
    if scale == 1e-310:  # with some fourteen bits of a number
        expected = DEPClassifier(joint=True).fit(X, y).joint_result_
        assert model.joint_result_.objective / scale == pytest.approx(
            100 * expected.objective, rel=0.05
        )
