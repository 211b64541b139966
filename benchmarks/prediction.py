"""Prediction in practice: one sample at a time in Python, and batches in ONNX Runtime.

:mod:`benchmarks.orderings` compares whole batches with scikit-learn's own evaluation.
"""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from rdep import DEPClassifier, LinearDEPClassifier, RDEPClassifier

from .measure import Comparison, in_turn
from .problems import clusters

N_TRAINING, N_ROWS = 2000, 10_000
# Calls in one turn: a clock is too coarse for one.
N_CALLS = 30


def _samples():
    """Training samples, their classes, and new samples."""
    X, y = clusters(N_TRAINING + N_ROWS)
    split = min(N_TRAINING, len(X) // 2)
    return X[:split], y[:split], X[split:]


def one_row(repeats):
    """The default r-DEP against LightGBM, and against a forest as scikit-learn evaluates it."""
    from lightgbm import LGBMClassifier

    X, y, new = _samples()
    rdep = RDEPClassifier(random_state=0).fit(X, y)
    peers = {
        "LightGBM": (LGBMClassifier(n_jobs=1, verbose=-1), None),
        "scikit-learn's forest of 100 trees": (
            RandomForestClassifier(min_samples_leaf=2, random_state=0),
            2.3,  # with its joblib tasks, one row of the r-DEP took 1.3 times as long as the forest
        ),
    }
    for name, (peer, at_least) in peers.items():
        peer.fit(X, y)
        ours, theirs, _, _ = in_turn(
            lambda: _row_by_row(rdep.decision_function, new),
            lambda peer=peer: _row_by_row(peer.predict_proba, new),
            repeats,
        )
        yield Comparison(
            "one row",
            "default r-DEP, one row in Python",
            name,
            [seconds / N_CALLS for seconds in ours],
            [seconds / N_CALLS for seconds in theirs],
            at_least=at_least,
        )


def _row_by_row(values, new):
    return [values(new[k : k + 1]) for k in range(min(N_CALLS, len(new)))]


def onnx_batches(repeats):
    """Batches of 10,000 samples in ONNX Runtime with one thread, against Python."""
    from onnxruntime import InferenceSession, SessionOptions

    from rdep.onnx import to_onnx

    X, y, new = _samples()
    options = SessionOptions()
    options.intra_op_num_threads = 1
    models = {
        "default r-DEP": RDEPClassifier(random_state=0),
        "paper's ensemble r-DEP": RDEPClassifier.paper(),
        "paper's bagging r-DEP": RDEPClassifier.paper("bagging", random_state=0),
        "r-DEP of many samples": RDEPClassifier(random_state=0).set_params(
            ordering__max_svc_samples=0
        ),
        "DEP": DEPClassifier(monotonic_cst="auto"),
        "linear DEP": LinearDEPClassifier(),
    }
    for name, model in models.items():
        model.fit(X, y)
        session = InferenceSession(to_onnx(model).SerializeToString(), options)
        ours, theirs, (labels, values), expected = in_turn(
            lambda session=session: session.run(None, {"X": new}),
            lambda model=model: model.decision_function(new),
            repeats,
        )
        same = labels == model.predict(new)
        yield Comparison(
            "ONNX",
            f"{name} in ONNX Runtime, {N_ROWS:,} x {new.shape[1]}",
            "Python",
            ours,
            theirs,
            at_least=1.0 if "r-DEP" in name else None,
            answers={"largest difference": float(np.abs(values.ravel() - expected).max())},
            answers_agree=bool(same.all()),
            remark="agree: same labels",
        )
