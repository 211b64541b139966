"""The private name of scikit-learn (1.7 to 1.9) that takes rows or columns of anything."""

from sklearn.utils import _safe_indexing

__all__ = ["_safe_indexing"]
