"""Morphological associative memories."""
