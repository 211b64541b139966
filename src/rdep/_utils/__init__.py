"""Shared utilities: arrays in blocks, files, optional packages, private scikit-learn names."""
