"""Discrete real data, where nearly everything is tied."""

import time

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rdep import DEPClassifier
from rdep.training import DilationProblem, Objective, TrainingSet
from rdep.training._linear_program import solve_majoriser
from rdep.training.majoriser._descent import minimise

from ..real_data import load

PAPER_FOLDS = StratifiedKFold(10, shuffle=True, random_state=1)


def cross_validated(model, X, y):
    scores = []
    for train, test in PAPER_FOLDS.split(X, y):
        fitted = make_pipeline(StandardScaler(), model).fit(X[train], y[train])
        scores.append(balanced_accuracy_score(y[test], fitted.predict(X[test])))
    return np.mean(scores)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("kr-vs-kp", 0.65),
        ("mushroom", 0.75),
        pytest.param("Internet-Advertisements", 0.75, marks=pytest.mark.slow),
    ],
)
@pytest.mark.filterwarnings("ignore::rdep.exceptions.DegenerateFitWarning")
def test_a_small_margin_lifts_discrete_data_off_one_half(data_dir, name, least):
    X, y = load(data_dir, name)
    assert cross_validated(DEPClassifier.paper(), X, y) >= least


@pytest.mark.parametrize("name", ["kr-vs-kp", "mushroom", "PhishingWebsites"])
def test_heavily_tied_subproblems_have_the_minimum_of_highs(data_dir, name):
    X, y = load(data_dir, name)
    rows = np.random.default_rng(0).permutation(len(X))[:600]
    X, signs = StandardScaler().fit_transform(X[rows]), np.where(y[rows] == 1, 1.0, -1.0)
    for operator in ("dilation", "erosion"):
        problem = DilationProblem.from_training_set(
            TrainingSet.from_samples(X, signs), operator, Objective(margin=0.25)
        )
        u = np.zeros(problem.n_features)
        for _ in range(3):
            deciding = problem.at(u).deciding_features()
            minimum = minimise(problem.convex_step(deciding), u)
            _, optimum = solve_majoriser(problem, deciding)
            assert problem.at(minimum.point).majoriser(deciding) == pytest.approx(optimum, rel=1e-9)
            u = minimum.point


def test_a_whole_fit_is_faster_than_one_linear_programme():
    """Both operators, all steps, against a single subproblem of one of them given to HiGHS."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(13_500) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(13_500, 10)) + 0.5 * y[:, None] * rng.random(10)
    samples = TrainingSet.from_samples(X, y)
    problem = DilationProblem.from_training_set(samples, "dilation", Objective())
    deciding = problem.at(np.zeros(10)).deciding_features()
    before = time.process_time()
    DEPClassifier.paper().fit(X, y)
    between = time.process_time()
    solve_majoriser(problem, deciding)
    after = time.process_time()
    assert between - before < after - between
