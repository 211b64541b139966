"""Doctests of classes that are public in ``rdep`` are found there, once they are imported."""

import rdep

for name in rdep.__all__:
    getattr(rdep, name)
