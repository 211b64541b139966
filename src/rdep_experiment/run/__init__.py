"""Computation of a comparison: data sets × folds × classifiers, minus the rows already stored."""
