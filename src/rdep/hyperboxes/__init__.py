"""Classifiers by boxes in the space of features."""
