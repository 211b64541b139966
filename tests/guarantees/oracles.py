"""Radii by other means: linear programmes over all pieces, all cells, all choices of faces."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.optimize import linprog

from rdep import (
    BoxScoreClassifier,
    CompetitiveClassifier,
    DEPClassifier,
    LinearDEPClassifier,
    MorphologicalPerceptron,
    RDEPClassifier,
    RitterSussnerClassifier,
)

SIGNS = np.array([1.0, -1.0, 1.0, -1.0])
# By name: a maker of an unfitted model, and the number of features.
KINDS = {
    "dep": (lambda: DEPClassifier(), 3),
    "oriented dep": (lambda: DEPClassifier(monotonic_cst="auto"), 4),
    "dilation": (lambda: MorphologicalPerceptron("dilation"), 3),
    "erosion": (lambda: MorphologicalPerceptron("erosion"), 3),
    "signed": (lambda: RDEPClassifier("signed"), 4),
    "boxes": (lambda: RDEPClassifier("boxes"), 3),
    "box": (lambda: RitterSussnerClassifier(boxes=True), 3),
    "corner": (lambda: RitterSussnerClassifier(), 3),
    "linear": (lambda: LinearDEPClassifier((1, 1)), 3),
    "linear 2": (lambda: LinearDEPClassifier((2, 2)), 4),
    "linear 3": (lambda: LinearDEPClassifier((3, 2), max_iter=5), 3),
    "score": (lambda: BoxScoreClassifier(6, max_faces=2, cv=None), 3),
    "competitive": (
        lambda: CompetitiveClassifier("ccp", n_boxes=2, init="random", random_state=0),
        2,
    ),
}
SEARCHED = ("score", "competitive")  # the kinds whose nearest samples are searched for


@dataclass
class Case:
    model: object
    X: np.ndarray
    scale: np.ndarray


def random_case(kind, seed, n_samples=5):
    """A model fitted on a few samples of two classes, other samples, and scales."""
    rng = np.random.default_rng([seed, list(KINDS).index(kind)])
    make, n = KINDS[kind]
    y = np.arange(40) % 2
    X = rng.normal(size=(40, n)) + 0.7 * y[:, None] * rng.choice([-1, 1], n)
    if seed % 3 == 1:
        X = np.round(X, 1)
    model = make().fit(X, y)
    scale = np.ones(n) if seed % 2 else rng.uniform(0.3, 3, n)
    return Case(model, 1.5 * rng.normal(size=(n_samples, n)), scale)


def radius(model, x, scale):
    if isinstance(model, BoxScoreClassifier):
        return over_cells(model, x, scale)
    if isinstance(model, CompetitiveClassifier):
        return over_faces(model, x, scale)
    return over_pieces(model, x, scale)


def over_pieces(model, x, scale):
    """The smallest optimum of linear programmes, one for each function that is not convex."""
    (A, a), (B, b), threshold = pieces(model, len(x))
    if model.predict(x[None])[0] == model.classes_[0]:
        (A, a), (B, b), threshold = (-B, -b), (-A, -a), -threshold
    found = [
        nearest(A + row, a + start, x, scale, threshold) for row, start in zip(B, b, strict=True)
    ]
    return min(found)


def nearest(G, g, x, scale, threshold):
    """Distance of x to the polyhedron G x' + g ≤ threshold."""
    n = len(x)
    wide = np.hstack([G, np.zeros((len(G), 1))])
    near = np.vstack(
        [
            np.column_stack([np.eye(n), -scale]),
            np.column_stack([-np.eye(n), -scale]),
        ]
    )
    solved = linprog(
        np.append(np.zeros(n), 1.0),
        A_ub=np.vstack([wide, near]),
        b_ub=np.concatenate([threshold - g, x, -x]),
        bounds=[(None, None)] * n + [(0, None)],
        method="highs",
    )
    return solved.fun if solved.status == 0 else np.inf


def pieces(model, n):
    """The affine functions of the maximum and of the minimum, and the threshold."""
    if isinstance(model, LinearDEPClassifier):
        above = model.dilation_coef_, model.dilation_intercept_
        return above, (model.erosion_coef_, model.erosion_intercept_), 0.0
    # Coordinates are affine: their values at the origin and at the unit vectors say how.
    points = np.vstack([np.zeros(n), np.eye(n)])
    threshold = 0.0
    if isinstance(model, RDEPClassifier):
        values, dep, threshold = model.reduced_space(points), model.dep_, -model.rounding_
    elif isinstance(model, RitterSussnerClassifier):
        values, dep = (np.hstack([points, -points]) if model.boxes else points), model
    else:
        values, dep = points * model.orientation_, model
    slopes, starts = (values[1:] - values[0]).T, values[0]
    zero = np.zeros((1, n)), np.zeros(1)
    if isinstance(dep, RitterSussnerClassifier):
        return (slopes, starts + dep.weights_), zero, threshold
    if isinstance(dep, MorphologicalPerceptron):
        own = slopes, starts + dep.weights_
        return (own, zero, 0.0) if dep.operator == "dilation" else (zero, own, 0.0)
    found = []
    for weights, share in (
        (dep.dilation_weights_, dep.beta_),
        (dep.erosion_weights_, 1 - dep.beta_),
    ):
        found.append((share * slopes, share * (starts + weights)) if share > 0 else zero)
    return *found, threshold


def over_cells(model, x, scale):
    """The smallest distance over all cells between faces, by bisection in each cell."""
    faces = [
        np.unique(model.boxes_[:, :, j][np.isfinite(model.boxes_[:, :, j])]) for j in range(len(x))
    ]
    cells = [list(zip([-np.inf, *f], [*f, np.inf], strict=True)) for f in faces]
    sign = 1.0 if model.predict(x[None])[0] == model.classes_[1] else -1.0
    best = np.inf
    for cell in product(*cells):
        low, high = np.array(cell).T
        inner = np.where(
            np.isinf(low),
            np.where(np.isinf(high), 0.0, high - 1),
            np.where(np.isinf(high), low + 1, (low + high) / 2),
        )
        if not ((inner > low) & (inner < high)).all():
            continue
        points = sum(
            d
            for (lo, up), d in zip(model.boxes_, model.box_coef_, strict=True)
            if ((inner >= lo) & (inner <= up)).all()
        )

        def falls(r, low=low, high=high, points=points):
            least, most = np.maximum(x - r * scale, low), np.minimum(x + r * scale, high)
            if (least > most).any():
                return False
            at = np.where(sign * model.coef_ > 0, least, most)
            return (
                sign
                * (model.intercept_ + model.coef_[model.coef_ != 0] @ at[model.coef_ != 0] + points)
                <= 0
            )

        lower, upper = 0.0, 1e3
        if not falls(upper):
            continue
        for _ in range(80):
            middle = (lower + upper) / 2
            lower, upper = (lower, middle) if falls(middle) else (middle, upper)
        best = min(best, upper)
    return best


def over_faces(model, x, scale):
    """The smallest optimum over all boxes that may win, and faces that may stop own boxes."""
    code = int(np.searchsorted(model.classes_, model.predict(x[None])[0]))
    own, other = model.boxes_[code], model.boxes_[1 - code]
    n = len(x)
    best = np.inf

    def distances(box):
        unit = np.eye(n)
        return [(unit[j], -box[0, j]) for j in range(n)] + [(-unit[j], box[1, j]) for j in range(n)]

    for winner in other:
        for stops in product(*map(distances, own)):
            # Each own box is stopped by a face no farther than any face of the winner.
            rows = [
                (stop[0] - face[0], stop[1] - face[1])
                for stop in stops
                for face in distances(winner)
            ]
            G, g = np.array([row for row, _ in rows]), np.array([start for _, start in rows])
            best = min(best, nearest(G, g, x, scale, 0.0))
    return best
