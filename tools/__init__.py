"""What developers and CI run besides the tests."""
