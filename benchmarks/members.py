"""Members of an r-DEP, their stack, and the shrinkage towards it, on the same samples.

    python -m benchmarks.members --folds 10 --cache build/members
    python -m benchmarks.members --draw 100 --minority 0.2 --folds 5 --compositions "five kinds"

fits every member on each of the paper's ten folds once, and stores its values in the cache, which
later runs read. It prints the mean balanced accuracy of every composition, kind of stack and share
of the stack. Each is compared with the free stack of the first composition: the standard error of
its lead, the numbers of data sets on which it is ahead and behind, and its cost, the CPU time of
the members' fits, as a multiple.

``--draw`` trains on few samples of each data set instead of nine folds, and tests on up to 1000
others of each class. ``--minority`` is the share of the smaller class among these samples, by
default that of the data set. Data sets that are too small are left out. ``--names`` takes data
sets, all thirty by default.
"""

from __future__ import annotations

import argparse
import warnings
import zlib
from dataclasses import dataclass
from functools import lru_cache, partial
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

from rdep import EnsembleOrdering
from rdep.orderings._stack import fitted_stack
from rdep_experiment.run._cells import prepared
from rdep_experiment.run._protocol import Protocol

from .combiners import balanced_dep, of_fold
from .measure import some
from .problems import paper_names
from .problems import samples as load_samples

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
    "four kinds": ("svc", "forest", "boosting", "logistic"),
    "one SVC, C = 10": ("svc, C = 10", "forest, out of bag", "boosting, 60", "logistic"),
    "balanced bags": (*SVCS, "forest, out of balanced bags", "boosting, 60", "logistic"),
    "cross-fitted forest": (*SVCS, "forest", "boosting, 60", "logistic"),
    "larger boosting": (*SVCS, "forest, out of bag", "boosting, 60", "logistic"),
    "with a cubic SVC": (*SVCS, "cubic svc", "forest, out of bag", "boosting, 60", "logistic"),
    "five kinds": (*SVCS, "forest, out of bag", "boosting, 30 small", "logistic"),
}
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
STACKS = {"free": False, "positive": True}
# Test samples of each class: at least, and at most.
FEWEST, MOST = 40, 1000


@lru_cache
def loaded(name):
    """X and y of a data set, read once."""
    return load_samples(name)


@dataclass(frozen=True)
class Draw:
    """Few samples for training and others to test; the same for the same name and number."""

    n_samples: int
    minority: float | None

    def __str__(self):
        return f"{self.n_samples}-{self.minority}"

    def counts(self, y):
        """Training samples of each class, in the order of the classes."""
        in_all = np.bincount(y)
        share = in_all.min() / len(y) if self.minority is None else self.minority
        smaller = round(self.n_samples * share)
        counts = np.array([self.n_samples - smaller] * 2)
        counts[in_all.argmin()] = smaller
        return counts

    def fits(self, name):
        """Whether the data set has enough samples."""
        _, y = loaded(name)
        counts = self.counts(y)
        return counts.min() >= 5 and (np.bincount(y) - counts >= FEWEST).all()

    def __call__(self, name, number):
        X, y = loaded(name)
        random = np.random.default_rng(zlib.crc32(f"{name} {self} {number}".encode()))
        train, test = [], []
        for label, count in enumerate(self.counts(y)):
            rows = random.permutation(np.flatnonzero(y == label))
            train.append(rows[:count])
            test.append(rows[count : count + MOST])
        train, test = random.permutation(np.concatenate(train)), np.concatenate(test)
        X_train, X_test = prepared(X, train, test, Protocol(impute="fold"))
        return X_train, y[train], X_test, y[test]


def values_of(member, name, number, samples, cache):
    """A member's values: cross-fitted, or out of bag, and of the test samples."""
    of = "" if samples is of_fold else f"{samples}-"
    path = cache / f"{name}-{of}{number}-{member}.npz".replace(" ", "_")
    if not path.exists():
        X, y, X_test, _ = samples(name, number)
        ordering = EnsembleOrdering([("member", MEMBERS[member])], cv=5)
        before = process_time()
        train = ordering.fit_transform(X, y)
        seconds = process_time() - before
        cache.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, train=train, test=ordering.transform(X_test), seconds=seconds)
    return dict(np.load(path))


def scores(name, number, samples, compositions, cache):
    """Balanced accuracies of every composition, stack and share, and seconds of members."""
    _, y, _, y_test = samples(name, number)
    known = partial(values_of, name=name, number=number, samples=samples, cache=cache)
    members = {
        member: known(member) for member in set().union(*map(COMPOSITIONS.get, compositions))
    }
    found, seconds = {}, {}
    for composition in compositions:
        chosen = COMPOSITIONS[composition]
        seconds[composition] = sum(float(members[member]["seconds"]) for member in chosen)
        of_members = [
            np.hstack([members[member][part] for member in chosen]) for part in ("train", "test")
        ]
        for kind, positive in STACKS.items():
            stack = fitted_stack(of_members[0], y, None, positive=positive)
            train, test = (
                np.column_stack([part, stack.decision_function(part)]) for part in of_members
            )
            dep = make_pipeline(StandardScaler(), balanced_dep()).fit(train, y)
            by_dep, by_stack = (
                dep.decision_function(test),
                test[:, -1] / (train[:, -1].std() or 1.0),
            )
            for share in SHARES:
                predicted = (1 - share) * by_dep + share * by_stack >= 0
                found[composition, kind, share] = balanced_accuracy_score(y_test, predicted)
    return found, seconds


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", nargs="*")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--draw", type=int)
    parser.add_argument("--minority", type=float)
    parser.add_argument("--compositions", nargs="*", choices=COMPOSITIONS, default=[*COMPOSITIONS])
    parser.add_argument("--cache", type=Path, default=Path("build/members"))
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    names = options.names or paper_names()
    samples = of_fold
    if options.draw:
        samples = Draw(options.draw, options.minority)
        names = [name for name in names if samples.fits(name)]
    chosen = options.compositions
    means, costs = [], dict.fromkeys(chosen, 0.0)
    with threadpool_limits(1):
        for name in names:
            folds = [
                scores(name, number, samples, chosen, options.cache)
                for number in some(range(options.folds))
            ]
            means.append({key: np.mean([found[key] for found, _ in folds]) for key in folds[0][0]})
            for composition in chosen:
                costs[composition] += sum(seconds[composition] for _, seconds in folds)
    of_stack = np.array([of_set[chosen[0], "free", 1.0] for of_set in means])
    print(f"| members | stack | its share | mean of {len(names)} | ± | ahead | behind | cost |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for composition, kind, share in means[0]:
        own = np.array([of_set[composition, kind, share] for of_set in means])
        lead = own - of_stack
        error = lead.std(ddof=1) / np.sqrt(len(lead)) if len(lead) > 1 else 0.0
        ahead, behind = ((sign * lead > 1e-9).sum() for sign in (1, -1))
        cost = costs[composition] / costs[chosen[0]]
        print(
            f"| {composition} | {kind} | {share} | {own.mean():.4f} | {error:.4f} | {ahead} | "
            f"{behind} | {cost:.2f} |"
        )


if __name__ == "__main__":
    main()
