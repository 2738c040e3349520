"""Bounds on the effect of rounding on the result of an op, element by element."""
