"""Preparation of the training of a network: sample weights, held-out samples, module checks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from .._base._validation import class_factors, drop_weightless
from .._utils._imports import optional
from .._utils._typing import Array, Indices
from ..exceptions import warn_caller

AUTO_BATCH = 32

Weighted = tuple[Array, Indices, Array]  # samples, class codes, weights


def pytorch() -> Any:
    """Import PyTorch, or raise an error that names the extra, which also installs skorch."""
    optional("skorch", "MorphologicalNetworkClassifier", "torch")
    return optional("torch", "MorphologicalNetworkClassifier", "torch")


@contextmanager
def threads(n_jobs: int | None) -> Iterator[None]:
    """Set the number of threads of PyTorch, and restore it afterwards."""
    torch = pytorch()
    before = torch.get_num_threads()
    torch.set_num_threads(effective_n_jobs(n_jobs))
    try:
        yield
    finally:
        torch.set_num_threads(before)


def weighted_samples(
    X: Array, y: NDArray, sample_weight: Array | None, class_weight: Any, classes: NDArray
) -> Weighted:
    """Samples with positive weights, their class codes, and weights with mean 1."""
    X, y, weights = drop_weightless(sample_weight, X, y)
    codes = np.searchsorted(classes, y)
    weights = np.ones(len(X)) if weights is None else weights
    totals = np.bincount(codes, weights)
    weights = weights * class_factors(class_weight, classes, totals, len(classes))[codes]
    return X, codes, weights / weights.mean()


def held_out(samples: Weighted, share: float, seed: int) -> tuple[Weighted, Weighted]:
    """Split samples into training and validation samples."""
    try:
        parts = train_test_split(*samples, test_size=share, random_state=seed, stratify=samples[1])
    except ValueError as error:
        raise ValueError(
            f"validation_fraction={share} cannot hold out samples of every class ({error}): set "
            "early_stopping=False, or pass more samples"
        ) from error
    return tuple(parts[::2]), tuple(parts[1::2])


def batch_size_for(asked: int | str, n_samples: int) -> int:
    """Number of samples in one step."""
    batch_size = AUTO_BATCH if isinstance(asked, str) else int(asked)
    if batch_size > n_samples:
        if asked != "auto":
            warn_caller(
                f"batch_size={batch_size} exceeds the number of training samples, {n_samples}: "
                "one batch with all samples is used",
                UserWarning,
            )
        return n_samples
    return batch_size


def check_module(module: Any, n_features: int, n_classes: int, optimiser: str) -> int:
    """Number of outputs of a module; raise an error if it does not fit the samples."""
    try:
        shape = tuple(module(pytorch().zeros(2, n_features)).shape)
    except (RuntimeError, ValueError) as error:
        raise ValueError(
            f"the module does not accept samples with {n_features} features: {error}"
        ) from error
    if shape != (2, n_classes) and not (n_classes == 2 and shape == (2, 1)):
        found = ", ".join(["n", *map(str, shape[1:])])
        wanted = f"(n, {n_classes})" + (" or (n, 1)" if n_classes == 2 else "")
        raise ValueError(
            f"the module returns outputs of shape ({found}), but {wanted} is needed for "
            f"{n_classes} classes: change its last layer"
        )
    if optimiser == "correlational":
        from .layers import MaxPlus

        if not any(isinstance(layer, MaxPlus) for layer in module.modules()):
            raise ValueError(
                "optimiser='correlational' trains max-plus and min-plus layers, but this "
                "architecture has none: use 'dense', 'min-max-plus' or another optimiser"
            )
    return shape[1]
