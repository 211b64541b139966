r"""Decision values of fitted support vector classifiers by blocked matrix products.

scikit-learn evaluates :math:`\sum_i \alpha_i d_i \kappa(x, x_i) + b` one sample and one support
vector at a time. Here a block of samples meets all support vectors in one matrix product. Members
of a bagging have the same kernel and mostly the same support vectors: one kernel block over the
union of them serves all. The result equals scikit-learn's to rounding, and memory is bounded by
the block whatever the number of samples.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.svm import SVC, NuSVC

from ._typing import Array

__all__ = ["can_evaluate", "decision_values"]

KERNELS = ("linear", "poly", "rbf", "sigmoid")

# Kernel values of one block, so that it stays in the processor's cache between one operation and
# the next; but not so few samples that the matrix product becomes slow.
_BLOCK_VALUES = 100_000
_BLOCK_SAMPLES = 64


def can_evaluate(estimator: BaseEstimator) -> bool:
    """Whether this is a fitted binary SVC with one of the built-in kernels, on dense samples."""
    return (
        type(estimator) in (SVC, NuSVC)
        and estimator.kernel in KERNELS
        and len(estimator.classes_) == 2
        and not issparse(estimator.support_vectors_)
    )


def decision_values(svcs: Sequence[SVC], X: Array, *, dtype=np.float64) -> Array:
    """Decision values of several SVCs that see the same features.

    Parameters
    ----------
    svcs : sequence of fitted SVC or NuSVC
        For which :func:`can_evaluate` holds.
    X : ndarray of shape (n_samples, n_features)
    dtype : numpy.float64 or numpy.float32, default=numpy.float64
        Of the arithmetic: with float32 twice as fast, with six digits or so.

    Returns
    -------
    ndarray of shape (n_samples, n_svcs)
    """
    values = np.empty((len(X), len(svcs)), dtype=dtype)
    alike = defaultdict(list)
    for k, svc in enumerate(svcs):
        alike[_kernel_parameters(svc)].append(k)
    X = X.astype(dtype, copy=False)
    for parameters, group in alike.items():
        values[:, group] = _evaluate([svcs[k] for k in group], parameters, X)
    return values


def _kernel_parameters(svc: SVC) -> tuple:
    # _gamma is the number that gamma="scale" or "auto" came to.
    return svc.kernel, float(svc._gamma), svc.degree, svc.coef0


def _evaluate(svcs: list[SVC], parameters: tuple, X: Array) -> Array:
    kernel, gamma, degree, coef0 = parameters
    intercepts = np.array([svc.intercept_[0] for svc in svcs], dtype=X.dtype)
    if kernel == "linear":
        normals = np.column_stack([svc.dual_coef_[0] @ svc.support_vectors_ for svc in svcs])
        return X @ normals.astype(X.dtype) + intercepts
    vectors, coefficients = _union([svc.support_vectors_ for svc in svcs], svcs)
    vectors, coefficients = vectors.astype(X.dtype), coefficients.astype(X.dtype)
    if kernel == "rbf":
        # Distances do not change with the origin, but their rounding grows with the norms.
        centre = vectors.mean(axis=0)
        vectors = vectors - centre
        squares = np.einsum("ij,ij->i", vectors, vectors)
        vectors = -gamma * np.column_stack([-2 * vectors, np.ones_like(squares), squares])
    values = np.empty((len(X), len(svcs)), dtype=X.dtype)
    n_rows = max(_BLOCK_SAMPLES, _BLOCK_VALUES // len(vectors))
    buffer = np.empty((min(n_rows, len(X)), len(vectors)), dtype=X.dtype)
    for start in range(0, len(X), n_rows):
        rows = X[start : start + n_rows]
        if kernel == "rbf":
            # −γ‖x − v‖² as one product, of (x, ‖x‖², 1) and −γ (−2v, 1, ‖v‖²).
            rows = rows - centre
            squares = np.einsum("ij,ij->i", rows, rows)
            rows = np.column_stack([rows, squares, np.ones_like(squares)])
        block = np.matmul(rows, vectors.T, out=buffer[: len(rows)])
        if kernel == "rbf":
            np.minimum(block, 0, out=block)
            np.exp(block, out=block)
        else:
            block *= gamma
            block += coef0
            block = _power(block, degree) if kernel == "poly" else np.tanh(block, out=block)
        values[start : start + n_rows] = block @ coefficients
    return values + intercepts


def _union(supports: list[Array], svcs: list[SVC]) -> tuple[Array, Array]:
    """The different support vectors, and each SVC's coefficient for every one of them."""
    if len(svcs) == 1:
        return supports[0], svcs[0].dual_coef_.T
    rows = np.ascontiguousarray(np.vstack(supports))
    keys = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    _, first, position = np.unique(keys, return_index=True, return_inverse=True)
    coefficients = np.zeros((len(first), len(svcs)))
    start = 0
    for k, svc in enumerate(svcs):
        mine = position[start : start + len(supports[k])]
        np.add.at(coefficients[:, k], mine, svc.dual_coef_[0])
        start += len(supports[k])
    return rows[first], coefficients


def _power(base: Array, exponent: int) -> Array:
    """An integer power by repeated squaring: far faster than ``**``, which calls pow()."""
    result = None
    while exponent:
        if exponent & 1:
            result = base.copy() if result is None else result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return np.ones_like(base) if result is None else result
