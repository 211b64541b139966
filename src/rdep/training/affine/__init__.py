"""Training of the linear DEP: affine pieces, trained by convex-concave steps with duality gaps."""
