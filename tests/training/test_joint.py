"""Joint training against its own definition, a linear programme and an exhaustive search."""

import numpy as np
import pytest
from scipy.optimize import linprog

from rdep import DEPClassifier
from rdep.lattice import dilation, erosion
from rdep.training._beta import minimising_beta


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
    model = DEPClassifier(margin=0.2, joint=True).fit(X, y)
    swapped = DEPClassifier(margin=0.2, joint=True).fit(-X, 1 - y)
    np.testing.assert_allclose(swapped.dilation_weights_, -model.erosion_weights_, atol=1e-9)
    assert swapped.beta_ == pytest.approx(1 - model.beta_, abs=1e-9)


def test_what_does_not_go_together_is_refused():
    X, y = problem(0)
    with pytest.raises(ValueError, match="leave beta_holdout out"):
        DEPClassifier(joint=True, beta_holdout=0.3).fit(X, y)
    with pytest.raises(ValueError, match="fit with joint=False"):
        DEPClassifier(joint=True).fit(X, y).certify(X, y)


def test_the_summary_shows_the_joint_weights():
    X, y = problem(3)
    model = DEPClassifier(margin=0.5, joint=True).fit(X, y)
    text = model.summary()
    assert "joint" in text
    assert f"{model.dilation_weights_[0]:.4g}" in text
