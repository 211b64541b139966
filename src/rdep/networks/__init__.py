"""Networks with morphological units."""
