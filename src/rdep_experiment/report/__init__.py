"""Figures and the page of a run: pure functions of its tables and tests."""
