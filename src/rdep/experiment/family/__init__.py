"""Published tables of the family of morphological models, computed again."""
