"""Training of the linear DEP: affine pieces, by convex-concave steps with duality gaps."""
