r"""Decision values of kernel classifiers by blocked matrix products.

scikit-learn evaluates :math:`\sum_i \alpha_i d_i \kappa(x, x_i) + b` one sample and one support
vector at a time. Here one matrix product combines a block of samples with all support vectors.
Members of a bagging have the same kernel and many common support vectors, so they share one kernel
block over the union of their support vectors. The result equals scikit-learn's up to rounding. The
size of a block bounds the memory, whatever the number of samples.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import DTypeLike
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.svm import SVC, NuSVC

from .._utils._sklearn_fitted import svc_gamma
from .._utils._typing import Array

__all__ = ["Kernel", "can_evaluate", "decision_values", "kernel_blocks"]

KERNELS = ("linear", "poly", "rbf", "sigmoid")

# Kernel values of one block, so that it stays in the processor's cache between operations; and the
# minimum number of samples, below which the matrix product becomes slow.
_BLOCK_VALUES = 100_000
_BLOCK_SAMPLES = 64


# Above this γ‖x‖², the expansion of ‖x − v‖² would lose more than 1e-12 of the kernel's value.
FARTHEST_EXPONENT = 4096.0


class Kernel(NamedTuple):
    """Kernel with its parameters as numbers, in scikit-learn's notation.

    Attributes
    ----------
    name : str
        "linear", "poly", "rbf" or "sigmoid".
    gamma : float
        Coefficient γ of the kernels other than the linear one.
    degree : int
        Degree of the polynomial kernel.
    coef0 : float
        Constant term of the polynomial and sigmoid kernels.
    """

    name: str
    gamma: float
    degree: int = 3
    coef0: float = 0.0


Kernel.__module__ = "rdep.kernels"  # cannot be set in the body of a NamedTuple


def can_evaluate(estimator: BaseEstimator) -> bool:
    """Whether an estimator is a binary SVC with a built-in kernel, fitted on dense samples.

    Parameters
    ----------
    estimator : fitted estimator
        The estimator to check.

    Returns
    -------
    bool
        Whether :func:`decision_values` can evaluate it.
    """
    return (
        type(estimator) in (SVC, NuSVC)
        and estimator.kernel in KERNELS
        and len(estimator.classes_) == 2
        and not issparse(estimator.support_vectors_)
    )


def decision_values(svcs: Sequence[SVC], X: Array, *, dtype: DTypeLike = np.float64) -> Array:
    """Compute the decision values of several SVCs with the same features.

    Parameters
    ----------
    svcs : sequence of fitted SVC or NuSVC
        Support vector classifiers for which :func:`can_evaluate` holds.
    X : ndarray of shape (n_samples, n_features)
        Samples.
    dtype : numpy.float64 or numpy.float32, default=numpy.float64
        Precision of the arithmetic. float32 is twice as fast and accurate to about six digits.

    Returns
    -------
    ndarray of shape (n_samples, n_svcs)
        Decision values, one column for each classifier.
    """
    values = np.empty((len(X), len(svcs)), dtype=dtype)
    alike = defaultdict(list)
    for k, svc in enumerate(svcs):
        # _gamma is the number that gamma="scale" or "auto" resolved to.
        alike[Kernel(svc.kernel, svc_gamma(svc), svc.degree, svc.coef0)].append(k)
    for kernel, group in alike.items():
        values[:, group] = _evaluate([svcs[k] for k in group], kernel, X, dtype)
    return values


def _evaluate(svcs: list[SVC], kernel: Kernel, X: Array, dtype: DTypeLike) -> Array:
    intercepts = np.array([svc.intercept_[0] for svc in svcs])
    if kernel.name == "linear":
        normals = np.column_stack([svc.dual_coef_[0] @ svc.support_vectors_ for svc in svcs])
        return X.astype(dtype, copy=False) @ normals.astype(dtype) + intercepts
    vectors, coefficients = union_of_supports(svcs)
    coefficients = coefficients.astype(dtype)
    values = np.empty((len(X), len(svcs)), dtype=dtype)
    for rows, block in kernel_blocks(X, vectors, kernel, dtype=dtype):
        values[rows] = block @ coefficients
    return values + intercepts


def kernel_blocks(
    X: Array,
    vectors: Array,
    kernel: Kernel,
    *,
    dtype: DTypeLike = np.float64,
    n_rows: int | None = None,
) -> Iterator[tuple[slice, Array]]:
    """Compute the kernel values of samples with ``vectors``, block by block.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Samples.
    vectors : ndarray of shape (n_vectors, n_features)
        Support vectors or landmarks.
    kernel : Kernel
        The kernel with its parameters.
    dtype : numpy.float64 or numpy.float32, default=numpy.float64
        Precision of the arithmetic.
    n_rows : int or None, default=None
        Number of samples in a block. None chooses blocks that fit into the processor's cache.

    Yields
    ------
    rows : slice
        The samples of the block.
    block : ndarray of shape (n_rows, n_vectors)
        Their kernel values, valid until the next block is computed.
    """
    rbf = kernel.name == "rbf"
    far = rbf and kernel.gamma * _largest_square(X, vectors) > FARTHEST_EXPONENT
    # Distances do not depend on the origin, but the rounding of their expansion grows with norms.
    centre = vectors.mean(axis=0) if rbf and not far else np.zeros(vectors.shape[1])
    vectors = (vectors - centre).astype(dtype)
    if rbf and not far:
        squares = np.einsum("ij,ij->i", vectors, vectors)
        vectors = -kernel.gamma * np.column_stack([-2 * vectors, np.ones_like(squares), squares])
        vectors = vectors.astype(dtype, copy=False)
    elif not rbf and kernel.name != "linear":
        vectors *= kernel.gamma
    if n_rows is None:
        n_rows = max(_BLOCK_SAMPLES, _BLOCK_VALUES // len(vectors))
    buffer = np.empty((min(n_rows, len(X)), len(vectors)), dtype=dtype)
    for start in range(0, len(X), n_rows):
        rows = slice(start, min(start + n_rows, len(X)))
        samples = (X[rows] - centre).astype(dtype, copy=False)
        if far:
            # The expansion would lose digits of small distances between samples far from zero.
            distances = cdist(samples, vectors, "sqeuclidean").astype(dtype, copy=False)
            yield rows, np.exp(-kernel.gamma * distances)
            continue
        if rbf:
            # −γ‖x − v‖² as one product, of (x, ‖x‖², 1) and −γ (−2v, 1, ‖v‖²).
            squares = np.einsum("ij,ij->i", samples, samples)
            samples = np.column_stack([samples, squares, np.ones_like(squares)])
        block = np.matmul(samples, vectors.T, out=buffer[: len(samples)])
        if rbf:
            np.minimum(block, 0, out=block)
            np.exp(block, out=block)
        elif kernel.name != "linear":
            if kernel.coef0:
                block += kernel.coef0
            if kernel.name == "poly":
                block = _power(block, kernel.degree)
            else:
                np.tanh(block, out=block)
        yield rows, block


def _largest_square(X: Array, vectors: Array) -> float:
    """Upper bound of ‖x − c‖² and ‖v − c‖², where c is the mean of the vectors."""
    centre = vectors.mean(axis=0)
    ends = [
        np.maximum(part.max(axis=0) - centre, centre - part.min(axis=0))
        for part in (X, vectors)
        if len(part)
    ]
    return float(max((end**2).sum() for end in ends))


class _Union(NamedTuple):
    """Support vectors of several SVCs, and the arrays that they come from."""

    sources: list[Array]
    vectors: Array
    coefficients: Array


# Cache by the first SVC: finding equal vectors takes longer than the values of one sample.
_unions: WeakKeyDictionary[BaseEstimator, _Union] = WeakKeyDictionary()


def union_of_supports(svcs: list[SVC]) -> tuple[Array, Array]:
    """Distinct support vectors of several SVCs, and the coefficients of each SVC for them."""
    if len(svcs) == 1:
        return svcs[0].support_vectors_, svcs[0].dual_coef_.T
    sources = [array for svc in svcs for array in (svc.support_vectors_, svc.dual_coef_)]
    known = _unions.get(svcs[0])
    if known is None or not (
        len(known.sources) == len(sources) and all(map(operator.is_, known.sources, sources))
    ):
        known = _unions[svcs[0]] = _Union(sources, *_found_union(svcs))
    return known.vectors, known.coefficients


def _found_union(svcs: list[SVC]) -> tuple[Array, Array]:
    rows = np.ascontiguousarray(np.vstack([svc.support_vectors_ for svc in svcs]))
    keys = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    _, first, position = np.unique(keys, return_index=True, return_inverse=True)
    coefficients = np.zeros((len(first), len(svcs)))
    start = 0
    for k, svc in enumerate(svcs):
        mine = position[start : start + len(svc.support_vectors_)]
        np.add.at(coefficients[:, k], mine, svc.dual_coef_[0])
        start += len(mine)
    return rows[first], coefficients


def _power(base: Array, exponent: int) -> Array:
    """Integer power by repeated squaring: much faster than ``**``, which calls pow()."""
    result = None
    while exponent:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if exponent:
            base = base * base
    return np.ones_like(base) if result is None else result
