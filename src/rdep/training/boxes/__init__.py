"""Training of a union of boxes for one class against the rest, by the convex-concave procedure."""
