"""Side-by-side measurements: ``make bench``, or ``python -m benchmarks --help``."""
