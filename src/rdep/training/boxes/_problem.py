r"""The training problem of the boxes of one class against the rest.

With the depth :math:`s(x) = \max_k \min_j \{x_j - a_{kj}, b_{kj} - x_j\}` in K boxes,

.. math::

    F(a, b) = \sum_{i \in P} c_i [\mu - s(x_i)]_+ + \sum_{i \in N} c_i [\mu + s(x_i)]_+
            + \gamma \sum_{k, j} (b_{kj} - a_{kj}), \qquad a \le b .

In the faces p = (a, −b) and with z = (−x, x), each distance to a face is −(p + z). A convex
majoriser freezes the best box of each positive, and for each negative and each box the face that is
nearest, or most violated; it touches F at the boxes where these were chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._utils._blocks import row_blocks
from ..._utils._typing import Array, Indices
from ...lattice import best_boxes


@dataclass(frozen=True, eq=False)
class BoxProblem:
    """Samples, their costs, and the parameters of F."""

    positives: Array  # (|P|, n)
    negatives: Array  # (|N|, n)
    positive_costs: Array
    negative_costs: Array
    gamma: float
    margin: float

    def objective(self, boxes: Array) -> float:
        """F, at boxes of shape (K, 2, n)."""
        inside, outside = (best_boxes(X, boxes)[0] for X in (self.positives, self.negatives))
        losses = self.positive_costs @ np.maximum(
            self.margin - inside, 0.0
        ) + self.negative_costs @ np.maximum(self.margin + outside, 0.0)
        return float(losses + self.gamma * (boxes[:, 1] - boxes[:, 0]).sum())

    def step(self, boxes: Array) -> BoxStep:
        """The majoriser that touches F at these boxes."""
        return BoxStep(
            self,
            best_boxes(self.positives, boxes)[1],
            np.array([_deciding_faces(self.negatives, box) for box in boxes]),
        )


@dataclass(frozen=True, eq=False)
class BoxStep:
    """A convex majoriser of F."""

    problem: BoxProblem
    owners: Indices  # (|P|,), the frozen box of each positive
    faces: Indices  # (K, |N|), the frozen face of each box for each negative

    @property
    def frozen(self) -> Array:
        """The z of the frozen faces, (K, |N|)."""
        X, n = self.problem.negatives, self.problem.negatives.shape[1]
        z = X[np.arange(len(X)), self.faces % n]
        return np.where(self.faces < n, -z, z)

    def value(self, boxes: Array) -> float:
        """The majoriser, at boxes of shape (K, 2, n)."""
        problem, p = self.problem, to_faces(boxes)
        z = np.hstack([-problem.positives, problem.positives])
        positives = (p[self.owners] + z).max(axis=1)
        negatives = -(np.take_along_axis(p, self.faces, axis=1) + self.frozen).min(axis=0)
        return float(
            problem.positive_costs @ np.maximum(problem.margin + positives, 0.0)
            + problem.negative_costs @ np.maximum(problem.margin + negatives, 0.0)
            - problem.gamma * p.sum()
        )


def to_faces(boxes: Array) -> Array:
    """p = (a, −b), of shape (K, 2n)."""
    return np.hstack([boxes[:, 0], -boxes[:, 1]])


def to_boxes(p: Array) -> Array:
    """Boxes of shape (K, 2, n) from their faces."""
    lower, upper = np.hsplit(p, 2)
    return np.stack([lower, -upper], axis=1)


def _deciding_faces(X: Array, box: Array) -> Indices:
    """For each sample the face with the smallest distance; of several the first."""
    faces = np.empty(len(X), dtype=np.intp)
    for rows in row_blocks(X):
        distances = np.hstack([X[rows] - box[0], box[1] - X[rows]])
        faces[rows] = distances.argmin(axis=1)
    return faces
