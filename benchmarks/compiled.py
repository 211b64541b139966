"""Whole fits of a DEP: the compiled form against NumPy, starts from a subsample against r."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np

from rdep import DEPClassifier
from rdep.training import _descend

from .measure import Comparison, in_turn
from .problems import gaussian, real
from .training import TIED

CORE = _descend._core
SIZES = ((1000, 3, 4), (5000, 3, 3), (5000, 10, 8), (13_500, 10, 8), (4000, 57, 5))


@contextmanager
def form(core):
    """Train in this form; None is the NumPy form."""
    _descend._core = core
    try:
        yield
    finally:
        _descend._core = CORE


def _fit(X, y, core, **parameters):
    with form(core):
        return DEPClassifier.paper(**parameters).fit(X, y)


def _objectives(dep):
    return dep.dilation_result_.objective, dep.erosion_result_.objective


def both_forms(repeats):
    """The same training in both forms."""
    _require_core()
    for m, n, required in SIZES:
        yield _one(f"DEP fit {m} x {n}, from r", *gaussian(m, n), repeats, at_least=required)
    for name in TIED:
        yield _one(f"DEP fit on {name}, from r", *real(name), repeats, at_most=1.05)


def _require_core():
    if CORE is None:
        raise SystemExit("the compiled form is not built: see CONTRIBUTING, or leave this part out")


def _one(work, X, y, repeats, **bound):
    ours, theirs, dep, peer = in_turn(lambda: _fit(X, y, CORE), lambda: _fit(X, y, None), repeats)
    mine, numpy = np.array(_objectives(dep)), np.array(_objectives(peer))
    return Comparison(
        "compiled",
        work,
        "the NumPy form",
        ours,
        theirs,
        answers={"our objectives": tuple(mine.tolist())},
        answers_agree=bool(np.allclose(mine, numpy, rtol=1e-12, atol=0)),
        remark="agree: objectives equal to 1e-12",
        **bound,
    )


def from_a_subsample(_):
    """Six problems of 100,000 samples for the objectives, one of a million for the time."""
    _require_core()
    for seed in range(6):
        X, y = gaussian(100_000, 10, seed=seed)
        yield _subsample(f'DEP fit 100,000 x 10, seed {seed}, n_init="auto"', X, y, CORE)
    X, y = gaussian(1_000_000, 10)
    yield _subsample('DEP fit 1,000,000 x 10, n_init="auto", NumPy form', X, y, None, at_least=5)
    yield _subsample('DEP fit 1,000,000 x 10, n_init="auto"', X, y, CORE, at_least=15)


def _subsample(work, X, y, core, **bound):
    ours, theirs, dep, peer = in_turn(
        lambda: _fit(X, y, core, n_init="auto"), lambda: _fit(X, y, None), 1
    )
    mine, from_r = np.array(_objectives(dep)), np.array(_objectives(peer))
    return Comparison(
        "compiled",
        work,
        "from r in the NumPy form",
        ours,
        theirs,
        answers={
            "our objectives": tuple(mine.tolist()),
            "from r": tuple(from_r.tolist()),
        },
        answers_agree=bool((mine <= from_r * (1 + 1e-12)).all()),
        remark="agree: no objective is above the one from r",
        **bound,
    )
