"""Morphological perceptrons: one operator, a DEP, a DEP by cross-validation, the reduced DEP."""
