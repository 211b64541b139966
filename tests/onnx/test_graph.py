"""Graphs of every small shape under the default optimisations of ONNX Runtime.

Its optimiser merges nodes where shapes allow it, a constant of one element above all: models with
one feature, one member or one coordinate are optimised otherwise than larger ones.
"""

from itertools import product

import numpy as np
import pytest
from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions
from sklearn.datasets import make_blobs
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from rdep import (
    BaggingOrdering,
    BoxScoreClassifier,
    DEPClassifier,
    EnsembleOrdering,
    MixedOrdering,
    MorphologicalPerceptron,
    RDEPClassifier,
    RitterSussnerClassifier,
)
from rdep.kernels import LandmarkClassifier
from rdep.onnx import to_onnx

from ..real_tables import run_onnx

SVCS = [
    ("rbf", SVC()),
    ("linear", SVC(kernel="linear")),
    ("poly", SVC(kernel="poly")),
    ("sigmoid", SVC(kernel="sigmoid")),
    ("wide", SVC(C=10.0)),
]
OTHERS = [
    ("logistic", LogisticRegression()),
    ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ("curved", make_pipeline(PolynomialFeatures(2), StandardScaler(), LogisticRegression())),
    ("mapped", make_pipeline(Nystroem(n_components=5, random_state=0), LogisticRegression())),
    ("dep", DEPClassifier(monotonic_cst="auto")),
]


def classifiers(size):
    """One of each kind, with so many members where it has members."""
    odd = bool(size % 2)
    return {
        "ensemble": RDEPClassifier(EnsembleOrdering(SVCS[:size])),
        "unscaled": RDEPClassifier(
            EnsembleOrdering(SVCS[-size:]), scale_input=False, scale_ordering=False
        ),
        "others": RDEPClassifier(EnsembleOrdering(OTHERS[-size:], cv=2, stack=odd)),
        "bagging": RDEPClassifier(BaggingOrdering(n_estimators=size, random_state=0)),
        "landmarks": RDEPClassifier(
            EnsembleOrdering(
                [
                    (kernel, LandmarkClassifier(kernel, n_landmarks=4 * size, random_state=0))
                    for kernel in ("rbf", "linear", "poly")
                ],
                stack=odd,
            )
        ),
        "signed": RDEPClassifier("signed", scale_input=odd),
        "boxes": RDEPClassifier("boxes", scale_ordering=odd),
        "dep": make_pipeline(
            StandardScaler(), DEPClassifier(monotonic_cst="auto" if odd else None)
        ),
        "one operator": [
            MorphologicalPerceptron("dilation"),
            MorphologicalPerceptron("erosion"),
            RitterSussnerClassifier(boxes=False),
            RitterSussnerClassifier(boxes=True),
        ][size % 4],
        "score": BoxScoreClassifier(4 * size, max_faces=3 if odd else 0, cv=None),
        "mixed": RDEPClassifier(MixedOrdering(cv=None, stack=odd, random_state=size)),
    }


KINDS = list(classifiers(1))


def compare(kind, n_features, size, integers):
    """Number of labels that ONNX Runtime gives otherwise, and by how much optimising moves scores.

    Our own scores are no measure of its precision: where a member is almost constant, dividing by
    its spread magnifies all rounding.
    """
    n_classes = 3 if size == 5 else 2
    X, y = make_blobs(90, n_features, centers=n_classes, cluster_std=4.0, random_state=size)
    X_new = np.random.RandomState(size).uniform(X.min(), X.max(), size=(200, n_features))
    if integers:  # many samples at the boundary
        X, X_new = np.round(X), np.round(X_new)
    classifier = classifiers(size)[kind].fit(X, y)
    X = np.vstack([X, X_new])
    labels, scores = run_onnx(classifier, {"X": X})
    as_written = InferenceSession(to_onnx(classifier).SerializeToString(), unoptimised())
    expected = as_written.run(None, {"X": X})[1]
    error = np.abs(scores - expected).max() / np.abs(expected).max()
    return int((labels != classifier.predict(X)).sum()), error


def unoptimised():
    options = SessionOptions()
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    return options


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mixed"])  # it takes seconds
@pytest.mark.filterwarnings("ignore:Degenerate fit")
def test_one_feature_and_one_member(kind):
    """Where every constant has one element; two of everything; three classes with ties."""
    for n_features, size in [(1, 1), (1, 3), (2, 2), (1, 5)]:
        n_different, error = compare(kind, n_features, size, integers=True)
        assert n_different == 0
        assert error < 1e-12


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Degenerate fit", "ignore:The features fall")
def test_graphs_of_every_kind_and_size():
    """1 to 5 features, 1 to 5 members, integers and floats, all kinds: no label differs."""
    cases = list(product(KINDS, range(1, 6), range(1, 6), [False, True]))
    found = {case: compare(*case) for case in cases}
    print(
        len(found),
        "graphs; optimising moves scores by at most",
        max(error for _, error in found.values()),
    )
    assert {case: n for case, (n, _) in found.items() if n} == {}
    assert {case: error for case, (_, error) in found.items() if error > 1e-12} == {}
