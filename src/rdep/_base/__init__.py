"""Shared base of estimators: validation, labels, one against the rest, fits undone on errors."""
