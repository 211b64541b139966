"""Reproduction of the published tables of the family of morphological models."""

from ._tables import published_scores, published_splits

__all__ = ["published_scores", "published_splits"]
