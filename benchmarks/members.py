"""Members of an r-DEP, and how far to draw them towards their stack, all on the same folds.

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

MEMBERS = {
    "svc": SVC(),
    "svc, C = 10": SVC(C=10),
    "cubic svc": SVC(kernel="poly", coef0=1),
    "forest": RandomForestClassifier(200, min_samples_leaf=2, random_state=0),
    "forest, out of bag": RandomForestClassifier(
        100, min_samples_leaf=2, oob_score=True, random_state=0
    ),
    "boosting": HistGradientBoostingClassifier(random_state=0),
    "small boosting": HistGradientBoostingClassifier(
        max_iter=30, learning_rate=0.15, max_leaf_nodes=15, random_state=0
    ),
    "logistic": LogisticRegression(max_iter=2000),
}
COMPOSITIONS = {
    "recommended before": ("svc", "forest", "boosting", "logistic"),
    "four": ("svc", "forest, out of bag", "small boosting", "logistic"),
    "five, recommended": ("svc", "svc, C = 10", "forest, out of bag", "small boosting", "logistic"),
    "six": (
        *("svc", "svc, C = 10", "cubic svc", "forest, out of bag"),
        *("small boosting", "logistic"),
    ),
}
SHARES = (0.0, 0.25, 0.5, 1.0)


def values_of(member, name, fold, cache):
    """A member's values on one fold: cross-fitted, or out of bag, and of the test samples."""
    file = f"{name}-{fold}-{member}.npz".replace(" ", "_")
    path = cache / file
    if not path.exists():
        X, y, X_test, _ = of_fold(name, fold)
        ordering = EnsembleOrdering([("member", MEMBERS[member])], cv=5, class_weight="balanced")
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
        scales = train.std(axis=0)
        train, test = train / scales, test / scales
        for share in SHARES:
            drawn, drawn_test = (
                (1 - share) * part + share * part[:, -1:] for part in (train, test)
            )
            predicted = drawn_test[:, -1] >= 0
            if share < 1:
                dep = RDEPClassifier.recommended().dep.set_params(class_weight="balanced")
                predicted = make_pipeline(StandardScaler(), dep).fit(drawn, y).predict(drawn_test)
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
