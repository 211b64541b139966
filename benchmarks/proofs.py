"""Proven optima: the gaps that branch and bound reaches, and how far training is from the optimum.

    python -m benchmarks.proofs gaps --draws 10
    python -m benchmarks.proofs excess --seconds 20

Both train each operator with the defaults and with the paper's parameters, features negated if they
fall with the class, and certify it. ``gaps`` draws Gaussian classes one standard deviation apart
and rows of two real data sets; each has a gap to reach, seconds for it, and a maximum of draws.
``excess`` takes the paper's data sets with at most ten features, at most 500 rows of each, and
measures how far the trained objective is above the best one found, and above the lower bound.
Limits are CPU seconds. The tables are
results/proofs/gaps.csv and results/proofs/excess.csv; RDEP_DATA_DIR names the folder of the data.
"""

from __future__ import annotations

import argparse
import warnings
from time import process_time
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

from rdep import MorphologicalPerceptron
from rdep.exceptions import DegenerateFitWarning
from rdep.training import OPERATORS, _branch_and_bound
from rdep.training._global_search import MOST_FEATURES

from .measure import is_trial, output, sized
from .problems import gaussian, load, paper_names

PARTS = ("gaps", "excess")
SETTINGS = {"default": MorphologicalPerceptron, "paper's": MorphologicalPerceptron.paper}


def rows_of(X, y, m, draw):
    chosen = np.random.default_rng(draw).permutation(len(y))[: sized(m)]
    return X[chosen], y[chosen]


def breast_cancer(draw):
    X, y = load_breast_cancer(return_X_y=True)
    return rows_of(X[:, :10], y, 300, draw)


# By name: how to draw samples and classes, the gap to reach, seconds for it, and the most draws.
CASES = {
    "Gaussian 300 x 3": (lambda draw: gaussian(300, 3, seed=draw), 0.001, 10, 10),
    "Gaussian 300 x 5": (lambda draw: gaussian(300, 5, seed=draw), 0.001, 60, 10),
    "phoneme 1000 x 5": (lambda draw: rows_of(*load("Phoneme"), 1000, draw), 0.005, 120, 10),
    "breast cancer 300 x 10": (breast_cancer, 0.05, 300, 10),
    "Gaussian 300 x 10": (lambda draw: gaussian(300, 10, seed=draw), 0.05, 300, 2),
}


def proofs(name, draw, X, y, gap, seconds):
    """One row for each setting and operator."""
    X = StandardScaler().fit_transform(X)
    for setting, make in SETTINGS.items():
        for operator in OPERATORS:
            model = make(operator, monotonic_cst="auto").fit(X, y)
            limits = {"time_limit": 0.2 if is_trial() else seconds, "gap": gap}
            # Other processes do not count.
            with patch.object(_branch_and_bound, "perf_counter", process_time):
                proof = model.certify(X, y, **limits)
            best, bound = proof.best_objective, proof.lower_bound
            yield {
                "data set": name,
                "draw": draw,
                "setting": setting,
                "operator": operator,
                "rows": len(X),
                "objective": proof.objective,
                "excess over best": proof.objective / best - 1 if best > 0 else 0.0,
                "excess over bound": proof.objective / bound - 1 if bound > 0 else np.nan,
                "gap": 1 - bound / best if best > 0 else 0.0,
                "wanted": gap,
                "status": proof.status,
                "boxes": proof.n_boxes,
                "CPU seconds": proof.seconds,
            }


def gaps(draws, seconds):
    for name, (sample, gap, most, most_draws) in CASES.items():
        for draw in range(min(draws, most_draws)):
            yield from proofs(name, draw, *sample(draw), gap, min(most, seconds))


def excess(draws, seconds):
    for name in paper_names():
        X, y = load(name)
        if X.shape[1] <= MOST_FEATURES:
            for draw in range(draws):
                yield from proofs(name, draw, *rows_of(X, y, 500, draw), 0.0, seconds)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300.0, help="at most, for each proof")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore", DegenerateFitWarning)
    rows = []
    for row in {"gaps": gaps, "excess": excess}[options.part](options.draws, options.seconds):
        print(*(f"{v:.3g}" if isinstance(v, float) else v for v in row.values()), flush=True)
        rows.append(row)
        frame = pd.DataFrame(rows)
        frame.to_csv(output("proofs") / f"{options.part}.csv", index=False, float_format="%.6g")
    by = ["data set", "setting"] if options.part == "gaps" else ["setting"]
    measured = ["gap", "CPU seconds", "excess over best", "excess over bound"]
    print(frame.groupby(by, sort=False)[measured].agg(["mean", "max"]).to_string())


if __name__ == "__main__":
    main()
