"""Classifiers on the same members' values: what to combine them by.

    python -m benchmarks.combiners --folds 10 --cache build/rho

computes ρ of an SVC, a forest, boosting, a logistic regression and their stack once for each of
the paper's ten folds, with means of the training fold for missing values. It stores ρ in the cache,
which later runs read, and fits every combiner on the cross-fitted values. ``--names`` takes data
sets, all thirty by default, the fastest first.
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
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from rdep import DEPClassifier, EnsembleOrdering, LinearDEPClassifier
from rdep_experiment.run._cells import prepared
from rdep_experiment.run._protocol import Protocol

from .measure import some
from .problems import paper_names, samples

STACK = "stack"  # the last component of ρ, by its sign


def balanced_dep():
    """The DEP with which members were chosen."""
    return DEPClassifier(margin=0.25, beta_loss="hinge", escape=False, class_weight="balanced")


def combiners():
    """What is fitted on ρ, and on how many of its components; the stack is the last of all."""
    dep = balanced_dep()
    return {
        "DEP": (dep, None),
        "DEP, joint": (clone(dep).set_params(joint=True), None),
        "DEP without stack": (dep, -1),
        "ℓ-DEP": (LinearDEPClassifier(), None),
        "ℓ-DEP without stack": (LinearDEPClassifier(), -1),
        "ℓ-DEP (1, 1) without stack": (LinearDEPClassifier((1, 1)), -1),
    }


def four_kinds():
    """The ordering: members of four kinds, cross-fitted, and their stack."""
    members = [
        ("svc", SVC()),
        ("forest", RandomForestClassifier(200, min_samples_leaf=2, random_state=0)),
        ("boosting", HistGradientBoostingClassifier(random_state=0)),
        ("logistic", LogisticRegression(max_iter=2000)),
    ]
    return EnsembleOrdering(members, cv=5, stack=True, class_weight="balanced")


def of_fold(name, fold):
    """Samples and classes of one of the paper's folds, training and test, as in the experiment."""
    X, y = samples(name)
    train, test = list(StratifiedKFold(10, shuffle=True, random_state=1).split(X, y))[fold]
    X_train, X_test = prepared(X, train, test, Protocol(impute="fold"))
    return X_train, y[train], X_test, y[test]


def reduced(name, fold, cache):
    """ρ of one fold with its classes, cross-fitted on the training samples; cached."""
    path = cache / f"{name.replace(' ', '_')}-{fold}.npz"
    if not path.exists():
        X_train, y_train, X_test, y_test = of_fold(name, fold)
        ordering = four_kinds()
        before = process_time()
        values = ordering.fit_transform(X_train, y_train)
        seconds = process_time() - before
        cache.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            path,
            train=values,
            test=ordering.transform(X_test),
            y_train=y_train,
            y_test=y_test,
            seconds=seconds,
        )
    return dict(np.load(path))


def scores(rho):
    """Balanced accuracies and seconds of all combiners on one fold."""
    found = {STACK: (balanced_accuracy_score(rho["y_test"], rho["test"][:, -1] >= 0), 0.0)}
    for name, (combiner, last) in combiners().items():
        model = make_pipeline(StandardScaler(), clone(combiner))
        before = process_time()
        model.fit(rho["train"][:, :last], rho["y_train"])
        seconds = process_time() - before
        predicted = model.predict(rho["test"][:, :last])
        found[name] = balanced_accuracy_score(rho["y_test"], predicted), seconds
    return found


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", nargs="*")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--cache", type=Path, default=Path("build/rho"))
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    names = options.names or paper_names()
    columns = [STACK, *combiners()]
    print("|", " | ".join(["Data set", "folds", *columns]), "|")
    print("|---|---:|" + "---:|" * len(columns), flush=True)
    means, seconds = [], np.zeros(len(columns))
    with threadpool_limits(1):
        for name in names:
            found = [
                scores(reduced(name, fold, options.cache)) for fold in some(range(options.folds))
            ]
            figures = np.array([[of_fold[column] for column in columns] for of_fold in found])
            means.append(figures[:, :, 0].mean(axis=0))
            seconds += figures[:, :, 1].sum(axis=0)
            _row(name, len(found), means[-1])
    means = np.array(means)
    _row(f"mean of {len(means)}", "", means.mean(axis=0))
    for word, sign in (("ahead of", 1), ("behind", -1)):
        counts = (sign * (means - means[:, :1]) > 1e-9).sum(axis=0)
        print("|", " | ".join([f"{word} the stack", "", *map(str, counts)]), "|")
    _row("CPU seconds, all fits", "", seconds)


def _row(name, folds, figures):
    print(
        "|",
        " | ".join([name, str(folds), *(f"{figure:.4f}" for figure in figures)]),
        "|",
        flush=True,
    )


if __name__ == "__main__":
    main()
