"""Ridge regression on kernel values with landmarks, from sums over blocks of samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import eigh

from .._utils._typing import Array
from ._evaluation import Kernel, kernel_blocks

# Directions of the landmarks' kernel matrix below this share of its largest eigenvalue are noise.
_SMALLEST_EIGENVALUE = 1e-8

_FEWEST_ROWS = 1000

# Minimum of one minus the leverage of a sample: below this, all digits are rounding.
_LEAST_LEFT = 1e-9


def landmark_blocks(X: Array, landmarks: Array, kernel: Kernel) -> Iterator[tuple[slice, Array]]:
    """Kernel values of samples with the landmarks, block by block."""
    # At least as many samples as landmarks; otherwise adding products takes most of the time.
    return kernel_blocks(X, landmarks, kernel, n_rows=max(len(landmarks), _FEWEST_ROWS))


@dataclass(frozen=True, eq=False)
class KernelSums:
    """Sums over samples of products of their kernel values, signs and weights."""

    products: Array
    with_signs: Array
    sums: Array
    weight: float
    sign: float

    @classmethod
    def of(
        cls, X: Array, signs: Array, weights: Array, landmarks: Array, kernel: Kernel
    ) -> KernelSums:
        """Sums over an array of samples."""
        k = len(landmarks)
        products, with_signs, sums = np.zeros((k, k)), np.zeros(k), np.zeros(k)
        roots = np.sqrt(weights)
        for rows, block in landmark_blocks(X, landmarks, kernel):
            block *= roots[rows, None]
            products += block.T @ block  # NumPy uses the symmetry and does half the work
            with_signs += (roots[rows] * signs[rows]) @ block
            sums += roots[rows] @ block
        return cls(products, with_signs, sums, float(weights.sum()), float(weights @ signs))

    def __add__(self, other: KernelSums) -> KernelSums:
        return KernelSums(
            self.products + other.products,
            self.with_signs + other.with_signs,
            self.sums + other.sums,
            self.weight + other.weight,
            self.sign + other.sign,
        )


@dataclass(frozen=True, eq=False)
class Ridge:
    """Ridge regressions for several regularisation parameters, in uncorrelated coordinates."""

    landmarks: Array
    kernel: Kernel
    alphas: Array
    weight: float
    mean: Array  # of the kernel values
    mean_sign: float
    axes: Array
    spectrum: Array
    solutions: Array

    @classmethod
    def of(cls, sums: KernelSums, landmarks: Array, kernel: Kernel, alphas: Array) -> Ridge:
        """Solve from sums over all samples."""
        mean, mean_sign = sums.sums / sums.weight, float(sums.sign / sums.weight)
        products = sums.products - np.outer(mean, sums.sums)
        with_signs = sums.with_signs - mean_sign * sums.sums
        axes, spectrum = _axes(products, landmarks, kernel)
        # In these coordinates the samples are uncorrelated: one division solves for each alpha.
        solutions = (axes.T @ with_signs)[:, None] / (spectrum[:, None] + alphas)
        return cls(
            landmarks, kernel, alphas, sums.weight, mean, mean_sign, axes, spectrum, solutions
        )

    def left_out(self, X: Array, signs: Array, weights: Array) -> Array:
        """Values of training samples from fits without each of them, a column for each alpha."""
        leverages = 1 / (self.spectrum[:, None] + self.alphas)
        values = np.empty((len(X), len(self.alphas)))
        for rows, block in landmark_blocks(X, self.landmarks, self.kernel):
            block -= self.mean
            points = block @ self.axes
            residuals = signs[rows, None] - (points @ self.solutions + self.mean_sign)
            np.square(points, out=points)
            moved = weights[rows, None] * (points @ leverages + 1 / self.weight)
            values[rows] = signs[rows, None] - residuals / np.maximum(1 - moved, _LEAST_LEFT)
        return values

    def errors(self, X: Array, signs: Array, weights: Array) -> Array:
        """Squared error of the left-out values, for each alpha."""
        return weights @ (self.left_out(X, signs, weights) - signs[:, None]) ** 2

    def only(self, k: int) -> Ridge:
        """The regression of one alpha."""
        return replace(self, alphas=self.alphas[[k]], solutions=self.solutions[:, [k]])

    def coefficients(self, k: int) -> tuple[Array, float]:
        """Coefficients of the landmarks, and the intercept."""
        coefficients = self.axes @ self.solutions[:, k]
        return coefficients, self.mean_sign - float(self.mean @ coefficients)


def _axes(products: Array, landmarks: Array, kernel: Kernel) -> tuple[Array, Array]:
    """Axes of uncorrelated Nyström features, and the sums of their squares."""
    ((_, among_landmarks),) = kernel_blocks(landmarks, landmarks, kernel, n_rows=len(landmarks))
    eigenvalues, vectors = eigh(among_landmarks)
    kept = eigenvalues > _SMALLEST_EIGENVALUE * eigenvalues[-1]
    basis = vectors[:, kept] / np.sqrt(eigenvalues[kept])
    spectrum, rotation = eigh(basis.T @ products @ basis)
    return basis @ rotation, np.maximum(spectrum, 0)
