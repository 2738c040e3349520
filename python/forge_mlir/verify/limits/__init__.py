"""Bounds of what rounding may change in the result of an op, element by element."""
