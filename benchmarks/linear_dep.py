"""The linear DEP against its peers: accuracies, certified steps, sklearn-morpho, orderings.

    python -m benchmarks.linear_dep accuracy --folds 10
    python -m benchmarks.linear_dep steps
    python -m benchmarks.linear_dep morpho
    python -m benchmarks.linear_dep ordering Sonar Ionosphere
    python -m benchmarks.linear_dep lightgbm --folds 2

``accuracy``, ``ordering`` and ``lightgbm`` take names of data sets, all thirty by default, and the
first folds of the paper's ten. ``steps`` needs CLARABEL, ``morpho`` sklearn-morpho too, and
``lightgbm`` LightGBM (the extra ``bench``). Times are CPU seconds: set OMP_NUM_THREADS to 1.
"""

from __future__ import annotations

import argparse
from time import process_time

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from rdep import LinearDEPClassifier, RDEPClassifier
from rdep.training.affine._ccp import convex_concave
from rdep.training.affine._interior import minimise_step
from rdep.training.affine._problem import AffineProblem

from .measure import sized, some
from .problems import load, paper_names, real

PEERS = {
    "ℓ-DEP": LinearDEPClassifier(),
    "linear SVC": LinearSVC(class_weight="balanced", dual=False),
    "RBF SVC": SVC(class_weight="balanced"),
    "logistic": LogisticRegression(class_weight="balanced", max_iter=1000),
}
FOR_MORPHO = ("ilpd", "diabetes", "banknote-authentication", "wdbc", "kr-vs-kp")

N_STEPS = 5
PARTS = ("accuracy", "steps", "morpho", "ordering", "lightgbm")


def accuracy(names, n_folds, models=None):
    """Balanced accuracies and seconds, by data set and in the mean."""
    models = models or PEERS
    print("|", " | ".join(["Data set", "pieces", *models, *(f"s, {name}" for name in models)]), "|")
    print("|---|---|" + "---:|" * (2 * len(models)), flush=True)
    means, seconds, ratios = [], [], []
    for name in names:
        X, y = load(name)
        folds = some(StratifiedKFold(10, shuffle=True, random_state=1).split(X, y))[:n_folds]
        scores, times, pieces = [], [], []
        for train, test in folds:
            row, clock = [], []
            for model in models.values():
                fitted = make_pipeline(StandardScaler(), clone(model))
                before = process_time()
                fitted.fit(X[train], y[train])
                clock.append(process_time() - before)
                row.append(balanced_accuracy_score(y[test], fitted.predict(X[test])))
                pieces.append(getattr(fitted[-1], "n_pieces_", None))
            scores.append(row)
            times.append(clock)
        means.append(np.mean(scores, axis=0))
        seconds.append(np.sum(times, axis=0))
        ratios.append(np.median([clock[0] / clock[-1] for clock in times]))
        chosen = " ".join(f"{j}+{k}" for j, k in filter(None, pieces))
        _row(name, chosen, means[-1], seconds[-1])
    _row(f"mean of {len(means)}, sum", "", np.mean(means, axis=0), np.sum(seconds, axis=0))
    return ratios


def _row(name, chosen, scores, seconds):
    cells = [*(f"{score:.3f}" for score in scores), *(f"{time:.2f}" for time in seconds)]
    print("|", " | ".join([name, chosen, *cells]), "|", flush=True)


def ordering(names, n_folds):
    """On the mixed ordering: the DEP, the linear DEP, and the stack alone."""
    rdep = RDEPClassifier(random_state=0)
    of_pieces = clone(rdep).set_params(dep=LinearDEPClassifier())
    alone = clone(rdep).set_params(dep=LogisticRegression(class_weight="balanced"))
    accuracy(names, n_folds, {"DEP on ρ": rdep, "ℓ-DEP on ρ": of_pieces, "logistic on ρ": alone})


def against_lightgbm(names, n_folds):
    """Accuracies and times beside LightGBM with its defaults, and the median ratio of times."""
    from lightgbm import LGBMClassifier

    lightgbm = LGBMClassifier(n_jobs=1, verbose=-1)
    ratios = accuracy(names, n_folds, {"ℓ-DEP": LinearDEPClassifier(), "LightGBM": lightgbm})
    low, median, high = np.quantile(ratios, [0.25, 0.5, 0.75])
    print(
        f"a fit of the linear DEP takes {median:.1f} times as long as LightGBM's in the median, "
        f"{low:.1f} and {high:.1f} times in the quartiles"
    )


def steps(count=50, seed=0):
    """Convex steps with an L2 penalty against CLARABEL: greatest differences and gaps."""
    from tests.training.affine.problems import by_clarabel, random_problem

    rng = np.random.default_rng(seed)
    differences, gaps, seconds = [], [], np.zeros(2)
    for number in range(sized(count)):
        problem, theta = random_problem(rng, is_squared=bool(number % 2), C=0.02)
        step = problem.step(problem.deciding(theta))
        before = process_time()
        minimum = minimise_step(step, theta, 1e-8)
        seconds[0] += process_time() - before
        before = process_time()
        optimum = by_clarabel(step)
        seconds[1] += process_time() - before
        differences.append((minimum.value - optimum) / optimum)
        gaps.append(minimum.gap / minimum.value)
    print(
        f"{count} steps: greatest relative difference {max(differences, key=abs):.1e}, greatest "
        f"gap {max(gaps):.1e}; {seconds[0]:.2f} s against {seconds[1]:.2f} s"
    )


def morpho(n_pieces=(10, 10), penalty=1e-3):
    """sklearn-morpho's LDEP on its own objective, from the same start."""
    from sklearn_morpho.classifiers import LDEP
    from sklearn_morpho.stopping import CostStoppingMethod, EpochStoppingMethod
    from sklearn_morpho.training.dccp_ldep import LDEPDccpTrainer

    print(
        "| data | rows | first step, ours, theirs | final, ours, theirs | s, ours, theirs | times |"
    )
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    for name in some(FOR_MORPHO):
        X, y = real(name)
        problem, start = _as_morpho(X, y, n_pieces, penalty)
        reached = []
        at_end = LDEPDccpTrainer.after_epoch

        def after_epoch(self, at_end=at_end, reached=reached, problem=problem):
            at_end(self)
            A = np.column_stack([self.max_matrix, self.max_perceptron])
            B = np.column_stack([self.min_matrix, self.min_perceptron])
            reached.append(np.vstack([A, B]))

        LDEPDccpTrainer.after_epoch = after_epoch
        before = process_time()
        try:
            LDEP(
                n_pieces,
                penalty=penalty,
                validation_ratio=0,
                solver="CLARABEL",  # faster and more exact than what CVXPY takes by itself
                stopping_methods=[CostStoppingMethod(), EpochStoppingMethod(N_STEPS)],
                random_state=np.random.RandomState(0),
            ).fit(X, y)
        finally:
            LDEPDccpTrainer.after_epoch = at_end
        theirs = process_time() - before
        step = problem.step(problem.deciding(start))
        first = minimise_step(step, start, 1e-8).value, step.value(reached[0])
        before = process_time()
        trace = convex_concave(problem, start, max_iter=N_STEPS, tol=1e-6, gap=1e-6)
        ours = process_time() - before
        final = trace.objective, min(problem.objective(theta) for theta in reached)
        print(
            f"| {name} | {len(X)} | {first[0]:.6g}, {first[1]:.6g} "
            f"| {final[0]:.6g}, {final[1]:.6g} | {ours:.2f}, {theirs:.2f} | {theirs / ours:.1f} |",
            flush=True,
        )


def _as_morpho(X, y, n_pieces, penalty):
    """Its problem in our form, and its start: hinge, all samples alike, all numbers penalised."""
    random = np.random.RandomState(0)
    (n_max, n_min), n = n_pieces, X.shape[1]
    a, b = random.randn(n_max), random.randn(n_min)
    A, B = random.randn(n_max, n), random.randn(n_min, n)
    start = np.vstack([np.column_stack([A, a]), np.column_stack([B, b])])
    Z = np.column_stack([X, np.ones(len(X))])
    negatives, positives = Z[y == 0], Z[y == 1]
    penalties = np.full(n + 1, 2 * penalty)
    ones = np.ones(len(negatives)), np.ones(len(positives))
    return (
        AffineProblem(negatives, positives, *ones, n_pieces, penalties, penalties, 1.0, False),
        start,
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folds", type=int, default=10)
    options = parser.parse_args(arguments)
    names = options.names or paper_names()
    if options.part == "accuracy":
        accuracy(names, options.folds)
    elif options.part == "ordering":
        ordering(names, options.folds)
    elif options.part == "lightgbm":
        against_lightgbm(names, options.folds)
    elif options.part == "steps":
        steps()
    else:
        morpho()


if __name__ == "__main__":
    main()
