"""Members of an r-DEP, and how far to draw it towards their stack, all on the same folds.

    python -m benchmarks.members --folds 10 --cache build/members

fits every member on each of the paper's ten folds once, keeps its values in the cache, which later
runs read, and prints the mean balanced accuracy of every composition and share of the stack, how
many data sets it is ahead of and behind the stack of the first composition, and its cost, the CPU
time of the members' fits, as a multiple of that one's. ``--names`` takes data sets, all thirty by
default.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from rdep import EnsembleOrdering, RDEPClassifier
from rdep.datasets import paper_datasets

from .combiners import of_fold

BALANCED = {"class_weight": "balanced"}
FOREST = RandomForestClassifier(100, min_samples_leaf=2, oob_score=True, random_state=0)
MEMBERS = {
    "svc": SVC(**BALANCED),
    "svc, C = 10": SVC(C=10, **BALANCED),
    "cubic svc": SVC(kernel="poly", coef0=1, **BALANCED),
    "forest": RandomForestClassifier(200, min_samples_leaf=2, random_state=0, **BALANCED),
    "forest, out of bag": FOREST,
    "forest, out of balanced bags": clone(FOREST).set_params(class_weight="balanced_subsample"),
    "boosting": HistGradientBoostingClassifier(random_state=0, **BALANCED),
    "boosting, 60": HistGradientBoostingClassifier(max_iter=60, random_state=0),
    "boosting, 30 small": HistGradientBoostingClassifier(
        max_iter=30, learning_rate=0.15, max_leaf_nodes=15, random_state=0
    ),
    "logistic": LogisticRegression(max_iter=2000, **BALANCED),
}
SVCS = ("svc", "svc, C = 10")
COMPOSITIONS = {
    "recommended before": ("svc", "forest", "boosting", "logistic"),
    "one SVC, C = 10": ("svc, C = 10", "forest, out of bag", "boosting, 60", "logistic"),
    "balanced bags": (*SVCS, "forest, out of balanced bags", "boosting, 60", "logistic"),
    "cross-fitted forest": (*SVCS, "forest", "boosting, 60", "logistic"),
    "larger boosting": (*SVCS, "forest, out of bag", "boosting, 60", "logistic"),
    "with a cubic SVC": (*SVCS, "cubic svc", "forest, out of bag", "boosting, 60", "logistic"),
    "recommended": (*SVCS, "forest, out of bag", "boosting, 30 small", "logistic"),
}
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


def values_of(member, name, fold, cache):
    """A member's values on one fold: cross-fitted, or out of bag, and of the test samples."""
    file = f"{name}-{fold}-{member}.npz".replace(" ", "_")
    path = cache / file
    if not path.exists():
        X, y, X_test, _ = of_fold(name, fold)
        ordering = EnsembleOrdering([("member", MEMBERS[member])], cv=5)
        before = process_time()
        train = ordering.fit_transform(X, y)
        seconds = process_time() - before
        cache.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, train=train, test=ordering.transform(X_test), seconds=seconds)
    return dict(np.load(path))


def scores(name, fold, cache):
    """Balanced accuracies of every composition and share on one fold, and seconds of members."""
    _, y, _, y_test = of_fold(name, fold)
    members = {member: values_of(member, name, fold, cache) for member in MEMBERS}
    found, seconds = {}, {}
    for composition, chosen in COMPOSITIONS.items():
        train, test = (
            np.hstack([members[member][part] for member in chosen]) for part in ("train", "test")
        )
        stack = make_pipeline(StandardScaler(), LogisticRegression(class_weight="balanced"))
        stack.fit(train, y)
        train, test = (
            np.column_stack([part, stack.decision_function(part)]) for part in (train, test)
        )
        dep = RDEPClassifier.recommended().dep.set_params(class_weight="balanced")
        dep = make_pipeline(StandardScaler(), dep).fit(train, y)
        by_dep, by_stack = dep.decision_function(test), test[:, -1] / train[:, -1].std()
        for share in SHARES:
            predicted = (1 - share) * by_dep + share * by_stack >= 0
            found[composition, share] = balanced_accuracy_score(y_test, predicted)
        seconds[composition] = sum(float(members[member]["seconds"]) for member in chosen)
    return found, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", nargs="*")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--cache", type=Path, default=Path("build/members"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    names = options.names or [dataset.name for dataset in paper_datasets()]
    means, costs = [], dict.fromkeys(COMPOSITIONS, 0.0)
    with threadpool_limits(1):
        for name in names:
            folds = [scores(name, fold, options.cache) for fold in range(options.folds)]
            means.append({key: np.mean([found[key] for found, _ in folds]) for key in folds[0][0]})
            for composition in COMPOSITIONS:
                costs[composition] += sum(seconds[composition] for _, seconds in folds)
    first = next(iter(COMPOSITIONS))
    of_stack = np.array([of_set[first, 1.0] for of_set in means])
    print(f"| members | share of the stack | mean of {len(names)} | ahead | behind | cost |")
    print("|---|---:|---:|---:|---:|---:|")
    for composition, share in means[0]:
        own = np.array([of_set[composition, share] for of_set in means])
        ahead, behind = ((sign * (own - of_stack) > 1e-9).sum() for sign in (1, -1))
        cost = costs[composition] / costs[first]
        print(f"| {composition} | {share} | {own.mean():.4f} | {ahead} | {behind} | {cost:.2f} |")


if __name__ == "__main__":
    main()
