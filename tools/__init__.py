"""Scripts for developers and CI, besides the tests."""
