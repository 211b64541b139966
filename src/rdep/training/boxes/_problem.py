r"""The training problem of the boxes of one class against the rest.

With the depth :math:`s(x) = \max_k \min_j \{x_j - a_{kj}, b_{kj} - x_j\}` in K boxes,

.. math::

    F(a, b) = \sum_{i \in P} c_i [\mu - s(x_i)]_+ + \sum_{i \in N} c_i [\mu + s(x_i)]_+
            + \gamma \sum_{k, j} (b_{kj} - a_{kj}), \qquad a \le b .

In the faces p = (a, −b) and with z = (−x, x), each distance to a face is −(p + z). A convex
majoriser fixes the best box of each positive, and for each negative and each box the face that is
nearest, or most violated. It touches F at the boxes for which these were chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._utils._blocks import row_blocks
from ..._utils._typing import Array, Indices
from ...lattice import best_boxes
from .._samples import largest_size, power_of_two


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
        """F at boxes of shape (K, 2, n)."""
        inside, outside = (best_boxes(X, boxes)[0] for X in (self.positives, self.negatives))
        losses = self.positive_costs @ np.maximum(
            self.margin - inside, 0.0
        ) + self.negative_costs @ np.maximum(self.margin + outside, 0.0)
        return float(losses + self.gamma * (boxes[:, 1] - boxes[:, 0]).sum())

    @property
    def unit_of_loss(self) -> float:
        """Spread of the features times the mean cost of a sample."""
        costs = np.concatenate([self.positive_costs, self.negative_costs])
        return spread_of(np.vstack([self.positives, self.negatives])) * float(costs.mean())

    def step(self, boxes: Array) -> BoxStep:
        """Majoriser that touches F at these boxes."""
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
        """The majoriser at boxes of shape (K, 2, n)."""
        problem, p = self.problem, to_faces(boxes)
        z = np.hstack([-problem.positives, problem.positives])
        positives = (p[self.owners] + z).max(axis=1)
        negatives = -(np.take_along_axis(p, self.faces, axis=1) + self.frozen).min(axis=0)
        return float(
            problem.positive_costs @ np.maximum(problem.margin + positives, 0.0)
            + problem.negative_costs @ np.maximum(problem.margin + negatives, 0.0)
            - problem.gamma * p.sum()
        )


@dataclass(frozen=True, eq=False)
class BoxUnits:
    """Coordinates in which samples have a spread near 1, without any rounding.

    Solvers and the start by k-means++ use absolute tolerances and squares. If the values of a
    feature are within a factor of two of each other, one of them is subtracted, which is exact.
    Then all features are divided by a power of two.
    """

    centre: Array
    unit: float

    @classmethod
    def of(cls, X: Array) -> BoxUnits:
        low, high = X.min(axis=0), X.max(axis=0)
        nearest = np.where(np.abs(low) < np.abs(high), low, high)  # to zero
        farthest = np.where(np.abs(low) < np.abs(high), high, low)
        is_far = (np.sign(low) == np.sign(high)) & (np.abs(farthest) / 2 <= np.abs(nearest))
        centre = np.where(is_far, nearest, 0.0)
        spread = spread_of(X - centre)
        return cls(centre, float(2.0 ** np.round(np.log2(spread))) if spread > 0 else 1.0)

    def into(self, X: Array) -> Array:
        return (X - self.centre) / self.unit

    def back(self, boxes: Array) -> Array:
        return boxes * self.unit + self.centre


def spread_of(X: Array) -> float:
    """Root mean square of the features' standard deviations."""
    unit = power_of_two(largest_size(X))
    return unit * float(np.sqrt((X / unit).var(axis=0).mean()))


def to_faces(boxes: Array) -> Array:
    """p = (a, −b), of shape (K, 2n)."""
    return np.hstack([boxes[:, 0], -boxes[:, 1]])


def to_boxes(p: Array) -> Array:
    """Boxes of shape (K, 2, n) from their faces."""
    lower, upper = np.hsplit(p, 2)
    return np.stack([lower, -upper], axis=1)


def _deciding_faces(X: Array, box: Array) -> Indices:
    """Face with the smallest distance of each sample; ties go to the first face."""
    faces = np.empty(len(X), dtype=np.intp)
    for rows in row_blocks(X):
        distances = np.hstack([X[rows] - box[0], box[1] - X[rows]])
        faces[rows] = distances.argmin(axis=1)
    return faces
