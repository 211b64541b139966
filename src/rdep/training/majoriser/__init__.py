"""Exact minimisation of one convex majoriser of the convex-concave procedure."""
