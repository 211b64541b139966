"""The suites: each module here holds one record, ``SUITE``."""
